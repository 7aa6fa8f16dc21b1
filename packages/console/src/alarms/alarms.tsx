import type { Alarm, AlarmSummary } from '@manc/sdk'
import { Box, Button, Center, Group, Paper, SegmentedControl, Stack, Text, Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useCurrentUser } from '../app/current-user.ts'
import { formatNumber } from '../format/number.ts'
import '../ui/record-list.css'
import { Empty, Failure, Loading } from '../ui/states.tsx'
import { AcknowledgeDialog } from './acknowledge-dialog.tsx'
import { AlarmRow } from './alarm-row.tsx'
import { alarmsKey, useAlarmSummary, useAlarms } from './use-alarms.ts'

const pageSize = 50

/** Alarms of access points, newest first. */
export function Alarms() {
  const { state = 'open' } = useSearch({ from: '/inside/alarms' })
  const navigate = useNavigate()
  const me = useCurrentUser()
  const queryClient = useQueryClient()
  const summary = useAlarmSummary()
  const [limit, setLimit] = useState(pageSize)
  const alarms = useAlarms(limit, state)
  const [acknowledging, setAcknowledging] = useState<Alarm>()
  const show = (value: Alarm['state']) =>
    void navigate({ to: '/alarms', search: value === 'cleared' ? { state: value } : {}, replace: true })
  return (
    <Box p="lg" maw={1280}>
      <Stack gap="lg">
        <Group justify="space-between">
          <Title order={1} size="h4">
            Alarms
          </Title>
          {summary.data && <Counts summary={summary.data} />}
        </Group>
        <SegmentedControl
          aria-label="State of the alarms"
          style={{ alignSelf: 'flex-start' }}
          value={state}
          onChange={show}
          data={[
            { value: 'open', label: 'Open' },
            { value: 'cleared', label: 'Cleared' },
          ]}
        />
        {alarms.isPending && <Loading what="alarms" />}
        {alarms.isError && !alarms.data && (
          <Failure error={alarms.error} onRetry={() => void alarms.refetch()} />
        )}
        {alarms.data && (
          <AlarmList
            alarms={alarms.data.slice(0, limit)}
            state={state}
            onAcknowledge={me.isOperator ? setAcknowledging : undefined}
          />
        )}
        {(alarms.data?.length ?? 0) > limit && (
          <Center>
            <Button variant="default" onClick={() => setLimit(limit + pageSize)}>
              Show older alarms
            </Button>
          </Center>
        )}
      </Stack>
      {acknowledging && (
        <AcknowledgeDialog
          alarm={acknowledging}
          onDone={() => void queryClient.invalidateQueries({ queryKey: alarmsKey })}
          onClose={() => setAcknowledging(undefined)}
        />
      )}
    </Box>
  )
}

interface AlarmListProps {
  alarms: readonly Alarm[]
  state: Alarm['state']
  onAcknowledge: ((alarm: Alarm) => void) | undefined
}

function AlarmList({ alarms, state, onAcknowledge }: AlarmListProps) {
  if (alarms.length === 0 && state === 'open')
    return <Empty title="No open alarms">No access point needs attention.</Empty>
  if (alarms.length === 0)
    return <Empty title="No cleared alarms">Alarms appear here after they were cleared.</Empty>
  return (
    <Paper withBorder role="list" aria-label="Alarms, newest first">
      {alarms.map((alarm) => (
        <div key={alarm.id} role="listitem" className="entry">
          <AlarmRow alarm={alarm} onAcknowledge={onAcknowledge} />
        </div>
      ))}
    </Paper>
  )
}

function Counts({ summary }: { summary: AlarmSummary }) {
  const shown = (['critical', 'warning', 'info'] as const).filter(
    (severity) => summary[severity].acknowledged + summary[severity].unacknowledged > 0,
  )
  return (
    <Text size="sm" c="dimmed" className="figures">
      {shown
        .map((severity) => {
          const { acknowledged, unacknowledged } = summary[severity]
          return `${formatNumber(acknowledged + unacknowledged, 0)} ${severity}, ${formatNumber(unacknowledged, 0)} not acknowledged`
        })
        .join(' · ')}
    </Text>
  )
}

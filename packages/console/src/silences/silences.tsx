import '../ui/record-list.css'
import type { AlarmRule, Silence } from '@manc/sdk'
import { Badge, Button, Center, Group, Paper, SegmentedControl, Stack, Text } from '@mantine/core'
import { IconBellOff, IconCalendarRepeat } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { scopeText } from '../alarms/alarm-texts.ts'
import { alarmsKey, useAlarmRules } from '../alarms/use-alarms.ts'
import { useCurrentUser } from '../app/current-user.ts'
import { useManc } from '../app/session.tsx'
import { announce } from '../ui/announce.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { Empty, Failure, Loading } from '../ui/states.tsx'
import { SilenceDialog } from './silence-dialog.tsx'
import { whenText } from './silence-texts.ts'
import { useSilences } from './use-silences.ts'

const pageSize = 50
type Open = { what: 'once' | 'weekly' } | { what: 'end'; silence: Silence }

/** Silences and maintenance windows, newest first. */
export function Silences() {
  const { state } = useSearch({ from: '/inside/alarms/silences' })
  const manc = useManc()
  const me = useCurrentUser()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const rules = useAlarmRules()
  const [limit, setLimit] = useState(pageSize)
  const [open, setOpen] = useState<Open>()
  const list = useSilences(limit, state === 'ended' ? ['ended'] : ['active', 'scheduled'])
  const shown = list.data?.slice(0, limit) ?? []
  const close = () => setOpen(undefined)
  const refresh = () => queryClient.invalidateQueries({ queryKey: alarmsKey })
  return (
    <Stack gap="md">
      <Group justify="space-between" gap="sm">
        <SegmentedControl
          aria-label="State of the silences"
          value={state ?? 'current'}
          onChange={(value) =>
            void navigate({
              to: '/alarms/silences',
              search: value === 'ended' ? { state: value } : {},
              replace: true,
            })
          }
          data={[
            { value: 'current', label: 'Active and scheduled' },
            { value: 'ended', label: 'Ended' },
          ]}
        />
        {me.isOperator && (
          <Group gap="sm">
            <Button
              variant="default"
              leftSection={<IconCalendarRepeat size={16} />}
              onClick={() => setOpen({ what: 'weekly' })}
            >
              Add maintenance window
            </Button>
            <Button leftSection={<IconBellOff size={16} />} onClick={() => setOpen({ what: 'once' })}>
              Silence alarms
            </Button>
          </Group>
        )}
      </Group>
      {list.error && <Failure error={list.error} onRetry={() => void list.refetch()} />}
      {shown.length > 0 && (
        <Paper withBorder role="list" aria-label="Silences, newest first">
          {shown.map((silence) => (
            <div key={silence.id} role="listitem" className="entry">
              <SilenceRow
                silence={silence}
                rules={rules.data ?? []}
                onEnd={me.isOperator ? () => setOpen({ what: 'end', silence }) : undefined}
              />
            </div>
          ))}
        </Paper>
      )}
      {list.isPending && <Loading what="silences" />}
      {list.data?.length === 0 && (
        <Empty title={state === 'ended' ? 'No ended silences' : 'Nothing is silenced'}>
          {state === 'ended'
            ? 'Silences appear here after they ended.'
            : 'All alarms are notified. Silence alarms during planned work.'}
        </Empty>
      )}
      {(list.data?.length ?? 0) > limit && (
        <Center>
          <Button
            variant="default"
            loading={list.isPlaceholderData}
            onClick={() => setLimit(limit + 4 * pageSize)}
          >
            Show older silences
          </Button>
        </Center>
      )}
      {(open?.what === 'once' || open?.what === 'weekly') && (
        <SilenceDialog
          title={open.what === 'once' ? 'Silence alarms' : 'Add maintenance window'}
          start={{ kind: open.what }}
          onChanged={refresh}
          onClose={close}
        />
      )}
      {open?.what === 'end' && (
        <ConfirmDialog
          title="End silence?"
          confirmLabel="End silence"
          onCancel={close}
          onConfirm={async () => {
            await manc.alarms.endSilence(open.silence.id)
            await refresh()
            announce('Silence ended.')
            close()
          }}
        >
          {open.silence.comment}: alarms are notified again
          {open.silence.recurrence ? ', also in later windows' : ''}.
        </ConfirmDialog>
      )}
    </Stack>
  )
}

interface SilenceRowProps {
  silence: Silence
  rules: readonly AlarmRule[]
  onEnd: (() => void) | undefined
}

function SilenceRow({ silence, rules, onEnd }: SilenceRowProps) {
  const nameOf = (id: string) => rules.find((rule) => rule.id === id)?.name ?? id
  const what = silence.rule_ids.length === 0 ? 'All rules' : silence.rule_ids.map(nameOf).join(', ')
  return (
    <Group className="entry-line" px="md" py="sm" gap="sm" wrap="nowrap">
      <div style={{ flex: 1, minWidth: 200 }}>
        <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
          {silence.comment}
        </Text>
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {what}; {scopeText(silence)}; by {silence.created_by}
        </Text>
      </div>
      <Text size="xs" className="figures entry-facts" ta="right">
        {whenText(silence)}
      </Text>
      <Badge variant={silence.state === 'active' ? 'filled' : 'default'} color="dark" tt="none">
        {silence.state}
      </Badge>
      {onEnd && silence.state !== 'ended' && (
        <Button variant="default" size="compact-sm" onClick={onEnd}>
          End
        </Button>
      )}
    </Group>
  )
}

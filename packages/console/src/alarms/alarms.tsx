import type { Alarm } from '@manc/sdk'
import { Button, Center, Checkbox, Group, Paper, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useCurrentUser } from '../app/current-user.ts'
import { formatCount, formatNumber } from '../format/number.ts'
import { RangePicker } from '../range/range-picker.tsx'
import { rangeSearch, type TimeRange } from '../range/time-range.ts'
import { useTimeRange } from '../range/use-time-range.ts'
import { Empty, Failure, Loading } from '../ui/states.tsx'
import { AcknowledgeDialog } from './acknowledge-dialog.tsx'
import { AlarmFilter } from './alarm-filter.tsx'
import { AlarmList } from './alarm-list.tsx'
import { canBeAcknowledged } from './alarm-row.tsx'
import { type AlarmsFilter, alarmsSearch, parseAlarmsFilter } from './alarms-search.ts'
import { alarmsKey, useAlarmSummary, useAlarms } from './use-alarms.ts'

const pageSize = 100

/** Alarms of access points, newest first. */
export function Alarms() {
  const search = useSearch({ from: '/inside/alarms/' })
  const filter = useMemo(() => parseAlarmsFilter({ ...search }), [search])
  const navigate = useNavigate()
  const change = (changes: Partial<AlarmsFilter>) =>
    void navigate({ to: '/alarms', search: alarmsSearch({ ...filter, ...changes }), replace: true })
  const summary = useAlarmSummary()
  const range = useTimeRange(undefined)
  const matching = { ...filter, range: range.range }
  const reset = () =>
    void navigate({
      to: '/alarms',
      search: { ...alarmsSearch(parseAlarmsFilter({})), ...rangeSearch(undefined) },
      replace: true,
    })
  return (
    <>
      <AlarmFilter filter={filter} summary={range.range ? undefined : summary.data} onChange={change}>
        <RangePicker {...range} anyTime="Any time" />
      </AlarmFilter>
      {/* Another filter starts again with the first page and without a selection. */}
      <Matching key={JSON.stringify(matching)} filter={matching} onReset={reset} />
    </>
  )
}

interface MatchingProps {
  filter: AlarmsFilter & { range: TimeRange | undefined }
  onReset: () => void
}

function Matching({ filter, onReset }: MatchingProps) {
  const queryClient = useQueryClient()
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [acknowledging, setAcknowledging] = useState<readonly Alarm[]>()
  return (
    <>
      <Found
        filter={filter}
        onReset={onReset}
        selected={selected}
        onSelect={setSelected}
        onAcknowledge={setAcknowledging}
      />
      {/* Stays open when the last alarm leaves the list. */}
      {acknowledging && (
        <AcknowledgeDialog
          alarms={acknowledging}
          onDone={() => {
            setSelected(new Set())
            void queryClient.invalidateQueries({ queryKey: alarmsKey })
          }}
          onClose={() => setAcknowledging(undefined)}
        />
      )}
    </>
  )
}

interface FoundProps extends MatchingProps {
  selected: ReadonlySet<string>
  onSelect: (ids: ReadonlySet<string>) => void
  onAcknowledge: (alarms: readonly Alarm[]) => void
}

function Found({ filter, onReset, selected, onSelect, onAcknowledge }: FoundProps) {
  const me = useCurrentUser()
  const [limit, setLimit] = useState(pageSize)
  const alarms = useAlarms(limit, filter)
  const shown = alarms.data?.slice(0, limit) ?? []
  // Those that were cleared or acknowledged in the meantime are not selected any more.
  const selectable = shown.filter(canBeAcknowledged)
  const chosen = selectable.filter(({ id }) => selected.has(id))
  const toggle = ({ id }: Alarm) =>
    onSelect(new Set(selected.has(id) ? [...selected].filter((each) => each !== id) : [...selected, id]))
  if (alarms.isPending) return <Loading what="alarms" />
  if (alarms.isError && !alarms.data)
    return <Failure error={alarms.error} onRetry={() => void alarms.refetch()} />
  if (shown.length === 0) return <NoAlarms filter={filter} onReset={onReset} />
  return (
    <Stack gap="md">
      {alarms.isError && <Failure error={alarms.error} onRetry={() => void alarms.refetch()} />}
      {me.isOperator && selectable.length > 0 && (
        <Paper withBorder className="bulk-bar" px="md" py={6}>
          <Group justify="space-between" gap="sm" mih={26}>
            <Checkbox
              size="xs"
              label={
                chosen.length === 0
                  ? `Select all ${formatNumber(selectable.length)} shown`
                  : `${formatNumber(chosen.length)} selected`
              }
              checked={chosen.length === selectable.length}
              indeterminate={chosen.length > 0 && chosen.length < selectable.length}
              onChange={() =>
                onSelect(new Set(chosen.length === selectable.length ? [] : selectable.map(({ id }) => id)))
              }
            />
            {chosen.length > 0 && (
              <Button size="compact-sm" onClick={() => onAcknowledge(chosen)}>
                Acknowledge {formatCount(chosen.length, 'alarm')}
              </Button>
            )}
          </Group>
        </Paper>
      )}
      <AlarmList
        alarms={shown}
        selection={
          me.isOperator
            ? { ids: selected, onToggle: toggle, onAcknowledge: (alarm) => onAcknowledge([alarm]) }
            : undefined
        }
      />
      <Center>
        {(alarms.data?.length ?? 0) > limit ? (
          <Button
            variant="default"
            loading={alarms.isPlaceholderData}
            onClick={() => setLimit(limit === pageSize ? 1000 : limit + 1000)}
          >
            Show older alarms
          </Button>
        ) : (
          <Text size="xs" c="dimmed" className="figures">
            {formatCount(shown.length, 'alarm')}
          </Text>
        )}
      </Center>
    </Stack>
  )
}

function NoAlarms({ filter, onReset }: MatchingProps) {
  const { severity, technology, rule, acknowledged, silenced, state, range } = filter
  if (severity.length + technology.length > 0 || rule !== undefined || acknowledged || silenced || range)
    return (
      <Empty title="No matches">
        <Stack align="center" gap="md">
          <span>No alarm matches all filters.</span>
          <Button variant="default" onClick={onReset}>
            Remove filters
          </Button>
        </Stack>
      </Empty>
    )
  if (state === 'open') return <Empty title="No open alarms">No access point needs attention.</Empty>
  return <Empty title="No alarms">Alarms appear here after they were raised.</Empty>
}

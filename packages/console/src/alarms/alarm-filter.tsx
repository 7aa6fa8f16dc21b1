import type { AlarmSummary } from '@manc/sdk'
import { Button, Chip, Group, SegmentedControl, Select, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { SeverityIcon } from '../events/severity-icon.tsx'
import { formatNumber } from '../format/number.ts'
import { technologies } from '../ui/theme.ts'
import { type AlarmsFilter, countsOf, hasCounts, type Severity, severities } from './alarms-search.ts'
import { useAlarmRules } from './use-alarms.ts'

interface AlarmFilterProps {
  filter: AlarmsFilter
  /** Of open alarms. */
  summary: AlarmSummary | undefined
  onChange: (changes: Partial<AlarmsFilter>) => void
  /** Beside the severities. */
  children: ReactNode
}

export function AlarmFilter({ filter, summary, onChange, children }: AlarmFilterProps) {
  const rules = useAlarmRules()
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="sm">
        <SeverityToggles
          selected={filter.severity}
          silenced={filter.silenced}
          // The counts are of all open alarms: with another filter they would not be those of the list.
          summary={hasCounts(filter) ? summary : undefined}
          onSelect={(severity) => onChange({ severity })}
        />
        {children}
      </Group>
      <Group gap="sm">
        <SegmentedControl
          aria-label="State of the alarms"
          value={filter.state}
          onChange={(state) => onChange({ state })}
          data={[
            { value: 'open', label: 'Open' },
            { value: 'cleared', label: 'Cleared' },
            { value: 'all', label: 'All' },
          ]}
        />
        <Select
          aria-label="Acknowledged"
          placeholder="Acknowledged or not"
          clearable
          w={200}
          data={[
            { value: 'no', label: 'Not acknowledged' },
            { value: 'yes', label: 'Acknowledged' },
          ]}
          value={filter.acknowledged ?? null}
          onChange={(acknowledged) => onChange({ acknowledged: acknowledged ?? undefined })}
        />
        <Select
          aria-label="Silenced"
          placeholder="Silenced or not"
          clearable
          w={170}
          data={[
            { value: 'no', label: 'Not silenced' },
            { value: 'yes', label: 'Silenced' },
          ]}
          value={filter.silenced ?? null}
          onChange={(silenced) => onChange({ silenced: silenced ?? undefined })}
        />
        <Select
          aria-label="Rule"
          placeholder="Any rule"
          clearable
          searchable
          w={240}
          data={(rules.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          value={filter.rule ?? null}
          onChange={(rule) => onChange({ rule: rule ?? undefined })}
        />
        <Chip.Group
          multiple
          value={filter.technology}
          onChange={(names) => onChange({ technology: technologies.filter((each) => names.includes(each)) })}
        >
          <Group gap={6} role="group" aria-label="Technology">
            {technologies.map((technology) => (
              <Chip key={technology} value={technology} size="xs">
                {technology}
              </Chip>
            ))}
          </Group>
        </Chip.Group>
      </Group>
    </Stack>
  )
}

interface SeverityTogglesProps {
  selected: readonly Severity[]
  silenced: AlarmsFilter['silenced']
  /** Undefined: without counts. */
  summary: AlarmSummary | undefined
  onSelect: (severities: Severity[]) => void
}

function SeverityToggles({ selected, silenced, summary, onSelect }: SeverityTogglesProps) {
  const toggle = (severity: Severity) =>
    onSelect(severities.filter((each) => selected.includes(each) !== (each === severity)))
  return (
    <Group gap={6} role="group" aria-label="Severity">
      {severities.map((severity) => {
        const { total, notes = [] } = summary ? countsOf(summary[severity], silenced) : {}
        return (
          <Button
            key={severity}
            size="compact-sm"
            variant={selected.includes(severity) ? 'filled' : 'default'}
            color="dark"
            aria-pressed={selected.includes(severity)}
            leftSection={<SeverityIcon severity={severity} isLabelled />}
            onClick={() => toggle(severity)}
          >
            {total !== undefined && <span className="figures">{formatNumber(total)}&nbsp;</span>}
            {severity}
            {notes.length > 0 && (
              <span className="figures">
                &nbsp;({notes.map(({ count, name }) => `${formatNumber(count)} ${name}`).join(', ')})
              </span>
            )}
          </Button>
        )
      })}
    </Group>
  )
}

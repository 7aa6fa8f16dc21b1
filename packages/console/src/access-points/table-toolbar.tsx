import { type Health, healths } from '@manc/contract/health'
import { type TableColumn, tableColumns } from '@manc/contract/table-columns'
import type { AgentState, Technology } from '@manc/sdk'
import {
  ActionIcon,
  Button,
  Checkbox,
  CloseButton,
  Group,
  MultiSelect,
  Popover,
  ScrollArea,
  Select,
  Stack,
  Text,
  TextInput,
  Tooltip,
} from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import {
  IconArrowDown,
  IconArrowUp,
  IconBaselineDensityMedium,
  IconBaselineDensitySmall,
  IconColumns3,
  IconSearch,
} from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { EmulatedField } from '../fleet/emulated-field.tsx'
import { states, technologies } from '../ui/theme.ts'
import { columns } from './table-columns.tsx'
import { defaultColumns, defaultOrder, type TableState } from './table-search.ts'
import type { ChangeTable } from './use-table-state.ts'

interface ToolbarProps {
  table: TableState
  change: ChangeTable
}

/** Filters of the table. */
export function TableFilters({ table, change }: ToolbarProps) {
  return (
    <Group gap="sm" align="center">
      <SearchField text={table.text} onChange={(text) => change({ text })} />
      <Filter
        label="Health"
        data={healths}
        value={table.health}
        onChange={(health) => change({ health: health as Health[] })}
      />
      <Filter
        label="Technology"
        data={technologies}
        value={table.technology}
        onChange={(technology) => change({ technology: technology as Technology[] })}
      />
      <Filter
        label="State"
        data={states}
        value={table.state}
        onChange={(state) => change({ state: state as AgentState[] })}
      />
      <EmulatedField value={table.emulated} onChange={(emulated) => change({ emulated })} />
    </Group>
  )
}

interface FilterProps {
  label: string
  data: readonly string[]
  value: readonly string[]
  onChange: (values: string[]) => void
}

function Filter({ label, data, value, onChange }: FilterProps) {
  return (
    <MultiSelect
      size="xs"
      aria-label={label}
      placeholder={value.length === 0 ? `${label}: any` : ''}
      data={[...data]}
      value={[...value]}
      onChange={onChange}
      clearable
      clearButtonProps={{ 'aria-label': `Clear ${label.toLowerCase()}` }}
      w={value.length > 1 ? 210 : 150}
    />
  )
}

/** Typed text is written to the address after a moment, and a changed address replaces the text. */
function SearchField({ text, onChange }: { text: string; onChange: (text: string) => void }) {
  const [typed, setTyped] = useState(text)
  const written = useRef(text)
  const write = useDebouncedCallback((next: string) => {
    written.current = next
    onChange(next)
  }, 200)
  useEffect(() => {
    if (text === written.current) return
    written.current = text
    setTyped(text)
  }, [text])
  const change = (next: string) => {
    setTyped(next)
    write(next)
  }
  return (
    <TextInput
      size="xs"
      w={230}
      aria-label="Search access points"
      placeholder="Search by ID or name"
      maxLength={128}
      leftSection={<IconSearch size={14} />}
      rightSection={typed && <CloseButton size="xs" aria-label="Clear search" onClick={() => change('')} />}
      value={typed}
      onChange={({ currentTarget }) => change(currentTarget.value)}
    />
  )
}

/** How the table is shown. */
export function TableLayout({ table, change }: ToolbarProps) {
  const isCompact = table.density === 'compact'
  const label = isCompact ? 'Comfortable rows' : 'Compact rows'
  return (
    <>
      <ColumnChooser table={table} change={change} />
      <Tooltip label={label}>
        <ActionIcon
          variant="default"
          size={30}
          aria-label={label}
          onClick={() => change({ density: isCompact ? 'comfortable' : 'compact' })}
        >
          {isCompact ? <IconBaselineDensityMedium size={16} /> : <IconBaselineDensitySmall size={16} />}
        </ActionIcon>
      </Tooltip>
    </>
  )
}

function ColumnChooser({ table, change }: ToolbarProps) {
  const toggle = (name: TableColumn) => {
    const isShown = table.columns.includes(name)
    const next = isShown ? table.columns.filter((each) => each !== name) : [...table.columns, name]
    if (next.length > 0) change({ columns: next })
  }
  const move = (name: TableColumn, by: number) => {
    const next = [...table.columns]
    const from = next.indexOf(name)
    const to = from + by
    if (to < 0 || to >= next.length) return
    next.splice(from, 1)
    next.splice(to, 0, name)
    change({ columns: next })
  }
  const hidden = tableColumns.filter((name) => !table.columns.includes(name))
  return (
    <Popover position="bottom-end" trapFocus withinPortal shadow="md">
      <Popover.Target>
        <Button variant="default" size="xs" leftSection={<IconColumns3 size={14} />}>
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Columns">
        <ScrollArea.Autosize mah={420} type="auto">
          <Stack gap={6} pr="sm">
            {[...table.columns, ...hidden].map((name, index) => (
              <Group key={name} gap={4} wrap="nowrap" justify="space-between">
                <Checkbox
                  size="xs"
                  label={columns[name].label}
                  checked={table.columns.includes(name)}
                  disabled={table.columns.length === 1 && table.columns.includes(name)}
                  onChange={() => toggle(name)}
                />
                {index < table.columns.length && (
                  <Group gap={2} wrap="nowrap">
                    {([-1, 1] as const).map((by) => (
                      <ActionIcon
                        key={by}
                        variant="subtle"
                        color="gray"
                        size="xs"
                        aria-label={`Move ${columns[name].label} ${by < 0 ? 'left' : 'right'}`}
                        onClick={() => move(name, by)}
                      >
                        {by < 0 ? <IconArrowUp size={12} /> : <IconArrowDown size={12} />}
                      </ActionIcon>
                    ))}
                  </Group>
                )}
              </Group>
            ))}
            <Button variant="subtle" size="xs" onClick={() => change({ columns: defaultColumns })}>
              Default columns
            </Button>
          </Stack>
        </ScrollArea.Autosize>
      </Popover.Dropdown>
    </Popover>
  )
}

/** On a phone there are no column headers to sort by. */
export function SortField({ table, change }: ToolbarProps) {
  const Arrow = table.order === 'asc' ? IconArrowUp : IconArrowDown
  return (
    <Group gap={4} wrap="nowrap">
      <Text size="xs" c="dimmed">
        Sort
      </Text>
      <Select
        size="xs"
        w={150}
        aria-label="Sort by"
        allowDeselect={false}
        data={tableColumns
          .filter((name) => name !== 'reason')
          .map((value) => ({ value, label: columns[value].label }))}
        value={table.sort}
        onChange={(sort) => sort && change({ sort, order: defaultOrder(sort) })}
      />
      <ActionIcon
        variant="default"
        size={30}
        aria-label={table.order === 'asc' ? 'Sort descending' : 'Sort ascending'}
        onClick={() => change({ order: table.order === 'asc' ? 'desc' : 'asc' })}
      >
        <Arrow size={14} />
      </ActionIcon>
    </Group>
  )
}

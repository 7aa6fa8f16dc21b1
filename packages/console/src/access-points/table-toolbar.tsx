import { healths } from '@manc/contract/health'
import { type TableColumn, tableColumns } from '@manc/contract/table-columns'
import { ActionIcon, Button, Checkbox, Group, Popover, ScrollArea, Select, Stack, Text } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconColumns3 } from '@tabler/icons-react'
import { EmulatedField } from '../fleet/emulated-field.tsx'
import { ChoiceFilter } from '../ui/choice-filter.tsx'
import { DensityButton } from '../ui/density-button.tsx'
import { SearchField } from '../ui/search-field.tsx'
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
      <SearchField
        label="Search access points"
        placeholder="Search by ID or name"
        text={table.text}
        onChange={(text) => change({ text })}
      />
      <ChoiceFilter
        label="Health"
        data={healths}
        value={table.health}
        onChange={(health) => change({ health })}
      />
      <ChoiceFilter
        label="Technology"
        data={technologies}
        value={table.technology}
        onChange={(technology) => change({ technology })}
      />
      <ChoiceFilter label="State" data={states} value={table.state} onChange={(state) => change({ state })} />
      <EmulatedField value={table.emulated} onChange={(emulated) => change({ emulated })} />
    </Group>
  )
}

/** How the table is shown. */
export function TableLayout({ table, change }: ToolbarProps) {
  return (
    <>
      <ColumnChooser table={table} change={change} />
      <DensityButton density={table.density} onChange={(density) => change({ density })} />
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

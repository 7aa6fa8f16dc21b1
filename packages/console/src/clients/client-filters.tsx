import { Group, SegmentedControl, Select } from '@mantine/core'
import { AccessPointSelect } from '../fleet/access-point-select.tsx'
import { EmulatedField } from '../fleet/emulated-field.tsx'
import { AppliedField } from '../ui/applied-field.tsx'
import { ChoiceFilter } from '../ui/choice-filter.tsx'
import { SearchField } from '../ui/search-field.tsx'
import { technologies } from '../ui/theme.ts'
import { type ClientsTable, clientOrders } from './clients-search.ts'

interface ToolbarProps {
  table: ClientsTable
  change: (changes: Partial<ClientsTable>) => void
}

/** Filters of the table. */
export function ClientFilters({ table, change }: ToolbarProps) {
  return (
    <Group gap="sm" align="center">
      <SearchField
        label="Search clients"
        placeholder="Start of the ID"
        text={table.text}
        onChange={(text) => change({ text })}
      />
      <SegmentedControl
        size="xs"
        aria-label="State of the clients"
        value={table.state}
        onChange={(state) => change({ state })}
        data={[
          { value: 'attached', label: 'Attached' },
          { value: 'detached', label: 'Not attached' },
          { value: 'all', label: 'All' },
        ]}
      />
      <ChoiceFilter
        label="Technology"
        data={technologies}
        value={table.technology}
        onChange={(technology) => change({ technology })}
      />
      <AccessPointSelect
        size="xs"
        w={230}
        aria-label="Access point"
        placeholder="Access point: any"
        value={table.apId}
        onChange={(apId) => change({ apId })}
        emulated={table.emulated}
      />
      <AppliedField
        size="xs"
        w={150}
        aria-label="Place of the access point"
        placeholder="Place: any"
        maxLength={128}
        value={table.place}
        onChange={(place) => change({ place })}
      />
      <EmulatedField value={table.emulated} onChange={(emulated) => change({ emulated })} />
    </Group>
  )
}

const orderLabels = { id: 'Client', since: 'Newest first' }

/** On a phone there are no column headers to sort by. */
export function ClientSort({ table, change }: ToolbarProps) {
  return (
    <Select
      size="xs"
      w={150}
      aria-label="Sort by"
      allowDeselect={false}
      data={clientOrders.map((value) => ({ value, label: orderLabels[value] }))}
      value={table.sort}
      onChange={(sort) => sort && change({ sort })}
    />
  )
}

import type { FleetAgent, Technology } from '@manc/sdk'
import { Chip, Group, MultiSelect, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useManc } from '../app/session.tsx'
import { TechnologyIcon } from '../fleet/technology-icon.tsx'

const maxOptions = 20

interface ComparePickerProps {
  chosen: string[]
  /** Those of them that are read. */
  known: readonly FleetAgent[]
  max: number
  /** Beside the technologies. */
  children: ReactNode
  onChange: (apIds: string[]) => void
}

/** Selects access points by search and technology. */
export function ComparePicker({ chosen, known, max, onChange, children }: ComparePickerProps) {
  const [text, setText] = useState('')
  const [technology, setTechnology] = useState<Technology[]>([])
  const { data: agents = [] } = useOptions(text, technology, chosen.length)
  const byId = new Map(agents.map((agent) => [agent.ap_id, agent]))
  const names = new Map([...known, ...agents].map(({ ap_id: apId, name }) => [apId, name]))
  const isFull = chosen.length >= max
  return (
    <Stack gap="sm">
      <MultiSelect
        label="Access points"
        description={isFull ? `Maximum of ${max} reached. Remove one to add another.` : `Up to ${max}`}
        placeholder={isFull ? '' : 'Search by ID or name'}
        searchable
        clearable
        hidePickedOptions
        maxValues={max}
        searchValue={text}
        onSearchChange={setText}
        value={chosen}
        onChange={onChange}
        // The data must contain the selected values as well as the options found by the controller.
        data={[...new Set([...chosen, ...byId.keys()])].map((value) => ({
          value,
          label: names.get(value) ?? value,
        }))}
        filter={({ options }) =>
          options.filter(
            (option) => 'value' in option && byId.has(option.value) && !chosen.includes(option.value),
          )
        }
        renderOption={({ option }) => <Option agent={byId.get(option.value)} label={option.label} />}
        nothingFoundMessage="No matches"
        // The list itself scrolls, so that the keyboard can scroll it.
        withScrollArea={false}
        styles={{ options: { maxHeight: 280, overflowY: 'auto' } }}
        comboboxProps={{ shadow: 'md' }}
      />
      <Group gap={6}>
        <Text size="xs" c="dimmed" id="technology-filter">
          Technology
        </Text>
        <Chip.Group multiple value={technology} onChange={setTechnology}>
          {(['5G', 'WiFi', 'LiFi'] as const).map((each) => (
            <Chip key={each} value={each} size="xs" variant="outline" aria-describedby="technology-filter">
              {each}
            </Chip>
          ))}
        </Chip.Group>
        {children}
      </Group>
    </Stack>
  )
}

function useOptions(text: string, technology: Technology[], chosenCount: number) {
  const manc = useManc()
  const [search] = useDebouncedValue(text.trim(), 150)
  return useQuery({
    queryKey: ['options', search, technology, chosenCount],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const agents: FleetAgent[] = []
      // Selected access points are among the results but are not offered.
      for await (const agent of manc.fleet.agents({
        ...(search && { search }),
        ...(technology.length > 0 && { technology }),
        pageSize: maxOptions + chosenCount,
        signal,
      }))
        if (agents.push(agent) >= maxOptions + chosenCount) break
      return agents
    },
  })
}

function Option({ agent, label }: { agent: FleetAgent | undefined; label: string }) {
  return (
    <Group gap="sm" wrap="nowrap">
      {agent && <TechnologyIcon technology={agent.technology} state={agent.state} />}
      <Text size="sm" truncate>
        {label}
      </Text>
    </Group>
  )
}

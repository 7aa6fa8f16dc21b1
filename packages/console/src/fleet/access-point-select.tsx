import type { EmulatedChoice, FleetAgent } from '@manc/sdk'
import { Group, Select, type SelectProps, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useManc } from '../app/session.tsx'
import { useAgents } from './fleet.ts'
import { TechnologyIcon } from './technology-icon.tsx'

const maxOptions = 20

interface AccessPointSelectProps
  extends Pick<SelectProps, 'label' | 'aria-label' | 'placeholder' | 'description' | 'size' | 'w' | 'flex'> {
  value: string | undefined
  onChange: (apId: string | undefined) => void
  emulated: EmulatedChoice
  /** Offered before a text is typed; otherwise the first ones. */
  suggested?: readonly FleetAgent[]
  /** Is not offered. */
  excluded?: string
}

/** Chooses an access point by id or name. The controller searches. */
export function AccessPointSelect({
  value,
  onChange,
  emulated,
  suggested = [],
  excluded,
  ...props
}: AccessPointSelectProps) {
  const [text, setText] = useState('')
  const chosen = useAgents(value === undefined ? [] : [value]).get(value ?? '')
  const chosenLabel = value === undefined ? '' : labelOf(chosen ?? { ap_id: value, name: null })
  // The text of the choice is not searched for.
  const search = text === chosenLabel ? '' : text.trim()
  const { data: found = [] } = useFound(search, emulated)
  const offered = (search === '' && suggested.length > 0 ? suggested : found).filter(
    ({ ap_id: apId }) => apId !== excluded,
  )
  const byId = new Map(offered.map((agent) => [agent.ap_id, agent]))
  const options = offered.map((agent) => ({ value: agent.ap_id, label: labelOf(agent) }))
  return (
    <Select
      {...props}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'Clear access point' }}
      searchValue={text}
      onSearchChange={setText}
      value={value ?? null}
      onChange={(apId) => onChange(apId ?? undefined)}
      // The data must contain the selected value as well as the options that the controller found.
      data={value === undefined || byId.has(value) ? options : [{ value, label: chosenLabel }, ...options]}
      filter={({ options: all }) => all.filter((option) => 'value' in option && byId.has(option.value))}
      renderOption={({ option }) => <Option agent={byId.get(option.value)} label={option.label} />}
      nothingFoundMessage="No matches"
      maxLength={320}
      // The list itself scrolls, so that the keyboard can scroll it.
      withScrollArea={false}
      styles={{ options: { maxHeight: 280, overflowY: 'auto' } }}
      comboboxProps={{ shadow: 'md' }}
    />
  )
}

const labelOf = ({ ap_id: apId, name }: Pick<FleetAgent, 'ap_id' | 'name'>): string =>
  name === null ? apId : `${name} (${apId})`

function useFound(text: string, emulated: EmulatedChoice) {
  const manc = useManc()
  const [search] = useDebouncedValue(text, 150)
  return useQuery({
    queryKey: ['access-point-options', search, emulated],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const agents: FleetAgent[] = []
      const query = { ...(search && { search }), emulated, pageSize: maxOptions, signal }
      for await (const agent of manc.fleet.agents(query)) if (agents.push(agent) >= maxOptions) break
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

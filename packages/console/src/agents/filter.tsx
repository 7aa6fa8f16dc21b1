import type { AgentState, FleetAgent, Technology } from '@manc/sdk'
import { Chip, CloseButton, Group, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { states, technologies } from '../frame/theme.ts'
import { type Area, isWithin } from './area.ts'

interface FilterState {
  words: string
  setWords: (words: string) => void
  technology: Technology[]
  setTechnology: (technology: Technology[]) => void
  state: AgentState[]
  setState: (state: AgentState[]) => void
  isInView: boolean
  setInView: (isInView: boolean) => void
  /** What fits, for the map. */
  fitting: FleetAgent[]
  /** Of these what the map shows, where only that is wanted: for the list. */
  listed: FleetAgent[]
}

/** In the page, over what is there already: as quick as one types. */
export function useFilter(agents: readonly FleetAgent[] = [], view: Area | undefined): FilterState {
  const [words, setWords] = useState('')
  const [technology, setTechnology] = useState<Technology[]>([])
  const [state, setState] = useState<AgentState[]>([])
  const [isInView, setInView] = useState(false)
  const [wanted] = useDebouncedValue(words.trim().toLowerCase(), 80)
  const fitting = useMemo(
    () =>
      agents.filter(
        (agent) =>
          (technology.length === 0 || technology.includes(agent.technology)) &&
          (state.length === 0 || state.includes(agent.state)) &&
          (wanted === '' || `${agent.ap_id} ${agent.name ?? ''}`.toLowerCase().includes(wanted)),
      ),
    [agents, technology, state, wanted],
  )
  const listed = useMemo(
    () => (isInView && view ? fitting.filter(({ position }) => isWithin(position, view)) : fitting),
    [fitting, isInView, view],
  )
  return {
    words,
    setWords,
    technology,
    setTechnology,
    state,
    setState,
    isInView,
    setInView,
    fitting,
    listed,
  }
}

export function Filter(filter: FilterState) {
  const { words, setWords, technology, setTechnology, state, setState, isInView, setInView, listed } = filter
  return (
    <Stack gap="sm" p="md">
      <TextInput
        aria-label="Search access points"
        placeholder="Search by id or name"
        leftSection={<IconSearch size={16} />}
        rightSection={
          words && <CloseButton size="sm" aria-label="Clear the search" onClick={() => setWords('')} />
        }
        value={words}
        onChange={({ currentTarget }) => setWords(currentTarget.value)}
      />
      <Group gap={6}>
        <Chip.Group multiple value={technology} onChange={setTechnology}>
          {technologies.map((each) => (
            <Chip key={each} value={each} size="xs" variant="outline">
              {each}
            </Chip>
          ))}
        </Chip.Group>
        <Chip.Group multiple value={state} onChange={setState}>
          {states.map((each) => (
            <Chip key={each} value={each} size="xs" variant="outline">
              {each}
            </Chip>
          ))}
        </Chip.Group>
        <Chip size="xs" variant="outline" checked={isInView} onChange={setInView}>
          on the map now
        </Chip>
      </Group>
      <Text size="xs" c="dimmed" role="status" className="figures">
        {listed.length.toLocaleString()} access {listed.length === 1 ? 'point' : 'points'}
      </Text>
    </Stack>
  )
}

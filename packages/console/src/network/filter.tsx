import type { FleetAgent } from '@manc/sdk'
import { Chip, CloseButton, Group, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useRouter, useSearch } from '@tanstack/react-router'
import { useEffect, useMemo, useRef, useState } from 'react'
import { type Area, isWithin } from '../fleet/area.ts'
import { formatCount } from '../format/number.ts'
import { states, technologies } from '../ui/theme.ts'
import { filterSearch, type NetworkFilter, parseFilter } from './filter-search.ts'

interface FilterState extends NetworkFilter {
  setWords: (words: string) => void
  change: (news: Partial<NetworkFilter>) => void
  /** What fits, for the map. */
  matching: FleetAgent[]
  /** Of these what the map shows, where only that is wanted: for the list. */
  listed: FleetAgent[]
}

/** In the page, over what is there already: as quick as one types. */
export function useFilter(agents: readonly FleetAgent[] = [], view: Area | undefined): FilterState {
  const { navigate, history } = useRouter()
  const search = useSearch({ from: '/inside/' })
  const wanted = useMemo(() => parseFilter({ ...search }), [search])
  const change = (news: Partial<NetworkFilter>) => {
    // Whoever has left since is not brought back.
    if (history.location.pathname !== '/') return
    void navigate({
      to: '/',
      search: (before) => filterSearch({ ...parseFilter({ ...before }), ...news }),
      hash: true,
      replace: true,
    })
  }
  const [words, setWords] = useWords(wanted.words, (typed) => change({ words: typed }))
  const [sought] = useDebouncedValue(words.trim().toLowerCase(), 80)
  const { technology, state, isInView } = wanted
  const matching = useMemo(
    () =>
      agents.filter(
        (agent) =>
          (technology.length === 0 || technology.includes(agent.technology)) &&
          (state.length === 0 || state.includes(agent.state)) &&
          (sought === '' || `${agent.ap_id} ${agent.name ?? ''}`.toLowerCase().includes(sought)),
      ),
    [agents, technology, state, sought],
  )
  const listed = useMemo(
    () => (isInView && view ? matching.filter(({ position }) => isWithin(position, view)) : matching),
    [matching, isInView, view],
  )
  return { ...wanted, words, setWords, change, matching, listed }
}

/** Typed here and then in the address; or changed there, by a link or a way back. */
function useWords(inAddress: string, onTyped: (words: string) => void) {
  const [words, setWords] = useState(inAddress)
  const [typed] = useDebouncedValue(words, 250)
  const told = useRef(inAddress)
  useEffect(() => {
    if (typed === told.current) return
    told.current = typed
    onTyped(typed)
  }, [typed])
  useEffect(() => {
    if (inAddress === told.current) return
    told.current = inAddress
    setWords(inAddress)
  }, [inAddress])
  return [words, setWords] as const
}

export function Filter(filter: FilterState) {
  const { words, setWords, technology, state, isInView, change, listed } = filter
  return (
    <Stack gap="sm" p="md">
      <TextInput
        aria-label="Search access points"
        placeholder="Search by ID or name"
        leftSection={<IconSearch size={16} />}
        rightSection={
          words && <CloseButton size="sm" aria-label="Clear search" onClick={() => setWords('')} />
        }
        value={words}
        onChange={({ currentTarget }) => setWords(currentTarget.value)}
      />
      <Group gap={6}>
        <Chip.Group multiple value={technology} onChange={(names) => change({ technology: names })}>
          {technologies.map((each) => (
            <Chip key={each} value={each} size="xs" variant="outline">
              {each}
            </Chip>
          ))}
        </Chip.Group>
        <Chip.Group multiple value={state} onChange={(names) => change({ state: names })}>
          {states.map((each) => (
            <Chip key={each} value={each} size="xs" variant="outline">
              {each}
            </Chip>
          ))}
        </Chip.Group>
        <Chip
          size="xs"
          variant="outline"
          checked={isInView}
          onChange={(isChecked) => change({ isInView: isChecked })}
        >
          In map view
        </Chip>
      </Group>
      <Text size="xs" c="dimmed" role="status" className="figures">
        {formatCount(listed.length, 'access point')}
      </Text>
    </Stack>
  )
}

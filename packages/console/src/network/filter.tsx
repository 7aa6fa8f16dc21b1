import { Chip, CloseButton, Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useRouter, useSearch } from '@tanstack/react-router'
import { useEffect, useMemo, useRef, useState } from 'react'
import { EmulatedField } from '../fleet/emulated-field.tsx'
import type { CellsQuery } from '../fleet/fleet.ts'
import { formatCount, formatNumber } from '../format/number.ts'
import { states, technologies } from '../ui/theme.ts'
import { filterSearch, type NetworkFilter, parseFilter } from './filter-search.ts'

interface FilterState extends NetworkFilter {
  setText: (text: string) => void
  change: (changes: Partial<NetworkFilter>) => void
  /** The request for access points that match. */
  query: CellsQuery
}

/** The filter in the address, and the request that it stands for. */
export function useFilter(): FilterState {
  const { navigate, history } = useRouter()
  const filter = useFilterSearch()
  const change = (changes: Partial<NetworkFilter>) => {
    // A debounced change must not navigate back after the user has left the page.
    if (history.location.pathname !== '/') return
    void navigate({
      to: '/',
      search: (before) => filterSearch({ ...parseFilter({ ...before }), ...changes }),
      hash: true,
      replace: true,
    })
  }
  const [text, setText] = useSearchText(filter.text, (typed) => change({ text: typed }))
  const [search] = useDebouncedValue(text.trim(), 120)
  const { technology, state, health, emulated } = filter
  const query = useMemo(
    () => ({
      ...(technology.length > 0 && { technology }),
      ...(state.length > 0 && { state }),
      ...(health.length > 0 && { health }),
      ...(search !== '' && { search }),
      emulated,
    }),
    [technology, state, health, search, emulated],
  )
  return { ...filter, text, setText, change, query }
}

/** The filter in the address. */
function useFilterSearch(): NetworkFilter {
  const search = useSearch({ from: '/inside/' })
  return useMemo(() => parseFilter({ ...search }), [search])
}

/** The search text: typed text is written to the address, and a changed address replaces the text. */
function useSearchText(inAddress: string, onTyped: (text: string) => void) {
  const [text, setText] = useState(inAddress)
  const [typed] = useDebouncedValue(text, 250)
  const lastSynced = useRef(inAddress)
  useEffect(() => {
    if (typed === lastSynced.current) return
    lastSynced.current = typed
    onTyped(typed)
  }, [typed])
  useEffect(() => {
    if (inAddress === lastSynced.current) return
    lastSynced.current = inAddress
    setText(inAddress)
  }, [inAddress])
  return [text, setText] as const
}

interface FilterProps extends FilterState {
  /** Number of access points in the list; undefined if it is not known yet. */
  listed: number | undefined
  /** … and of all that match, also outside of the view of the map. */
  matching: number | undefined
}

export function Filter(props: FilterProps) {
  const { text, setText, technology, state, isInView, emulated, sort, change, matching, listed } = props
  return (
    <Stack gap={6} px="md" py="sm">
      <TextInput
        aria-label="Search access points"
        placeholder="Search by ID or name"
        leftSection={<IconSearch size={16} />}
        rightSection={text && <CloseButton size="sm" aria-label="Clear search" onClick={() => setText('')} />}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
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
      <EmulatedField value={emulated} onChange={(value) => change({ emulated: value })} />
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Text size="xs" c="dimmed" role="status" className="figures">
          {listed !== undefined && formatCount(listed, 'access point')}
          {isInView &&
            listed !== undefined &&
            matching !== undefined &&
            listed < matching &&
            ` of ${formatNumber(matching)} in map view`}
        </Text>
        <SegmentedControl
          size="xs"
          aria-label="Sort order"
          value={sort}
          onChange={(value) => change({ sort: value })}
          data={[
            { value: 'health', label: 'By health' },
            { value: 'load', label: 'By load' },
          ]}
        />
      </Group>
    </Stack>
  )
}

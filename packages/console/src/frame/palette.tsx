import { useDebouncedValue, useHotkeys } from '@mantine/hooks'
import { Spotlight, spotlight } from '@mantine/spotlight'
import { IconAccessPoint, IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useActions } from './actions.ts'
import { useMe } from './me.ts'
import { pages } from './pages.ts'
import { useManc } from './session.tsx'

const mostFound = 8

/** Ctrl-K: to any page and any access point, and what one does most. */
export function Palette() {
  const [words, setWords] = useState('')
  const navigate = useNavigate()
  const manc = useManc()
  const me = useMe()
  const actions = useActions()
  const [search] = useDebouncedValue(words.trim(), 120)
  useHotkeys([['/', spotlight.open]])
  const { data: found = [] } = useQuery({
    queryKey: ['palette', search],
    enabled: search !== '',
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const agents = []
      for await (const agent of manc.fleet.agents({ search, pageSize: mostFound, signal }))
        if (agents.push(agent) >= mostFound) break
      return agents
    },
  })
  const fits = ({ label }: { label: string }) => label.toLowerCase().includes(words.trim().toLowerCase())
  const fitting = [
    ...pages
      .filter(({ adminsOnly }) => !adminsOnly || me.isAdmin)
      .map(({ to, label, icon }) => ({ label, icon, act: () => void navigate({ to }) })),
    ...actions,
  ].filter(fits)
  return (
    <Spotlight.Root
      query={words}
      onQueryChange={setWords}
      shortcut="mod + K"
      // In a field as well, which a chip is too. A slash is for typing there.
      tagsToIgnore={[]}
      scrollable
      maxHeight={480}
    >
      <Spotlight.Search
        placeholder="Search access points, pages and actions"
        leftSection={<IconSearch size={16} />}
      />
      <Spotlight.ActionsList>
        {fitting.map(({ label, icon: Icon, act }) => (
          <Spotlight.Action
            key={label}
            label={label}
            leftSection={<Icon size={18} stroke={1.6} />}
            onClick={act}
          />
        ))}
        {search !== '' &&
          found.map(({ ap_id, name, technology, state }) => (
            <Spotlight.Action
              key={ap_id}
              label={name ?? ap_id}
              description={`${technology}, ${state}${name ? ` · ${ap_id}` : ''}`}
              leftSection={<IconAccessPoint size={18} stroke={1.6} />}
              onClick={() => void navigate({ to: '/access-points/$apId', params: { apId: ap_id } })}
            />
          ))}
        {fitting.length === 0 && (search === '' || found.length === 0) && (
          <Spotlight.Empty>No matches</Spotlight.Empty>
        )}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  )
}

import { useDebouncedValue, useHotkeys } from '@mantine/hooks'
import { Spotlight, spotlight } from '@mantine/spotlight'
import { IconAccessPoint, IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useActions } from './actions.ts'
import { useCurrentUser } from './current-user.ts'
import { isFor, pages } from './pages.ts'
import { useManc } from './session.tsx'

const maxFound = 8

/** Ctrl-K: opens any page or access point, and runs common actions. */
export function CommandPalette() {
  const [text, setText] = useState('')
  const navigate = useNavigate()
  const manc = useManc()
  const me = useCurrentUser()
  const actions = useActions()
  const [search] = useDebouncedValue(text.trim(), 120)
  useHotkeys([['/', spotlight.open]])
  const { data: found = [] } = useQuery({
    queryKey: ['palette', search],
    enabled: search !== '',
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const agents = []
      for await (const agent of manc.fleet.agents({ search, pageSize: maxFound, signal }))
        if (agents.push(agent) >= maxFound) break
      return agents
    },
  })
  const matchesText = ({ label }: { label: string }) =>
    label.toLowerCase().includes(text.trim().toLowerCase())
  const matching = [
    ...pages
      .filter((page) => isFor(page, me))
      .map(({ to, label, icon }) => ({ label, icon, run: () => void navigate({ to }) })),
    ...actions,
  ].filter(matchesText)
  return (
    <Spotlight.Root
      query={text}
      onQueryChange={setText}
      shortcut="mod + K"
      // Also while an input has the focus, which includes chips. The slash key is not, since it is typed there.
      tagsToIgnore={[]}
      scrollable
      maxHeight={480}
    >
      <Spotlight.Search
        placeholder="Search access points, pages and actions"
        leftSection={<IconSearch size={16} />}
      />
      <Spotlight.ActionsList>
        {matching.map(({ label, icon: Icon, run }) => (
          <Spotlight.Action
            key={label}
            label={label}
            leftSection={<Icon size={18} stroke={1.6} />}
            onClick={run}
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
        {matching.length === 0 && (search === '' || found.length === 0) && (
          <Spotlight.Empty>No matches</Spotlight.Empty>
        )}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  )
}

import { Spotlight } from '@mantine/spotlight'
import { IconAccessPoint, IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useMe } from './me.ts'
import { pages } from './pages.ts'
import { useManc } from './session.tsx'

const mostFound = 8

/** Ctrl-K: to any page and any access point. */
export function Palette() {
  const [words, setWords] = useState('')
  const navigate = useNavigate()
  const manc = useManc()
  const me = useMe()
  const { data: found = [] } = useQuery({
    queryKey: ['palette', words],
    enabled: words.length > 0,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const agents = []
      for await (const agent of manc.fleet.agents({ search: words, signal }))
        if (agents.push(agent) >= mostFound) break
      return agents
    },
  })
  const fitting = pages.filter(
    ({ label, adminsOnly }) =>
      (!adminsOnly || me.isAdmin) && label.toLowerCase().includes(words.toLowerCase()),
  )
  return (
    <Spotlight.Root query={words} onQueryChange={setWords} shortcut={['mod + K', '/']}>
      <Spotlight.Search placeholder="An access point or a page" leftSection={<IconSearch size={16} />} />
      <Spotlight.ActionsList>
        {fitting.map(({ to, label, icon: Icon }) => (
          <Spotlight.Action
            key={to}
            label={label}
            leftSection={<Icon size={18} stroke={1.6} />}
            onClick={() => void navigate({ to })}
          />
        ))}
        {words !== '' &&
          found.map(({ ap_id, name, technology, state }) => (
            <Spotlight.Action
              key={ap_id}
              label={name ?? ap_id}
              description={`${technology}, ${state}${name ? ` · ${ap_id}` : ''}`}
              leftSection={<IconAccessPoint size={18} stroke={1.6} />}
              onClick={() => void navigate({ to: '/access-points/$apId', params: { apId: ap_id } })}
            />
          ))}
        {fitting.length + found.length === 0 && <Spotlight.Empty>Nothing like that.</Spotlight.Empty>}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  )
}

import { Group, Paper, SegmentedControl, Select, Stack, Text, Title } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useCurrentUser } from '../app/current-user.ts'
import { useManc } from '../app/session.tsx'
import { Snippet } from '../ui/snippet.tsx'
import { type Language, languages, type Task, type TaskName, tasks } from './examples.ts'

const maxOffered = 50

/** Code for common tasks, with the address of this controller filled in. */
export function CodeExamples() {
  const me = useCurrentUser()
  const [typed, setTyped] = useState('')
  const agents = useOffered(typed)
  const [chosen, setChosen] = useState<string | null>(null)
  const [name, setName] = useState<TaskName>('fleet')
  const [language, setLanguage] = useState<Language>('curl')
  const shown = (Object.entries(tasks) as [TaskName, Task][]).filter(
    ([, { operatorsOnly }]) => !operatorsOnly || me.isOperator,
  )
  const defaultAgent = agents.find(({ state }) => state === 'online') ?? agents[0]
  const apId = chosen ?? defaultAgent?.ap_id ?? 'wifi-1'
  const context = { url: location.origin, username: me.username ?? '', apId }
  const text = tasks[name].texts[language](context)
  return (
    <Paper withBorder p="lg">
      <Stack gap="md">
        <div>
          <Title order={2} size="h5">
            Code examples
          </Title>
          <Text size="sm" c="dimmed">
            Filled in with the address of this controller and the selected access point. Log in first: the
            login step sets $TOKEN.
          </Text>
        </div>
        <Group gap="md" align="flex-end">
          <Select
            label="Task"
            w={180}
            allowDeselect={false}
            data={shown.map(([value, { label }]) => ({ value, label }))}
            value={name}
            onChange={(value) => setName(value ?? 'fleet')}
          />
          <Select
            label="Access point"
            w={260}
            searchable
            onSearchChange={setTyped}
            // The controller has searched.
            filter={({ options }) => options}
            nothingFoundMessage="No matches"
            data={agents.map(({ ap_id, name: agentName }) => ({
              value: ap_id,
              label: agentName ? `${agentName} (${ap_id})` : ap_id,
            }))}
            value={agents.length > 0 ? apId : null}
            onChange={setChosen}
          />
          <SegmentedControl
            aria-label="Language"
            value={language}
            onChange={setLanguage}
            data={[...languages]}
          />
        </Group>
        <Snippet label={`${tasks[name].label} with ${language}`} text={text} />
      </Stack>
    </Paper>
  )
}

/** Some access points that match, or some of all. The text of the chosen one matches as well. */
function useOffered(typed: string) {
  const manc = useManc()
  const [search] = useDebouncedValue(typed.replace(/^.* \((.*)\)$/, '$1').trim(), 120)
  const { data = [] } = useQuery({
    queryKey: ['fleet', 'offered', search],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const agents = []
      for await (const agent of manc.fleet.agents({
        ...(search !== '' && { search }),
        pageSize: maxOffered,
        signal,
      }))
        if (agents.push(agent) >= maxOffered) break
      return agents
    },
  })
  return data
}

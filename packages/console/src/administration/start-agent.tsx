import { SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Snippet } from '../ui/snippet.tsx'
import {
  type AgentCredentials,
  idFor,
  mosquittoCommands,
  referenceAgentCommands,
  shellAgentCommands,
} from './start-commands.ts'

const kinds = {
  shell: { label: 'Shell agent', about: 'Needs a shell and curl. Run in a checkout of MANC:' },
  reference: { label: 'Reference agent', about: 'Needs Linux and Node.js. Run in a checkout of MANC:' },
  mqtt: { label: 'MQTT', about: 'Works with any MQTT client. Example with mosquitto_pub:' },
} as const
type Kind = keyof typeof kinds

const defaultBroker = () => `${location.hostname}:${location.protocol === 'https:' ? 8883 : 1883}`

/** Commands that start an agent with its new credentials. */
export function StartAgent(props: { credentials: AgentCredentials; configuration: Record<string, unknown> }) {
  const { credentials, configuration } = props
  const [kind, setKind] = useState<Kind>('shell')
  const [broker, setBroker] = useState(defaultBroker)
  const settings = { url: location.origin, broker, configuration }
  const offered = (Object.keys(kinds) as Kind[]).filter((each) => each !== 'mqtt' || 'apId' in credentials)
  const text =
    kind === 'mqtt' && 'apId' in credentials
      ? mosquittoCommands(credentials, settings)
      : kind === 'reference'
        ? referenceAgentCommands(credentials, settings)
        : shellAgentCommands(credentials, settings)
  return (
    <Stack gap="sm">
      <Text size="sm" fw={500}>
        Start the agent
      </Text>
      <SegmentedControl
        aria-label="Agent type"
        value={kind}
        onChange={setKind}
        data={offered.map((value) => ({ value, label: kinds[value].label }))}
      />
      <Text size="sm" c="dimmed">
        {kinds[kind].about}
      </Text>
      {'token' in credentials && idFor(credentials) !== undefined && (
        <Text size="sm">
          Each agent needs its own ID that matches {credentials.pattern}. Change {idFor(credentials)} for each
          further agent.
        </Text>
      )}
      {kind === 'mqtt' && (
        <TextInput
          label="Broker"
          description="Host and port at which agents reach the broker."
          value={broker}
          onChange={({ currentTarget }) => setBroker(currentTarget.value.trim())}
        />
      )}
      <Snippet label={`${kinds[kind].label} commands`} text={text} />
    </Stack>
  )
}

import { SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Snippet } from '../developers/snippet.tsx'
import { type Entrance, idFor, mosquitto, referenceAgent, shellAgent } from './agent-commands.ts'

const kinds = {
  shell: { label: 'Shell agent', about: 'Needs a shell and curl. Run in a checkout of MANC:' },
  reference: { label: 'Reference agent', about: 'Needs Linux and Node.js. Run in a checkout of MANC:' },
  mqtt: { label: 'MQTT', about: 'Works with any MQTT client. Example with mosquitto_pub:' },
} as const
type Kind = keyof typeof kinds

const standardBroker = () => `${location.hostname}:${location.protocol === 'https:' ? 8883 : 1883}`

/** How to start an agent with what was just made for it. */
export function AgentStart(props: { entrance: Entrance; configuration: Record<string, unknown> }) {
  const { entrance, configuration } = props
  const [kind, setKind] = useState<Kind>('shell')
  const [broker, setBroker] = useState(standardBroker)
  const setting = { url: location.origin, broker, configuration }
  const offered = (Object.keys(kinds) as Kind[]).filter((each) => each !== 'mqtt' || 'apId' in entrance)
  const text =
    kind === 'mqtt' && 'apId' in entrance
      ? mosquitto(entrance, setting)
      : kind === 'reference'
        ? referenceAgent(entrance, setting)
        : shellAgent(entrance, setting)
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
      {'token' in entrance && idFor(entrance) !== undefined && (
        <Text size="sm">
          Each agent needs its own ID that matches {entrance.pattern}. Change {idFor(entrance)} for each
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

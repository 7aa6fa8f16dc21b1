import { SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Snippet } from '../developers/snippet.tsx'
import { type Entrance, idFor, mosquitto, referenceAgent, shellAgent } from './agent-commands.ts'

const kinds = {
  shell: { label: 'Shell agent', about: 'A device with a shell and curl. In a checkout of MANC:' },
  reference: { label: 'Reference agent', about: 'A Linux machine with Node. In a checkout of MANC:' },
  mqtt: { label: 'MQTT', about: 'Any MQTT client, here mosquitto_pub:' },
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
        Start it
      </Text>
      <SegmentedControl
        aria-label="Kind of agent"
        value={kind}
        onChange={setKind}
        data={offered.map((value) => ({ value, label: kinds[value].label }))}
      />
      <Text size="sm" c="dimmed">
        {kinds[kind].about}
      </Text>
      {'token' in entrance && idFor(entrance) !== undefined && (
        <Text size="sm">
          Each device has an id of its own that fits {entrance.pattern}: change {idFor(entrance)} for the
          next.
        </Text>
      )}
      {kind === 'mqtt' && (
        <TextInput
          label="Broker"
          description="Where your agents reach it: host and port."
          value={broker}
          onChange={({ currentTarget }) => setBroker(currentTarget.value.trim())}
        />
      )}
      <Snippet label={`Commands for the ${kinds[kind].label}`} text={text} />
    </Stack>
  )
}

import type { FleetAgent, Technology } from '@manc/sdk'
import { Group, NumberInput, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useManc } from '../frame/session.tsx'
import { technologies } from '../frame/theme.ts'
import { AgentStart } from './agent-start.tsx'
import { announce } from './announce.tsx'
import { Credential } from './credential.tsx'
import { Dialog } from './dialog.tsx'
import { newSecret } from './new-secret.ts'
import { Question } from './question.tsx'

interface DialogProps {
  onClose: () => void
  onChanged: () => Promise<unknown>
}

interface Made {
  apId: string
  password: string
  configuration: Record<string, unknown>
}

export function RegisterAgent({ onClose, onChanged }: DialogProps) {
  const manc = useManc()
  const [apId, setApId] = useState('')
  const [name, setName] = useState('')
  const [technology, setTechnology] = useState<Technology>('WiFi')
  const [latitude, setLatitude] = useState<number | string>('')
  const [longitude, setLongitude] = useState<number | string>('')
  const [made, setMade] = useState<Made>()
  const [isAsked, setAsked] = useState(false)
  const hasPlace = typeof latitude === 'number' && typeof longitude === 'number'
  const isHalfAPlace = !hasPlace && (latitude !== '' || longitude !== '')
  const placeProblem = isAsked && isHalfAPlace ? 'Enter both coordinates or neither.' : null
  const configuration = {
    technology,
    ...(name.trim() !== '' && { name: name.trim() }),
    ...(hasPlace && { geolocation: { latitude, longitude } }),
  }
  if (made) return <NewPassword made={made} title={`${made.apId} registered`} onClose={onClose} />
  return (
    <Dialog
      title="Register access point"
      send="Register"
      onClose={onClose}
      isReady={() => {
        setAsked(true)
        return !isHalfAPlace
      }}
      onSend={async () => {
        const password = newSecret()
        await manc.agents.register({ ap_id: apId.trim(), password, configuration })
        setMade({ apId: apId.trim(), password, configuration })
        await onChanged()
      }}
    >
      <TextInput
        label="ID"
        description="Letters, digits, _, : and -; up to 64 characters. The ID cannot be changed later."
        required
        data-autofocus
        pattern="[A-Za-z0-9][A-Za-z0-9_:\-]{0,63}"
        title="Start with a letter or digit. Use letters, digits, _, : and -; up to 64 characters."
        value={apId}
        onChange={({ currentTarget }) => setApId(currentTarget.value)}
      />
      <Group grow align="flex-start">
        <Select
          label="Technology"
          data={[...technologies]}
          allowDeselect={false}
          value={technology}
          onChange={(value) => setTechnology(value as Technology)}
        />
        <TextInput
          label="Name"
          placeholder="Hall 2"
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
      </Group>
      <Group grow align="flex-start">
        <NumberInput
          label="Latitude"
          placeholder="51.4545"
          min={-90}
          max={90}
          value={latitude}
          onChange={setLatitude}
          error={placeProblem}
          hideControls
        />
        <NumberInput
          label="Longitude"
          placeholder="-2.5879"
          min={-180}
          max={180}
          value={longitude}
          onChange={setLongitude}
          error={placeProblem}
          hideControls
        />
      </Group>
    </Dialog>
  )
}

function NewPassword({ made, title, onClose }: { made: Made; title: string; onClose: () => void }) {
  const { apId, password, configuration } = made
  return (
    <Credential title={title} label={`Password for ${apId}`} secret={password} onClose={onClose}>
      <AgentStart entrance={{ apId, password }} configuration={configuration} />
    </Credential>
  )
}

export function ReplacePassword({ agent, onClose }: { agent: FleetAgent; onClose: () => void }) {
  const manc = useManc()
  const [made, setMade] = useState<Made>()
  const { ap_id: apId } = agent
  if (made) return <NewPassword made={made} title={`New password for ${apId}`} onClose={onClose} />
  return (
    <Question
      title={`Replace password of ${apId}?`}
      yes="Replace password"
      onYes={async () => {
        const password = newSecret()
        const { configuration } = await manc.agents.update(apId, { password })
        setMade({ apId, password, configuration })
      }}
      onLeave={onClose}
    >
      The current password stops working immediately. The agent is disconnected until it is configured with
      the new password.
    </Question>
  )
}

export function RemoveAgent({ agent, onClose, onChanged }: DialogProps & { agent: FleetAgent }) {
  const manc = useManc()
  const { ap_id: apId, name } = agent
  return (
    <Question
      title={`Remove ${name ?? apId}?`}
      yes={`Remove ${apId}`}
      onLeave={onClose}
      onYes={async () => {
        await manc.agents.remove(apId)
        await onChanged()
        announce(`${apId} removed.`)
        onClose()
      }}
    >
      The agent is disconnected. Its password and configuration are deleted permanently. Its measurements are
      kept, and are available again if an access point with the same ID is registered.
    </Question>
  )
}

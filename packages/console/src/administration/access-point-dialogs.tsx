import type { FleetAgent, Technology } from '@manc/sdk'
import { Group, NumberInput, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useManc } from '../app/session.tsx'
import { announce } from '../ui/announce.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { generateSecret } from '../ui/generate-secret.ts'
import { SecretDialog } from '../ui/secret-dialog.tsx'
import { technologies } from '../ui/theme.ts'
import { StartAgent } from './start-agent.tsx'

type Agent = Pick<FleetAgent, 'ap_id' | 'name'>

interface DialogProps {
  onClose: () => void
  onChanged: () => Promise<unknown>
}

interface Created {
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
  const [created, setCreated] = useState<Created>()
  const [isSubmitted, setSubmitted] = useState(false)
  const hasPosition = typeof latitude === 'number' && typeof longitude === 'number'
  const isPositionIncomplete = !hasPosition && (latitude !== '' || longitude !== '')
  const positionError = isSubmitted && isPositionIncomplete ? 'Enter both coordinates or neither.' : null
  const configuration = {
    technology,
    ...(name.trim() !== '' && { name: name.trim() }),
    ...(hasPosition && { geolocation: { latitude, longitude } }),
  }
  if (created) return <NewPassword created={created} title={`${created.apId} registered`} onClose={onClose} />
  return (
    <FormDialog
      title="Register access point"
      submitLabel="Register"
      onClose={onClose}
      isReady={() => {
        setSubmitted(true)
        return !isPositionIncomplete
      }}
      onSubmit={async () => {
        const password = generateSecret()
        await manc.agents.register({ ap_id: apId.trim(), password, configuration })
        setCreated({ apId: apId.trim(), password, configuration })
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
          error={positionError}
          hideControls
        />
        <NumberInput
          label="Longitude"
          placeholder="-2.5879"
          min={-180}
          max={180}
          value={longitude}
          onChange={setLongitude}
          error={positionError}
          hideControls
        />
      </Group>
    </FormDialog>
  )
}

function NewPassword({ created, title, onClose }: { created: Created; title: string; onClose: () => void }) {
  const { apId, password, configuration } = created
  return (
    <SecretDialog title={title} label={`Password for ${apId}`} secret={password} onClose={onClose}>
      <StartAgent credentials={{ apId, password }} configuration={configuration} />
    </SecretDialog>
  )
}

export function ReplacePassword({ agent, onClose }: { agent: Agent; onClose: () => void }) {
  const manc = useManc()
  const [created, setCreated] = useState<Created>()
  const { ap_id: apId } = agent
  if (created) return <NewPassword created={created} title={`New password for ${apId}`} onClose={onClose} />
  return (
    <ConfirmDialog
      title={`Replace password of ${apId}?`}
      confirmLabel="Replace password"
      onConfirm={async () => {
        const password = generateSecret()
        const { configuration } = await manc.agents.update(apId, { password })
        setCreated({ apId, password, configuration })
      }}
      onCancel={onClose}
    >
      The current password stops working immediately. The agent is disconnected until it is configured with
      the new password.
    </ConfirmDialog>
  )
}

export function RemoveAgent({ agent, onClose, onChanged }: DialogProps & { agent: Agent }) {
  const manc = useManc()
  const { ap_id: apId, name } = agent
  return (
    <ConfirmDialog
      title={`Remove ${name ?? apId}?`}
      confirmLabel={`Remove ${apId}`}
      onCancel={onClose}
      onConfirm={async () => {
        await manc.agents.remove(apId)
        await onChanged()
        announce(`${apId} removed.`)
        onClose()
      }}
    >
      The agent is disconnected. Its password and configuration are deleted permanently. Its measurements are
      kept, and are available again if an access point with the same ID is registered.
    </ConfirmDialog>
  )
}

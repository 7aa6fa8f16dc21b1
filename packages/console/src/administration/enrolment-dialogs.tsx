import type { EnrolmentToken, NewEnrolmentToken, Technology } from '@manc/sdk'
import { Group, NumberInput, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useManc } from '../app/session.tsx'
import { announce } from '../ui/announce.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { SecretDialog } from '../ui/secret-dialog.tsx'
import { technologies } from '../ui/theme.ts'
import { StartAgent } from './start-agent.tsx'

interface DialogProps {
  onClose: () => void
  onChanged: () => Promise<unknown>
}

const validities = [
  { value: '3600', label: '1 hour' },
  { value: '86400', label: '1 day' },
  { value: '604800', label: '7 days' },
  { value: '2592000', label: '30 days' },
  { value: '31536000', label: '1 year' },
]

export function CreateToken({ onClose, onChanged }: DialogProps) {
  const manc = useManc()
  const [pattern, setPattern] = useState('*')
  const [uses, setUses] = useState<number | string>(1)
  const [validS, setValidS] = useState('86400')
  const [technology, setTechnology] = useState<Technology>('WiFi')
  const [created, setCreated] = useState<NewEnrolmentToken>()
  if (created)
    return (
      <SecretDialog title="Token created" label="Enrolment token" secret={created.token} onClose={onClose}>
        <StartAgent
          credentials={{ token: created.token, pattern: created.ap_id_pattern }}
          configuration={{ technology }}
        />
      </SecretDialog>
    )
  return (
    <FormDialog
      title="Create enrolment token"
      submitLabel="Create"
      onClose={onClose}
      onSubmit={async () => {
        const request = { ap_id_pattern: pattern.trim(), max_uses: Number(uses), expires_in: Number(validS) }
        setCreated(await manc.enrolment.create(request))
        await onChanged()
      }}
    >
      <TextInput
        label="ID pattern"
        description="* matches any characters, for example wifi-*"
        required
        data-autofocus
        value={pattern}
        onChange={({ currentTarget }) => setPattern(currentTarget.value)}
      />
      <Group grow align="flex-start">
        <NumberInput
          label="Maximum uses"
          required
          min={1}
          max={100_000}
          allowDecimal={false}
          value={uses}
          onChange={setUses}
        />
        <Select
          label="Valid for"
          data={validities}
          allowDeselect={false}
          value={validS}
          onChange={(value) => setValidS(value ?? '86400')}
        />
      </Group>
      <Select
        label="Technology"
        description="Used in the start commands. The token itself is valid for any technology."
        data={[...technologies]}
        allowDeselect={false}
        value={technology}
        onChange={(value) => setTechnology(value as Technology)}
      />
    </FormDialog>
  )
}

export function RevokeToken({ token, onClose, onChanged }: DialogProps & { token: EnrolmentToken }) {
  const manc = useManc()
  return (
    <ConfirmDialog
      title={`Revoke token for ${token.ap_id_pattern}?`}
      confirmLabel="Revoke token"
      onCancel={onClose}
      onConfirm={async () => {
        await manc.enrolment.remove(token.id)
        await onChanged()
        announce(`Token for ${token.ap_id_pattern} revoked.`)
        onClose()
      }}
    >
      No further agents can register with this token. Agents already registered with it ({token.uses}) are
      kept.
    </ConfirmDialog>
  )
}

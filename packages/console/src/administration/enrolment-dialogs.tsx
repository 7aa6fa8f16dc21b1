import type { EnrolmentToken, NewEnrolmentToken, Technology } from '@manc/sdk'
import { Group, NumberInput, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useManc } from '../frame/session.tsx'
import { technologies } from '../frame/theme.ts'
import { AgentStart } from './agent-start.tsx'
import { announce } from './announce.tsx'
import { Credential } from './credential.tsx'
import { Dialog } from './dialog.tsx'
import { Question } from './question.tsx'

interface DialogProps {
  onClose: () => void
  onChanged: () => Promise<unknown>
}

const lives = [
  { value: '3600', label: '1 hour' },
  { value: '86400', label: '1 day' },
  { value: '604800', label: '7 days' },
  { value: '2592000', label: '30 days' },
  { value: '31536000', label: '1 year' },
]

export function MakeToken({ onClose, onChanged }: DialogProps) {
  const manc = useManc()
  const [pattern, setPattern] = useState('*')
  const [uses, setUses] = useState<number | string>(1)
  const [lifeS, setLifeS] = useState('86400')
  const [technology, setTechnology] = useState<Technology>('WiFi')
  const [made, setMade] = useState<NewEnrolmentToken>()
  if (made)
    return (
      <Credential title="Token created" label="Enrolment token" secret={made.token} onClose={onClose}>
        <AgentStart
          entrance={{ token: made.token, pattern: made.ap_id_pattern }}
          configuration={{ technology }}
        />
      </Credential>
    )
  return (
    <Dialog
      title="Create enrolment token"
      send="Create"
      onClose={onClose}
      onSend={async () => {
        const wish = { ap_id_pattern: pattern.trim(), max_uses: Number(uses), expires_in: Number(lifeS) }
        setMade(await manc.enrolment.create(wish))
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
          data={lives}
          allowDeselect={false}
          value={lifeS}
          onChange={(value) => setLifeS(value ?? '86400')}
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
    </Dialog>
  )
}

export function WithdrawToken({ token, onClose, onChanged }: DialogProps & { token: EnrolmentToken }) {
  const manc = useManc()
  return (
    <Question
      title={`Revoke token for ${token.ap_id_pattern}?`}
      yes="Revoke token"
      onLeave={onClose}
      onYes={async () => {
        await manc.enrolment.remove(token.id)
        await onChanged()
        announce(`Token for ${token.ap_id_pattern} revoked.`)
        onClose()
      }}
    >
      No further agents can register with this token. Agents already registered with it ({token.uses}) are
      kept.
    </Question>
  )
}

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
  { value: '3600', label: 'An hour' },
  { value: '86400', label: 'A day' },
  { value: '604800', label: 'A week' },
  { value: '2592000', label: '30 days' },
  { value: '31536000', label: 'A year' },
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
      <Credential title="The token is there" label="Enrolment token" secret={made.token} onClose={onClose}>
        <AgentStart
          entrance={{ token: made.token, pattern: made.ap_id_pattern }}
          configuration={{ technology }}
        />
      </Credential>
    )
  return (
    <Dialog
      title="Make an enrolment token"
      send="Make the token"
      onClose={onClose}
      onSend={async () => {
        const wish = { ap_id_pattern: pattern.trim(), max_uses: Number(uses), expires_in: Number(lifeS) }
        setMade(await manc.enrolment.create(wish))
        await onChanged()
      }}
    >
      <TextInput
        label="For which ids"
        description="A star stands for any characters: wifi-*"
        required
        data-autofocus
        value={pattern}
        onChange={({ currentTarget }) => setPattern(currentTarget.value)}
      />
      <Group grow align="flex-start">
        <NumberInput
          label="For how many devices"
          required
          min={1}
          max={100_000}
          allowDecimal={false}
          value={uses}
          onChange={setUses}
        />
        <Select
          label="Lives for"
          data={lives}
          allowDeselect={false}
          value={lifeS}
          onChange={(value) => setLifeS(value ?? '86400')}
        />
      </Group>
      <Select
        label="Technology"
        description="For the commands that start them. The token is for any."
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
      title={`Withdraw the token for ${token.ap_id_pattern}?`}
      yes="Withdraw the token"
      onLeave={onClose}
      onYes={async () => {
        await manc.enrolment.remove(token.id)
        await onChanged()
        announce(`The token for ${token.ap_id_pattern} is withdrawn.`)
        onClose()
      }}
    >
      No further device can register with it. Those that did ({token.uses}) stay.
    </Question>
  )
}

import type { TokenData } from '@manc/sdk'
import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { announce } from '../administration/announce.tsx'
import { Credential } from '../administration/credential.tsx'
import { Dialog } from '../administration/dialog.tsx'
import { PasswordField } from '../administration/password-field.tsx'
import { Question } from '../administration/question.tsx'
import { useManc } from '../frame/session.tsx'
import { passwordProblem } from './password.ts'
import { type Rank, readRoles, rolesOf } from './roles.ts'
import { RolesField } from './roles-field.tsx'

interface DialogProps {
  onClose: () => void
  /** The list is not what it was. */
  onChanged: () => Promise<unknown>
}

export function AddUser({ onClose, onChanged }: DialogProps) {
  const manc = useManc()
  const [username, setUsername] = useState('')
  const [password, setPassword] = usePassword()
  const [problem, setProblem] = useState<string | null>(null)
  const [isMade, setMade] = useState(false)
  const [rank, setRank] = useState<Rank>('user')
  const [labels, setLabels] = useState<string[]>([])
  const name = username.trim()
  if (isMade)
    return <NewPassword name={name} title={`${name} added`} password={password.text} onClose={onClose} />
  return (
    <Dialog
      title="Add user"
      send="Add"
      onClose={onClose}
      isReady={() => {
        setProblem(passwordProblem(password.text))
        return passwordProblem(password.text) === null
      }}
      onSend={async () => {
        await manc.users.create({
          username: name,
          password: password.text,
          roles: rolesOf(rank, labels),
        })
        setMade(password.isMade)
        await onChanged()
        if (password.isMade) return
        announce(`${name} added.`)
        onClose()
      }}
    >
      <TextInput
        label="E-mail"
        type="email"
        autoComplete="off"
        required
        data-autofocus
        value={username}
        onChange={({ currentTarget }) => setUsername(currentTarget.value)}
      />
      <PasswordField label="Password" value={password.text} onChange={setPassword} error={problem} />
      <RolesField rank={rank} labels={labels} onRank={setRank} onLabels={setLabels} />
    </Dialog>
  )
}

/** As it was typed, or made here. */
function usePassword() {
  const [password, setPassword] = useState({ text: '', isMade: false })
  return [password, (text: string, isMade: boolean) => setPassword({ text, isMade })] as const
}

interface NewPasswordProps {
  name: string
  title: string
  password: string
  onClose: () => void
}

/** One that was made here is nowhere else. */
const NewPassword = ({ name, title, password, onClose }: NewPasswordProps) => (
  <Credential title={title} label={`Password for ${name}`} secret={password} onClose={onClose} />
)

interface OfUser extends DialogProps {
  user: TokenData
}

export function ChangeRoles({ user, onClose, onChanged }: OfUser) {
  const manc = useManc()
  const before = readRoles(user.roles)
  const [rank, setRank] = useState(before.rank)
  const [labels, setLabels] = useState(before.labels)
  const name = user.username ?? ''
  const put = async (roles: string[]) => {
    await manc.users.update(name, { roles })
    await onChanged()
  }
  return (
    <Dialog
      title={`Roles of ${name}`}
      send="Save"
      onClose={onClose}
      onSend={async () => {
        await put(rolesOf(rank, labels))
        announce(`Roles of ${name} changed.`, () => put(user.roles.split(',')))
        onClose()
      }}
    >
      <RolesField rank={rank} labels={labels} onRank={setRank} onLabels={setLabels} />
    </Dialog>
  )
}

export function SetPassword({ user, onClose }: Omit<OfUser, 'onChanged'>) {
  const manc = useManc()
  const [password, setPassword] = usePassword()
  const [problem, setProblem] = useState<string | null>(null)
  const [isMade, setMade] = useState(false)
  const name = user.username ?? ''
  if (isMade)
    return (
      <NewPassword
        name={name}
        title={`New password for ${name}`}
        password={password.text}
        onClose={onClose}
      />
    )
  return (
    <Dialog
      title={`Set password for ${name}`}
      send="Set password"
      onClose={onClose}
      isReady={() => {
        setProblem(passwordProblem(password.text))
        return passwordProblem(password.text) === null
      }}
      onSend={async () => {
        await manc.users.update(name, { password: password.text })
        setMade(password.isMade)
        if (password.isMade) return
        announce(`Password of ${name} changed. All sessions are signed out.`)
        onClose()
      }}
    >
      <PasswordField label="New password" value={password.text} onChange={setPassword} error={problem} />
    </Dialog>
  )
}

export function RemoveUser({ user, onClose, onChanged }: OfUser) {
  const manc = useManc()
  const name = user.username ?? ''
  return (
    <Question
      title={`Remove ${name}?`}
      yes={`Remove ${name}`}
      onLeave={onClose}
      onYes={async () => {
        await manc.users.remove(name)
        await onChanged()
        announce(`${name} removed.`)
        onClose()
      }}
    >
      The account is deleted permanently and all its sessions end. Its audit log entries are kept.
    </Question>
  )
}

import type { TokenData } from '@manc/sdk'
import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useManc } from '../app/session.tsx'
import { passwordProblem } from '../auth/password.ts'
import { announce } from '../ui/announce.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { SecretDialog } from '../ui/secret-dialog.tsx'
import { type Role, readRoles, rolesOf } from './roles.ts'
import { RolesField } from './roles-field.tsx'

interface DialogProps {
  onClose: () => void
  /** Refreshes the list. */
  onChanged: () => Promise<unknown>
}

export function AddUser({ onClose, onChanged }: DialogProps) {
  const manc = useManc()
  const [username, setUsername] = useState('')
  const [password, setPassword] = usePassword()
  const [problem, setProblem] = useState<string | null>(null)
  const [isGenerated, setGenerated] = useState(false)
  const [role, setRole] = useState<Role>('user')
  const [labels, setLabels] = useState<string[]>([])
  const name = username.trim()
  if (isGenerated)
    return <NewPassword name={name} title={`${name} added`} password={password.text} onClose={onClose} />
  return (
    <FormDialog
      title="Add user"
      submitLabel="Add"
      onClose={onClose}
      isReady={() => {
        setProblem(passwordProblem(password.text))
        return passwordProblem(password.text) === null
      }}
      onSubmit={async () => {
        await manc.users.create({
          username: name,
          password: password.text,
          roles: rolesOf(role, labels),
        })
        setGenerated(password.isGenerated)
        await onChanged()
        if (password.isGenerated) return
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
      <RolesField role={role} labels={labels} onRole={setRole} onLabels={setLabels} />
    </FormDialog>
  )
}

/** Typed, or generated here. */
function usePassword() {
  const [password, setPassword] = useState({ text: '', isGenerated: false })
  return [password, (text: string, isGenerated: boolean) => setPassword({ text, isGenerated })] as const
}

interface NewPasswordProps {
  name: string
  title: string
  password: string
  onClose: () => void
}

/** Shows a generated password, which is stored nowhere else. */
const NewPassword = ({ name, title, password, onClose }: NewPasswordProps) => (
  <SecretDialog title={title} label={`Password for ${name}`} secret={password} onClose={onClose} />
)

interface UserDialogProps extends DialogProps {
  user: TokenData
}

export function ChangeRoles({ user, onClose, onChanged }: UserDialogProps) {
  const manc = useManc()
  const current = readRoles(user.roles)
  const [role, setRole] = useState(current.role)
  const [labels, setLabels] = useState(current.labels)
  const name = user.username ?? ''
  const save = async (roles: string[]) => {
    await manc.users.update(name, { roles })
    await onChanged()
  }
  return (
    <FormDialog
      title={`Roles of ${name}`}
      submitLabel="Save"
      onClose={onClose}
      onSubmit={async () => {
        await save(rolesOf(role, labels))
        announce(`Roles of ${name} changed.`, () => save(user.roles.split(',')))
        onClose()
      }}
    >
      <RolesField role={role} labels={labels} onRole={setRole} onLabels={setLabels} />
    </FormDialog>
  )
}

/** For other users: one's own password is changed on the account page. */
export function SetPassword({ user, onClose }: Omit<UserDialogProps, 'onChanged'>) {
  const manc = useManc()
  const [password, setPassword] = usePassword()
  const [problem, setProblem] = useState<string | null>(null)
  const [isGenerated, setGenerated] = useState(false)
  const name = user.username ?? ''
  if (isGenerated)
    return (
      <NewPassword
        name={name}
        title={`New password for ${name}`}
        password={password.text}
        onClose={onClose}
      />
    )
  return (
    <FormDialog
      title={`Set password for ${name}`}
      submitLabel="Set password"
      onClose={onClose}
      isReady={() => {
        setProblem(passwordProblem(password.text))
        return passwordProblem(password.text) === null
      }}
      onSubmit={async () => {
        await manc.users.update(name, { password: password.text })
        setGenerated(password.isGenerated)
        if (password.isGenerated) return
        announce(`Password of ${name} changed. All sessions are signed out.`)
        onClose()
      }}
    >
      <PasswordField label="New password" value={password.text} onChange={setPassword} error={problem} />
    </FormDialog>
  )
}

export function RemoveUser({ user, onClose, onChanged }: UserDialogProps) {
  const manc = useManc()
  const name = user.username ?? ''
  return (
    <ConfirmDialog
      title={`Remove ${name}?`}
      confirmLabel={`Remove ${name}`}
      onCancel={onClose}
      onConfirm={async () => {
        await manc.users.remove(name)
        await onChanged()
        announce(`${name} removed.`)
        onClose()
      }}
    >
      The account is deleted permanently and all its sessions end. Its audit log entries are kept.
    </ConfirmDialog>
  )
}

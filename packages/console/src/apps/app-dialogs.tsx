import type { ListedApp } from '@manc/sdk'
import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { announce } from '../administration/announce.tsx'
import { Credential } from '../administration/credential.tsx'
import { Dialog } from '../administration/dialog.tsx'
import { newSecret } from '../administration/new-secret.ts'
import { Question } from '../administration/question.tsx'
import { quoted } from '../developers/quoted.ts'
import { Snippet } from '../developers/snippet.tsx'
import { useManc } from '../frame/session.tsx'
import { newPermissions, readPermissions, writePermissions } from './permissions.ts'
import { PermissionsField } from './permissions-field.tsx'

interface DialogProps {
  onClose: () => void
  onChanged: () => Promise<unknown>
}

interface Made {
  name: string
  key: string
}

function NewKey({ made: { name, key }, title, onClose }: { made: Made; title: string; onClose: () => void }) {
  const logIn = `curl -s '${location.origin}/api/v1/token/?login_type=third_party_app' \\
  --data-urlencode ${quoted(`username=${name}`)} --data-urlencode ${quoted(`password=${key}`)}`
  return (
    <Credential title={title} label={`Key of ${name}`} secret={key} onClose={onClose}>
      <Snippet label="Log in with it" text={logIn} />
    </Credential>
  )
}

export function RegisterApp({ onClose, onChanged }: DialogProps) {
  const manc = useManc()
  const [name, setName] = useState('')
  const [permissions, setPermissions] = useState(newPermissions)
  const [made, setMade] = useState<Made>()
  if (made) return <NewKey made={made} title={`${made.name} is registered`} onClose={onClose} />
  return (
    <Dialog
      title="Register an application"
      send="Register it"
      onClose={onClose}
      onSend={async () => {
        const key = newSecret()
        await manc.apps.register({
          app_name: name.trim(),
          api_key: key,
          permissions: writePermissions(permissions),
        })
        setMade({ name: name.trim(), key })
        await onChanged()
      }}
    >
      <TextInput
        label="Name"
        description="Letters, digits, spaces, dots, _ and -, at most 64. It logs in with it."
        required
        data-autofocus
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <PermissionsField value={permissions} onChange={setPermissions} />
    </Dialog>
  )
}

type OfApp = DialogProps & { app: ListedApp }

export function ChangePermissions({ app, onClose, onChanged }: OfApp) {
  const manc = useManc()
  const { app_name: name } = app
  const [permissions, setPermissions] = useState(() => readPermissions(app.permissions))
  const put = async (wanted: Record<string, unknown>) => {
    await manc.apps.update(name, { permissions: wanted })
    await onChanged()
  }
  return (
    <Dialog
      title={`What ${name} may do`}
      send="Change it"
      onClose={onClose}
      onSend={async () => {
        await put(writePermissions(permissions, app.permissions))
        announce(`What ${name} may do is changed. It has to log in again.`, () => put(app.permissions))
        onClose()
      }}
    >
      <PermissionsField value={permissions} onChange={setPermissions} />
    </Dialog>
  )
}

export function ReplaceKey({ app: { app_name: name }, onClose }: Omit<OfApp, 'onChanged'>) {
  const manc = useManc()
  const [made, setMade] = useState<Made>()
  if (made) return <NewKey made={made} title={`A new key for ${name}`} onClose={onClose} />
  return (
    <Question
      title={`A new key for ${name}?`}
      yes="Replace the key"
      onLeave={onClose}
      onYes={async () => {
        const key = newSecret()
        await manc.apps.update(name, { api_key: key })
        setMade({ name, key })
      }}
    >
      The old one ends at once: the application is shut out until it has been given the new one.
    </Question>
  )
}

export function RemoveApp({ app: { app_name: name }, onClose, onChanged }: OfApp) {
  const manc = useManc()
  return (
    <Question
      title={`Remove ${name}?`}
      yes={`Remove ${name}`}
      onLeave={onClose}
      onYes={async () => {
        await manc.apps.remove(name)
        await onChanged()
        announce(`${name} is removed.`)
        onClose()
      }}
    >
      The application is shut out at once, and its key goes for good.
    </Question>
  )
}

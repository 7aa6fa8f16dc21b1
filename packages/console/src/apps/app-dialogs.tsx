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
    <Credential title={title} label={`API key for ${name}`} secret={key} onClose={onClose}>
      <Snippet label="Log in with this key" text={logIn} />
    </Credential>
  )
}

export function RegisterApp({ onClose, onChanged }: DialogProps) {
  const manc = useManc()
  const [name, setName] = useState('')
  const [permissions, setPermissions] = useState(newPermissions)
  const [made, setMade] = useState<Made>()
  if (made) return <NewKey made={made} title={`${made.name} registered`} onClose={onClose} />
  return (
    <Dialog
      title="Register application"
      send="Register"
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
        description="Letters, digits, spaces, dots, _ and -; up to 64 characters. Used as the user name at login."
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
      title={`Permissions of ${name}`}
      send="Save"
      onClose={onClose}
      onSend={async () => {
        await put(writePermissions(permissions, app.permissions))
        announce(`Permissions of ${name} changed. It must log in again.`, () => put(app.permissions))
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
  if (made) return <NewKey made={made} title={`New API key for ${name}`} onClose={onClose} />
  return (
    <Question
      title={`Replace API key of ${name}?`}
      yes="Replace key"
      onLeave={onClose}
      onYes={async () => {
        const key = newSecret()
        await manc.apps.update(name, { api_key: key })
        setMade({ name, key })
      }}
    >
      The current key stops working immediately. The application has no access until it is configured with the
      new key.
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
        announce(`${name} removed.`)
        onClose()
      }}
    >
      The application loses access immediately. Its key is deleted permanently.
    </Question>
  )
}

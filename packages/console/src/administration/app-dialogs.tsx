import type { ListedApp } from '@manc/sdk'
import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useManc } from '../app/session.tsx'
import { announce } from '../ui/announce.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { generateSecret } from '../ui/generate-secret.ts'
import { SecretDialog } from '../ui/secret-dialog.tsx'
import { shellQuote } from '../ui/shell-quote.ts'
import { CopyField, Snippet } from '../ui/snippet.tsx'
import { newPermissions, readPermissions, writePermissions } from './permissions.ts'
import { PermissionsField } from './permissions-field.tsx'

interface DialogProps {
  onClose: () => void
  onChanged: () => Promise<unknown>
}

interface Created {
  name: string
  key: string
}

function NewKey({
  created: { name, key },
  title,
  onClose,
}: {
  created: Created
  title: string
  onClose: () => void
}) {
  const logIn = `curl -s '${location.origin}/api/v1/token/?login_type=third_party_app' \\
  --data-urlencode ${shellQuote(`username=${name}`)} --data-urlencode ${shellQuote(`password=${key}`)}`
  return (
    <SecretDialog title={title} label={`API key for ${name}`} secret={key} onClose={onClose}>
      <Snippet label="Log in with this key" text={logIn} />
    </SecretDialog>
  )
}

export function RegisterApp({ onClose, onChanged }: DialogProps) {
  const manc = useManc()
  const [name, setName] = useState('')
  const [permissions, setPermissions] = useState(newPermissions)
  const [created, setCreated] = useState<Created>()
  if (created) return <NewKey created={created} title={`${created.name} registered`} onClose={onClose} />
  return (
    <FormDialog
      title="Register application"
      submitLabel="Register"
      onClose={onClose}
      onSubmit={async () => {
        const key = generateSecret()
        await manc.apps.register({
          app_name: name.trim(),
          api_key: key,
          permissions: writePermissions(permissions),
        })
        setCreated({ name: name.trim(), key })
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
      <CopyField label="Permissions as JSON" text={JSON.stringify(writePermissions(permissions), null, 2)} />
    </FormDialog>
  )
}

type AppDialogProps = DialogProps & { app: ListedApp }

export function ChangePermissions({ app, onClose, onChanged }: AppDialogProps) {
  const manc = useManc()
  const { app_name: name } = app
  const [permissions, setPermissions] = useState(() => readPermissions(app))
  const save = async (changed: Record<string, unknown>) => {
    await manc.apps.update(name, { permissions: changed })
    await onChanged()
  }
  return (
    <FormDialog
      title={`Permissions of ${name}`}
      submitLabel="Save"
      onClose={onClose}
      onSubmit={async () => {
        await save(writePermissions(permissions, app.permissions))
        announce(`Permissions of ${name} changed. It must log in again.`, () => save(app.permissions))
        onClose()
      }}
    >
      <PermissionsField value={permissions} onChange={setPermissions} />
      <CopyField
        label="Permissions as JSON"
        text={JSON.stringify(writePermissions(permissions, app.permissions), null, 2)}
      />
    </FormDialog>
  )
}

export function ReplaceKey({ app: { app_name: name }, onClose }: Omit<AppDialogProps, 'onChanged'>) {
  const manc = useManc()
  const [created, setCreated] = useState<Created>()
  if (created) return <NewKey created={created} title={`New API key for ${name}`} onClose={onClose} />
  return (
    <ConfirmDialog
      title={`Replace API key of ${name}?`}
      confirmLabel="Replace key"
      onCancel={onClose}
      onConfirm={async () => {
        const key = generateSecret()
        await manc.apps.update(name, { api_key: key })
        setCreated({ name, key })
      }}
    >
      The current key stops working immediately. The application has no access until it is configured with the
      new key.
    </ConfirmDialog>
  )
}

export function RemoveApp({ app: { app_name: name }, onClose, onChanged }: AppDialogProps) {
  const manc = useManc()
  return (
    <ConfirmDialog
      title={`Remove ${name}?`}
      confirmLabel={`Remove ${name}`}
      onCancel={onClose}
      onConfirm={async () => {
        await manc.apps.remove(name)
        await onChanged()
        announce(`${name} removed.`)
        onClose()
      }}
    >
      The application loses access immediately. Its key is deleted permanently.
    </ConfirmDialog>
  )
}

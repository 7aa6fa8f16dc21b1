import type { NotificationReceiver, NotificationReceiverCreate } from '@manc/sdk'
import { SegmentedControl, Stack, Switch, TagsInput, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useManc } from '../app/session.tsx'
import { withFieldErrors } from '../ui/field-errors.ts'
import { FormDialog } from '../ui/form-dialog.tsx'

interface ReceiverDialogProps {
  /** The receiver to change; without it, a new one. */
  receiver?: NotificationReceiver
  /** The secret is that of a new webhook. */
  onDone: (name: string, secret: string | null) => void
  onChanged: () => Promise<unknown>
  onClose: () => void
}

type Errors = Partial<Record<'name' | 'addresses' | 'url', string>>
const fields = { name: 'name', addresses: 'addresses', url: 'url' } as const

export function ReceiverDialog({ receiver, onDone, onChanged, onClose }: ReceiverDialogProps) {
  const manc = useManc()
  const [name, setName] = useState(receiver?.name ?? '')
  const [type, setType] = useState(receiver?.type ?? 'email')
  const [addresses, setAddresses] = useState(receiver?.addresses ?? [])
  const [url, setUrl] = useState(receiver?.url ?? '')
  const [isEnabled, setEnabled] = useState(receiver?.is_enabled ?? true)
  const [errors, setErrors] = useState<Errors>({})
  const save = async () => {
    const body: NotificationReceiverCreate = {
      name: name.trim(),
      type,
      ...(type === 'email' ? { addresses } : { url: url.trim() }),
      is_enabled: isEnabled,
    }
    const { notifications } = manc
    const request = receiver
      ? notifications.updateReceiver(receiver.id, body).then(() => null)
      : notifications.createReceiver(body).then(({ secret }) => secret)
    const secret = await withFieldErrors(request, fields, setErrors)
    await onChanged()
    onDone(body.name, secret)
  }
  return (
    <FormDialog
      title={receiver ? 'Edit receiver' : 'Add receiver'}
      submitLabel={receiver ? 'Save' : 'Add'}
      onClose={onClose}
      onSubmit={save}
      isReady={() => {
        const problems: Errors = {
          ...(name.trim() === '' && { name: 'Enter a name.' }),
          ...(type === 'email' &&
            addresses.length === 0 && { addresses: 'Enter an address, then press Enter.' }),
          ...(type === 'webhook' && url.trim() === '' && { url: 'Enter a URL.' }),
        }
        setErrors(problems)
        return Object.keys(problems).length === 0
      }}
    >
      {!receiver && (
        <Stack gap={4}>
          <Text size="sm" fw={500}>
            Type
          </Text>
          <SegmentedControl
            aria-label="Type"
            value={type}
            onChange={setType}
            data={[
              { value: 'email', label: 'E-mail' },
              { value: 'webhook', label: 'Webhook' },
            ]}
          />
        </Stack>
      )}
      <TextInput
        label="Name"
        required
        maxLength={100}
        data-autofocus
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        error={errors.name}
      />
      {type === 'email' ? (
        <TagsInput
          label="Addresses"
          description="Press Enter after each."
          required
          maxTags={20}
          value={addresses}
          onChange={setAddresses}
          error={errors.addresses}
        />
      ) : (
        <TextInput
          label="URL"
          description="Messages are posted there as JSON, with a signature. The secret is shown once."
          required
          type="url"
          maxLength={2000}
          placeholder="https://chat.example.org/hooks/alarms"
          value={url}
          onChange={({ currentTarget }) => setUrl(currentTarget.value)}
          error={errors.url}
        />
      )}
      {receiver && (
        <Switch
          label="Enabled"
          checked={isEnabled}
          onChange={({ currentTarget }) => setEnabled(currentTarget.checked)}
        />
      )}
    </FormDialog>
  )
}

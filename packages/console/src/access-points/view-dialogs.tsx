import type { View } from '@manc/sdk'
import { Checkbox, Group, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useManc } from '../app/session.tsx'
import { announce } from '../ui/announce.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { type TableState, viewOfState } from './table-search.ts'

interface SaveViewProps {
  table: TableState
  onSaved: (view: View) => Promise<unknown>
  onClose: () => void
}

export function SaveView({ table, onSaved, onClose }: SaveViewProps) {
  const manc = useManc()
  const [name, setName] = useState('')
  const [isShared, setShared] = useState(false)
  return (
    <FormDialog
      title="Save view"
      submitLabel="Save"
      onClose={onClose}
      isReady={() => name.trim() !== ''}
      onSubmit={async () => {
        const view = await manc.views.create({
          name: name.trim(),
          shared: isShared,
          ...viewOfState(table),
        })
        await onSaved(view)
        announce(`View ${view.name} saved.`)
        onClose()
      }}
    >
      <TextInput
        label="Name"
        required
        maxLength={80}
        data-autofocus
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <Group>
        <Checkbox
          label="Share with all users"
          checked={isShared}
          onChange={({ currentTarget }) => setShared(currentTarget.checked)}
        />
      </Group>
    </FormDialog>
  )
}

interface RenameViewProps {
  view: View
  onRename: (name: string) => Promise<unknown>
  onClose: () => void
}

/** The stored view keeps its columns, sort and filters. */
export function RenameView({ view, onRename, onClose }: RenameViewProps) {
  const [name, setName] = useState(view.name)
  return (
    <FormDialog
      title="Rename view"
      submitLabel="Rename"
      onClose={onClose}
      isReady={() => name.trim() !== ''}
      onSubmit={async () => {
        await onRename(name.trim())
        onClose()
      }}
    >
      <TextInput
        label="Name"
        required
        maxLength={80}
        data-autofocus
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
    </FormDialog>
  )
}

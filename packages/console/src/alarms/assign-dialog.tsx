import type { Alarm } from '@manc/sdk'
import { Select, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useCurrentUser } from '../app/current-user.ts'
import { useManc } from '../app/session.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'

interface AssignDialogProps {
  alarm: Alarm
  onAssign: (username: string) => Promise<unknown>
  onClose: () => void
}

/** Administrators choose from the users; operators, who may not list them, enter a name. */
export function AssignDialog({ alarm, onAssign, onClose }: AssignDialogProps) {
  const me = useCurrentUser()
  const [username, setUsername] = useState('')
  return (
    <FormDialog
      title="Assign alarm"
      submitLabel="Assign"
      isReady={() => username.trim() !== ''}
      onSubmit={async () => {
        await onAssign(username.trim())
        onClose()
      }}
      onClose={onClose}
    >
      <Text size="sm">
        {alarm.rule}: {alarm.ap_id}
      </Text>
      {me.isAdmin ? (
        <UserSelect value={username} onChange={setUsername} />
      ) : (
        <TextInput
          label="User"
          description="E-mail with which the user signs in."
          required
          data-autofocus
          maxLength={320}
          value={username}
          onChange={({ currentTarget }) => setUsername(currentTarget.value)}
        />
      )}
    </FormDialog>
  )
}

function UserSelect({ value, onChange }: { value: string; onChange: (username: string) => void }) {
  const manc = useManc()
  const users = useQuery({
    queryKey: ['administration', 'users'],
    queryFn: ({ signal }) => Array.fromAsync(manc.users.list({ signal })),
    staleTime: 30_000,
  })
  return (
    <Select
      label="User"
      required
      searchable
      data-autofocus
      limit={50}
      nothingFoundMessage={users.isPending ? 'Loading users…' : 'No user has this name.'}
      data={(users.data ?? []).flatMap(({ username }) => username ?? [])}
      value={value === '' ? null : value}
      onChange={(username) => onChange(username ?? '')}
      error={users.isError && 'The users could not be read. Close the dialog and try again.'}
    />
  )
}

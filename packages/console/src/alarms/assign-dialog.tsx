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

/** More users are not read: then a name is entered. */
const maxUsers = 1000

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
        <UserInput value={username} onChange={setUsername} />
      )}
    </FormDialog>
  )
}

interface UserFieldProps {
  value: string
  onChange: (username: string) => void
}

const UserInput = ({ value, onChange }: UserFieldProps) => (
  <TextInput
    label="User"
    description="E-mail with which the user signs in."
    required
    data-autofocus
    maxLength={320}
    value={value}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
)

function UserSelect({ value, onChange }: UserFieldProps) {
  const manc = useManc()
  const users = useQuery({
    queryKey: ['administration', 'users', 'names'],
    queryFn: async ({ signal }) => {
      const names: string[] = []
      for await (const { username } of manc.users.list({ signal }))
        if (username && names.push(username) > maxUsers) break
      return names
    },
    staleTime: 30_000,
  })
  if (users.data && users.data.length > maxUsers) return <UserInput value={value} onChange={onChange} />
  return (
    <Select
      label="User"
      required
      searchable
      data-autofocus
      limit={50}
      nothingFoundMessage={users.isPending ? 'Loading users…' : 'No user has this name.'}
      data={users.data ?? []}
      value={value === '' ? null : value}
      onChange={(username) => onChange(username ?? '')}
      error={users.isError && 'The users could not be read. Close the dialog and try again.'}
    />
  )
}

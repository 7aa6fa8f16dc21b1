import type { TokenData } from '@manc/sdk'
import { Badge } from '@mantine/core'
import { IconKey, IconShield, IconTrash, IconUser } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Entries, EntriesHead, Entry } from '../administration/entries.tsx'
import { useManc, useSession } from '../frame/session.tsx'
import { Failure, Loading } from '../frame/states.tsx'
import { rankWords, readRoles } from './roles.ts'
import { AddUser, ChangeRoles, RemoveUser, SetPassword } from './user-dialogs.tsx'

type Open = { what: 'add' } | { what: 'roles' | 'password' | 'remove'; user: TokenData }

const queryKey = ['administration', 'users']

export function Users() {
  const manc = useManc()
  const session = useSession()
  const client = useQueryClient()
  const [words, setWords] = useState('')
  const [open, setOpen] = useState<Open>()
  const users = useQuery({
    queryKey,
    queryFn: ({ signal }) => Array.fromAsync(manc.users.list({ signal })),
  })
  if (users.isPending) return <Loading what="users" />
  if (!users.data) return <Failure error={users.error} onRetry={() => void users.refetch()} />
  const found = users.data.filter(({ username, roles }) =>
    `${username} ${roles}`.toLowerCase().includes(words.trim().toLowerCase()),
  )
  const close = () => setOpen(undefined)
  const reread = () => client.invalidateQueries({ queryKey })
  return (
    <>
      <EntriesHead
        what="users"
        words={words}
        onWords={setWords}
        add="Add user"
        onAdd={() => setOpen({ what: 'add' })}
      />
      <Entries label="Users" items={found} keyOf={({ username }) => username ?? ''}>
        {(user) => (
          <Entry
            icon={<IconUser size={18} stroke={1.6} aria-hidden />}
            name={user.username ?? ''}
            about={user.username === session.username ? 'You' : undefined}
            facts={<RoleBadges roles={user.roles} />}
            acts={[
              {
                label: 'Change roles',
                icon: <IconShield size={14} />,
                run: () => setOpen({ what: 'roles', user }),
              },
              {
                label: 'Set password',
                icon: <IconKey size={14} />,
                run: () => setOpen({ what: 'password', user }),
              },
              {
                label: 'Remove',
                icon: <IconTrash size={14} />,
                isDangerous: true,
                run: () => setOpen({ what: 'remove', user }),
              },
            ]}
          />
        )}
      </Entries>
      {open?.what === 'add' && <AddUser onClose={close} onChanged={reread} />}
      {open?.what === 'roles' && <ChangeRoles user={open.user} onClose={close} onChanged={reread} />}
      {open?.what === 'password' && <SetPassword user={open.user} onClose={close} />}
      {open?.what === 'remove' && <RemoveUser user={open.user} onClose={close} onChanged={reread} />}
    </>
  )
}

function RoleBadges({ roles }: { roles: string }) {
  const { rank, labels } = readRoles(roles)
  return (
    <>
      {labels.map((label) => (
        <Badge key={label} variant="default" tt="none" fw={400}>
          {label}
        </Badge>
      ))}
      <Badge variant={rank === 'user' ? 'default' : 'light'} tt="none">
        {rankWords[rank].label}
      </Badge>
    </>
  )
}

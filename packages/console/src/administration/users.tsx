import type { TokenData } from '@manc/sdk'
import { Badge } from '@mantine/core'
import { IconKey, IconShield, IconTrash, IconUser } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { addUserHash, useDialogHash } from '../app/dialog-hash.ts'
import { useManc, useSession } from '../app/session.tsx'
import { RecordList, RecordListHeader, RecordRow } from '../ui/record-list.tsx'
import { Failure, Loading } from '../ui/states.tsx'
import { readRoles, roleTexts } from './roles.ts'
import { AddUser, ChangeRoles, RemoveUser, SetPassword } from './user-dialogs.tsx'

type Open = { what: 'add' } | { what: 'roles' | 'password' | 'remove'; user: TokenData }

const queryKey = ['administration', 'users']

export function Users() {
  const manc = useManc()
  const session = useSession()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [search, setSearch] = useState('')
  const [open, setOpen] = useState<Open>()
  const add = useDialogHash(addUserHash)
  const users = useQuery({
    queryKey,
    queryFn: ({ signal }) => Array.fromAsync(manc.users.list({ signal })),
  })
  if (users.isPending) return <Loading what="users" />
  if (!users.data) return <Failure error={users.error} onRetry={() => void users.refetch()} />
  const matches = users.data.filter(({ username, roles }) =>
    `${username} ${roles}`.toLowerCase().includes(search.trim().toLowerCase()),
  )
  const isOwn = ({ username }: TokenData) => username?.toLowerCase() === session.username?.toLowerCase()
  const close = () => {
    setOpen(undefined)
    add.clear()
  }
  const refresh = () => queryClient.invalidateQueries({ queryKey })
  return (
    <>
      <RecordListHeader
        what="users"
        search={search}
        onSearch={setSearch}
        add="Add user"
        onAdd={() => setOpen({ what: 'add' })}
      />
      <RecordList label="Users" items={matches} keyOf={({ username }) => username ?? ''}>
        {(user) => (
          <RecordRow
            icon={<IconUser size={18} stroke={1.6} aria-hidden />}
            name={user.username ?? ''}
            subtitle={isOwn(user) ? 'You' : undefined}
            details={<RoleBadges roles={user.roles} />}
            actions={[
              {
                label: 'Change roles',
                icon: <IconShield size={14} />,
                run: () => setOpen({ what: 'roles', user }),
              },
              {
                label: 'Set password',
                icon: <IconKey size={14} />,
                run: () =>
                  isOwn(user) ? void navigate({ to: '/account' }) : setOpen({ what: 'password', user }),
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
      </RecordList>
      {(open?.what === 'add' || add.isAsked) && <AddUser onClose={close} onChanged={refresh} />}
      {open?.what === 'roles' && <ChangeRoles user={open.user} onClose={close} onChanged={refresh} />}
      {open?.what === 'password' && <SetPassword user={open.user} onClose={close} />}
      {open?.what === 'remove' && <RemoveUser user={open.user} onClose={close} onChanged={refresh} />}
    </>
  )
}

function RoleBadges({ roles }: { roles: string }) {
  const { role, labels } = readRoles(roles)
  return (
    <>
      {labels.map((label) => (
        <Badge key={label} variant="default" tt="none" fw={400}>
          {label}
        </Badge>
      ))}
      <Badge variant={role === 'user' ? 'default' : 'light'} tt="none">
        {roleTexts[role].label}
      </Badge>
    </>
  )
}

import type { ListedApp } from '@manc/sdk'
import { Badge } from '@mantine/core'
import { IconApps, IconKey, IconShield, IconTrash } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useManc } from '../app/session.tsx'
import { AppStateBadge } from '../developers/applications-card.tsx'
import { RecordList, RecordListHeader, RecordRow } from '../ui/record-list.tsx'
import { Empty, Failure, Loading } from '../ui/states.tsx'
import { ChangePermissions, RegisterApp, RemoveApp, ReplaceKey } from './app-dialogs.tsx'
import { readPermissions } from './permissions.ts'

type Open = { what: 'register' } | { what: 'permissions' | 'key' | 'remove'; app: ListedApp }

const queryKey = ['administration', 'apps']

export function Apps() {
  const manc = useManc()
  const queryClient = useQueryClient()
  const [search, setSearch] = useState('')
  const [open, setOpen] = useState<Open>()
  const apps = useQuery({
    queryKey,
    queryFn: ({ signal }) => Array.fromAsync(manc.apps.list({ signal })),
  })
  if (apps.isPending) return <Loading what="applications" />
  if (!apps.data) return <Failure error={apps.error} onRetry={() => void apps.refetch()} />
  const matches = apps.data.filter(({ app_name }) =>
    app_name.toLowerCase().includes(search.trim().toLowerCase()),
  )
  const close = () => setOpen(undefined)
  const refresh = () => queryClient.invalidateQueries({ queryKey })
  return (
    <>
      <RecordListHeader
        what="applications"
        search={search}
        onSearch={setSearch}
        add="Register application"
        onAdd={() => setOpen({ what: 'register' })}
      />
      {apps.data.length === 0 ? (
        <Empty title="No applications">
          Applications use the API with their own key and permissions. Register one.
        </Empty>
      ) : (
        <RecordList label="Applications" items={matches} keyOf={({ id }) => id}>
          {(app) => (
            <RecordRow
              icon={<IconApps size={18} stroke={1.6} aria-hidden />}
              name={app.app_name}
              subtitle={aboutOf(app)}
              details={
                <>
                  <AppStateBadge app={app} />
                  {readPermissions(app).scopes.map((scope) => (
                    <Badge key={scope} variant="default" tt="none" fw={400}>
                      {scope}
                    </Badge>
                  ))}
                </>
              }
              actions={[
                {
                  label: 'Change permissions',
                  icon: <IconShield size={14} />,
                  run: () => setOpen({ what: 'permissions', app }),
                },
                {
                  label: 'Replace key',
                  icon: <IconKey size={14} />,
                  run: () => setOpen({ what: 'key', app }),
                },
                {
                  label: 'Remove',
                  icon: <IconTrash size={14} />,
                  isDangerous: true,
                  run: () => setOpen({ what: 'remove', app }),
                },
              ]}
            />
          )}
        </RecordList>
      )}
      {open?.what === 'register' && <RegisterApp onClose={close} onChanged={refresh} />}
      {open?.what === 'permissions' && (
        <ChangePermissions app={open.app} onClose={close} onChanged={refresh} />
      )}
      {open?.what === 'key' && <ReplaceKey app={open.app} onClose={close} />}
      {open?.what === 'remove' && <RemoveApp app={open.app} onClose={close} onChanged={refresh} />}
    </>
  )
}

function aboutOf(app: ListedApp): string {
  const { agents, priority } = readPermissions(app)
  const all = app.state === 'sandbox' ? 'all emulated access points' : 'all access points'
  const which = agents.length === 0 ? 'no access points' : agents.includes('*') ? all : agents.join(', ')
  return priority === 0 ? which : `${which}; priority ${priority}`
}

import type { ListedApp } from '@manc/sdk'
import { Anchor, Badge, Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useCurrentUser } from '../app/current-user.ts'
import { useManc } from '../app/session.tsx'
import { announce } from '../ui/announce.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { Failure, Loading } from '../ui/states.tsx'

const queryKey = ['administration', 'apps']
const maxShown = 20

/** The applications with their state, for administrators; what the sandbox is, for everyone. */
export function ApplicationsCard() {
  const me = useCurrentUser()
  return (
    <Paper withBorder p="lg" component="section" aria-label="Applications">
      <Stack gap="md">
        <div>
          <Title order={2} size="h5">
            Applications
          </Title>
          <Text size="sm" c="dimmed">
            Register a new application in the sandbox: it sees and commands emulated access points only. An
            administrator promotes it to production when it works.
          </Text>
        </div>
        {me.isAdmin && <Applications />}
      </Stack>
    </Paper>
  )
}

function Applications() {
  const manc = useManc()
  const queryClient = useQueryClient()
  const [promoted, setPromoted] = useState<ListedApp>()
  const apps = useQuery({
    queryKey,
    queryFn: ({ signal }) => Array.fromAsync(manc.apps.list({ signal })),
  })
  if (apps.isPending) return <Loading what="applications" />
  if (!apps.data) return <Failure error={apps.error} onRetry={() => void apps.refetch()} />
  const promote = async ({ app_name: name, permissions }: ListedApp) => {
    await manc.apps.update(name, { permissions: { ...permissions, sandbox: false } })
    await queryClient.invalidateQueries({ queryKey })
    announce(`${name} is in production. It must log in again.`)
    setPromoted(undefined)
  }
  return (
    <Stack gap="xs">
      {apps.data.length === 0 && <Text size="sm">No application is registered.</Text>}
      <Stack gap="xs" role="list" aria-label="Applications and their state">
        {apps.data.slice(0, maxShown).map((app) => (
          <Group key={app.id} gap="sm" role="listitem">
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {app.app_name}
            </Text>
            <AppStateBadge app={app} />
            {app.state === 'sandbox' && (
              <Button
                size="compact-xs"
                variant="default"
                aria-label={`Promote ${app.app_name}`}
                onClick={() => setPromoted(app)}
              >
                Promote
              </Button>
            )}
          </Group>
        ))}
      </Stack>
      <Anchor size="sm" renderRoot={(props) => <Link to="/administration/apps" {...props} />}>
        Register applications and change their permissions
      </Anchor>
      {promoted && (
        <ConfirmDialog
          title={`Promote ${promoted.app_name}?`}
          confirmLabel="Promote to production"
          onCancel={() => setPromoted(undefined)}
          onConfirm={() => promote(promoted)}
        >
          It gets access to the real access points that its permissions cover, with the same scopes.
        </ConfirmDialog>
      )}
    </Stack>
  )
}

export function AppStateBadge({ app }: { app: ListedApp }) {
  return (
    <Badge variant={app.state === 'sandbox' ? 'light' : 'default'} tt="none">
      {app.state === 'sandbox' ? 'Sandbox' : 'Production'}
    </Badge>
  )
}

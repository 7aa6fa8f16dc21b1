import type { NotificationReceiver, NotificationRoute } from '@manc/sdk'
import { Badge, Button } from '@mantine/core'
import { IconEdit, IconPlus, IconRoute, IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { scopeText } from '../alarms/alarm-texts.ts'
import { useManc } from '../app/session.tsx'
import { formatCount } from '../format/number.ts'
import { formatDuration } from '../format/time.ts'
import { announce } from '../ui/announce.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { RecordList, RecordRow } from '../ui/record-list.tsx'
import { Empty, Failure, Loading } from '../ui/states.tsx'
import { RouteDialog } from './route-dialog.tsx'
import { notificationsKey, useReceivers, useRoutes } from './use-notifications.ts'

type Open = { what: 'add' } | { what: 'edit' | 'delete'; route: NotificationRoute }

export function Routes() {
  const manc = useManc()
  const queryClient = useQueryClient()
  const receivers = useReceivers()
  const routes = useRoutes()
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const refresh = () => queryClient.invalidateQueries({ queryKey: notificationsKey })
  if (routes.isPending || receivers.isPending) return <Loading what="routes" />
  if (!routes.data) return <Failure error={routes.error} onRetry={() => void routes.refetch()} />
  // Without them it is not known where the routes lead.
  if (!receivers.data) return <Failure error={receivers.error} onRetry={() => void receivers.refetch()} />
  const known = receivers.data
  return (
    <>
      <Button
        style={{ alignSelf: 'flex-start' }}
        size="xs"
        leftSection={<IconPlus size={14} />}
        disabled={known.length === 0}
        onClick={() => setOpen({ what: 'add' })}
      >
        Add route
      </Button>
      {routes.data.length === 0 ? (
        <Empty title="No routes">
          {known.length === 0 ? 'Add a receiver first.' : 'No alarm is notified. Add a route to a receiver.'}
        </Empty>
      ) : (
        <RecordList label="Routes" items={routes.data} keyOf={({ id }) => id}>
          {(route) => (
            <RecordRow
              icon={<IconRoute size={18} stroke={1.6} aria-hidden />}
              name={`${route.name} → ${nameOf(known, route.receiver_id)}`}
              subtitle={routeText(route, known)}
              details={
                !route.is_enabled && (
                  <Badge variant="default" tt="none">
                    disabled
                  </Badge>
                )
              }
              actions={[
                { label: 'Edit', icon: <IconEdit size={14} />, run: () => setOpen({ what: 'edit', route }) },
                {
                  label: 'Delete',
                  icon: <IconTrash size={14} />,
                  isDangerous: true,
                  run: () => setOpen({ what: 'delete', route }),
                },
              ]}
            />
          )}
        </RecordList>
      )}
      {open?.what === 'add' && <RouteDialog receivers={known} onChanged={refresh} onClose={close} />}
      {open?.what === 'edit' && (
        <RouteDialog route={open.route} receivers={known} onChanged={refresh} onClose={close} />
      )}
      {open?.what === 'delete' && (
        <ConfirmDialog
          title={`Delete ${open.route.name}?`}
          confirmLabel="Delete route"
          onCancel={close}
          onConfirm={async () => {
            await manc.notifications.removeRoute(open.route.id)
            await refresh()
            announce(`${open.route.name} deleted.`)
            close()
          }}
        >
          Alarms that wait for a message of this route are not notified. Messages that are queued are sent.
        </ConfirmDialog>
      )}
    </>
  )
}

const nameOf = (receivers: readonly NotificationReceiver[], id: string | null): string =>
  receivers.find((receiver) => receiver.id === id)?.name ?? 'unknown receiver'

/** `critical, warning; All access points; escalates to On call after 30 min` */
function routeText(route: NotificationRoute, receivers: readonly NotificationReceiver[]): string {
  const { severities, rule_ids: rules, escalate_after_s: after, quiet_hours: quiet } = route
  return [
    severities.length === 0 ? 'all severities' : severities.join(', '),
    ...(rules.length > 0 ? [formatCount(rules.length, 'rule')] : []),
    scopeText(route),
    ...(after !== null
      ? [`escalates to ${nameOf(receivers, route.escalate_to)} after ${formatDuration(after * 1000)}`]
      : []),
    ...(quiet ? [`quiet from ${quiet.from} to ${quiet.to}`] : []),
  ].join('; ')
}

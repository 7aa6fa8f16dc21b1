import '../ui/record-list.css'
import type { NotificationDelivery } from '@manc/sdk'
import { Button, Center, Group, Paper, SegmentedControl, Stack, Text } from '@mantine/core'
import { IconCircleCheck, IconCircleX, IconClock } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useCurrentUser } from '../app/current-user.ts'
import { useManc } from '../app/session.tsx'
import { usePagedList } from '../app/use-paged-list.ts'
import { formatCount } from '../format/number.ts'
import { formatDateTime, formatRecentTime } from '../format/time.ts'
import { Timestamp } from '../format/timestamp.tsx'
import { Empty, Failure, Loading } from '../ui/states.tsx'

const pageSize = 25
const icons = { queued: IconClock, sent: IconCircleCheck, failed: IconCircleX }

/** The log of messages. Administrators send failed ones again. */
export function Deliveries() {
  const { status } = useSearch({ from: '/inside/alarms/notifications' })
  const manc = useManc()
  const me = useCurrentUser()
  const navigate = useNavigate()
  const [reads, setReads] = useState(0)
  const list = usePagedList<NotificationDelivery>(
    `${status} ${reads}`,
    (signal) => manc.notifications.deliveries({ ...(status && { status }), pageSize, signal }),
    pageSize,
  )
  const retry = useMutation({
    mutationFn: (id: string) => manc.notifications.retry(id),
    onSuccess: () => setReads((before) => before + 1),
  })
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="sm">
        <SegmentedControl
          size="xs"
          aria-label="Status of the messages"
          value={status ?? 'all'}
          onChange={(value) =>
            void navigate({
              to: '/alarms/notifications',
              search: value === 'all' ? {} : { status: value },
              replace: true,
              resetScroll: false,
            })
          }
          data={[
            { value: 'all', label: 'All' },
            { value: 'queued', label: 'Queued' },
            { value: 'sent', label: 'Sent' },
            { value: 'failed', label: 'Failed' },
          ]}
        />
        <Button size="xs" variant="default" onClick={() => setReads(reads + 1)}>
          Refresh
        </Button>
      </Group>
      {retry.isError && <Failure error={retry.error} />}
      {list.error !== undefined && <Failure error={list.error} onRetry={() => setReads(reads + 1)} />}
      {list.items.length > 0 && (
        <Paper withBorder role="list" aria-label="Deliveries, newest first">
          {list.items.map((delivery) => (
            <div key={delivery.id} role="listitem" className="entry">
              <DeliveryRow
                delivery={delivery}
                isBusy={retry.isPending && retry.variables === delivery.id}
                onRetry={me.isAdmin ? () => retry.mutate(delivery.id) : undefined}
              />
            </div>
          ))}
        </Paper>
      )}
      {list.isPending && <Loading what="deliveries" />}
      {list.isDone && list.items.length === 0 && list.error === undefined && (
        <Empty title="No messages">Messages appear here when an alarm matches a route.</Empty>
      )}
      {!list.isDone && !list.isPending && (
        <Center>
          <Button variant="default" onClick={list.more}>
            Show older messages
          </Button>
        </Center>
      )}
    </Stack>
  )
}

interface DeliveryRowProps {
  delivery: NotificationDelivery
  isBusy: boolean
  /** Undefined for users who may not send it again. */
  onRetry: (() => void) | undefined
}

function DeliveryRow({ delivery, isBusy, onRetry }: DeliveryRowProps) {
  const { status, attempts, error, route, next_attempt_at: next } = delivery
  const Icon = icons[status]
  return (
    <Group className="entry-line" px="md" py="sm" gap="sm" wrap="nowrap">
      <Icon
        size={16}
        aria-hidden
        style={{ flex: 'none' }}
        {...(status === 'failed' && { className: 'health-bad' })}
      />
      <div style={{ flex: 1, minWidth: 200 }}>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {delivery.subject}
        </Text>
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {route === null ? `Test of ${delivery.receiver}` : `${route} → ${delivery.receiver}`}
        </Text>
        {error !== null && (
          <Text
            size="xs"
            className={status === 'failed' ? 'health-bad' : undefined}
            style={{ overflowWrap: 'anywhere' }}
          >
            {error}
          </Text>
        )}
      </div>
      <Text size="xs" c="dimmed" className="figures entry-facts" ta="right" component="div">
        <Timestamp ms={Date.parse(delivery.created_at)} format={formatDateTime} />
        <br />
        {status}, {formatCount(attempts, 'attempt')}
        {status === 'queued' && next !== null && `, next at ${formatRecentTime(Date.parse(next))}`}
      </Text>
      {status === 'failed' && onRetry && (
        <Button variant="default" size="compact-sm" loading={isBusy} onClick={onRetry}>
          Send again
        </Button>
      )}
    </Group>
  )
}

import type { NetworkEvent } from '@manc/sdk'
import { Alert, Anchor, Button, Center, Group, Paper, Stack, Text, VisuallyHidden } from '@mantine/core'
import { IconPlugConnectedX } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useCurrentUser } from '../app/current-user.ts'
import { useSession } from '../app/session.tsx'
import { usePagedList } from '../app/use-paged-list.ts'
import { formatDateTime } from '../format/time.ts'
import { Timestamp } from '../format/timestamp.tsx'
import { isLive, isOngoing, periodOf, type TimeRange } from '../range/time-range.ts'
import { errorText } from '../ui/error-text.ts'
import '../ui/record-list.css'
import { Empty, Failure, Loading } from '../ui/states.tsx'
import { type EventFilter, isAboutClient } from './events-search.ts'
import { SeverityIcon } from './severity-icon.tsx'
import { useLiveEvents } from './use-live-events.ts'

const pageSize = 50

interface EventListProps {
  filter: EventFilter
  /** Undefined: any time. */
  range?: TimeRange | undefined
}

/** Events that match, newest first; new ones are added as they happen, unless the range is over. */
export function EventList({ filter, range }: EventListProps) {
  const { manc, signIns } = useSession()
  const [retries, setRetries] = useState(0)
  const key = JSON.stringify([filter, range, retries, signIns])
  const live = useLiveEvents(key, filter, !range || isOngoing(range, Date.now()))
  const earlier = usePagedList<NetworkEvent>(
    `${key} ${live.listKey}`,
    (signal) => manc.events.list({ ...filter, ...timesOf(range), signal, pageSize }),
    pageSize,
  )
  const shown = useMemo(() => {
    const known = new Set(earlier.items.map(({ id }) => id))
    const endMs = range && !isLive(range) ? range.toMs : Infinity
    const isNew = ({ id, at }: NetworkEvent) => !known.has(id) && Date.parse(at) <= endMs
    return [...live.events.filter(isNew), ...earlier.items]
  }, [live.events, earlier.items, range])
  const retry = () => setRetries(retries + 1)
  return (
    <Stack gap="md">
      {earlier.error !== undefined ? (
        <Failure error={earlier.error} onRetry={retry} />
      ) : (
        live.error !== undefined && <NotLive error={live.error} onRetry={retry} />
      )}
      {shown.length > 0 && (
        <Paper withBorder role="list" aria-label="Events, newest first">
          {shown.map((event) => (
            <div key={event.id} role="listitem" className="entry">
              <EventRow event={event} hasLink={filter.ap_id === undefined} />
            </div>
          ))}
        </Paper>
      )}
      {earlier.isPending && <Loading what="events" />}
      {earlier.isDone && shown.length === 0 && earlier.error === undefined && (
        <Empty title="No events">
          {range
            ? 'Nothing that matches has happened in this time range. Select a longer one.'
            : 'Nothing has happened that matches, or it was deleted after the retention time.'}
        </Empty>
      )}
      {!earlier.isDone && !earlier.isPending && (
        <Center>
          <Button variant="default" onClick={earlier.more}>
            Show older events
          </Button>
        </Center>
      )}
    </Stack>
  )
}

/** The list is complete up to the failure; later events are missing. */
function NotLive({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <Alert color="gray" title="Not live" icon={<IconPlugConnectedX size={18} aria-hidden />} role="status">
      <Stack gap="sm" align="flex-start">
        <Text size="sm">New events are not shown. {errorText(error)}</Text>
        <Button size="xs" variant="default" onClick={onRetry}>
          Retry
        </Button>
      </Stack>
    </Alert>
  )
}

/** A live range has no end. */
function timesOf(range: TimeRange | undefined): { from?: Date; to?: Date } {
  if (!range) return {}
  const { fromMs, toMs } = periodOf(range, Date.now())
  return { from: new Date(fromMs), ...(!isLive(range) && { to: new Date(toMs) }) }
}

function EventRow({ event, hasLink }: { event: NetworkEvent; hasLink: boolean }) {
  const { at, kind, severity, text, ap_id: apId, subject } = event
  const me = useCurrentUser()
  return (
    <Group className="entry-line" px="md" py="sm" gap="sm" wrap="nowrap">
      <SeverityIcon severity={severity} />
      <Text size="xs" c="dimmed" className="figures" style={{ flex: 'none' }} component="span">
        <Timestamp ms={Date.parse(at)} format={formatDateTime} />
      </Text>
      <Text size="sm" style={{ flex: 1, minWidth: 200, overflowWrap: 'anywhere' }}>
        {text}
      </Text>
      {isAboutClient(kind) && subject !== null && (
        <Anchor
          size="sm"
          style={{ flex: 'none' }}
          renderRoot={(props) => <Link to="/clients/$clientId" params={{ clientId: subject }} {...props} />}
        >
          Client<VisuallyHidden> {subject}</VisuallyHidden>
        </Anchor>
      )}
      {kind === 'decision' && apId !== null && me.isOperator && (
        <Anchor
          size="sm"
          style={{ flex: 'none' }}
          renderRoot={(props) => <Link to="/decisions" search={{ ap: apId }} {...props} />}
        >
          Decisions<VisuallyHidden> about {apId}</VisuallyHidden>
        </Anchor>
      )}
      {hasLink && apId !== null && (
        <Anchor
          size="sm"
          style={{ flex: 'none' }}
          renderRoot={(props) => <Link to="/access-points/$apId" params={{ apId }} {...props} />}
        >
          Open<VisuallyHidden> {apId}</VisuallyHidden>
        </Anchor>
      )}
    </Group>
  )
}

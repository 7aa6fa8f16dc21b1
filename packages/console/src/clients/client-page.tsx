import '../access-point/access-point.css'
import { type Attachment, type Client, type ClientDetails, NotFound } from '@manc/sdk'
import { Button, Group, Paper, SegmentedControl, Stack, Text, Title } from '@mantine/core'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import { useCurrentUser } from '../app/current-user.ts'
import { formatNumber } from '../format/number.ts'
import { RangePicker } from '../range/range-picker.tsx'
import { type Period, periodOf, rangeText, type TimeRange } from '../range/time-range.ts'
import { useTimeRange } from '../range/use-time-range.ts'
import { Empty, Failure, Loading, useNow } from '../ui/states.tsx'
import { AttachmentTable } from './attachment-table.tsx'
import { ClientFacts, ClientHeader } from './client-facts.tsx'
import { ClientMap } from './client-map.tsx'
import { ClientMeasurement } from './client-measurement.tsx'
import { type LaneKind, type Move, movesOf, type Visit, visitsOf, within } from './client-path.ts'
import { pathText } from './client-texts.ts'
import { parseClientSearch } from './clients-search.ts'
import { MoveClient } from './move-client.tsx'
import { PathTimeline } from './path-timeline.tsx'
import { maxAttachments, useClient, useClientHistory } from './use-clients.ts'
import { useKnownAgents } from './use-known-agents.ts'

/** Without a range in the address. */
const usualRange = { lastS: 3600 } as const satisfies TimeRange
/** A live timeline moves by this part of its length. */
const steps = 1000

/** Where a client is attached, and its path through access points and technologies. */
export function ClientPage() {
  const { clientId } = useParams({ from: '/inside/clients/$clientId' })
  const client = useClient(clientId)
  if (client.error instanceof NotFound) return <ClientNotFound id={clientId} />
  if (client.isError && !client.data)
    return <Failure error={client.error} onRetry={() => void client.refetch()} />
  if (!client.data) return <Loading what="client" />
  // The key resets all state when another client is opened.
  return <Page key={clientId} client={client.data} updatedAt={client.dataUpdatedAt} />
}

function Page({ client, updatedAt }: { client: ClientDetails; updatedAt: number }) {
  const me = useCurrentUser()
  const picker = useTimeRange(usualRange)
  const { range } = picker
  const history = useClientHistory(client, range)
  const { period, visits } = useVisits(client, history.data?.history, range)
  const moves = useMemo(() => movesOf(visits).filter(({ atMs }) => within(period, atMs)), [visits, period])
  const agents = useKnownAgents([
    client.ap_id,
    ...Object.keys(client.measurement?.heard ?? {}),
    ...visits.map(({ apId }) => apId),
    ...moves.map(({ fromApId }) => fromApId),
  ])
  const nameOf = (apId: string) => agents.get(apId)?.name ?? apId
  return (
    <>
      <ClientHeader client={client} agent={agents.get(client.ap_id)} updatedAt={updatedAt}>
        <RangePicker {...picker} canPause />
      </ClientHeader>
      <div className="access-point">
        <Stack gap="lg">
          {history.isError && <Failure error={history.error} onRetry={() => void history.refetch()} />}
          {history.isPending ? (
            <Loading what="history" />
          ) : visits.length === 0 ? (
            <Empty title="Not attached">
              The client was not attached to any access point in {rangeText(range)}. Select a longer time
              range.
            </Empty>
          ) : (
            <>
              <Card title="Path" aside={<LanesField />}>
                <Path visits={visits} moves={moves} period={period} range={range} nameOf={nameOf} />
              </Card>
              <Card title="Attachments">
                {history.data?.isCut && (
                  <Text size="sm" role="status">
                    Only the newest {formatNumber(maxAttachments)} are shown. Select a shorter time range.
                  </Text>
                )}
                <AttachmentTable visits={visits} agents={agents} />
              </Card>
              <Card title="Map">
                <ClientMap visits={visits} moves={moves} agents={agents} />
              </Card>
            </>
          )}
        </Stack>
        <Stack gap="lg">
          <Card title={client.is_attached ? 'Attached to' : 'Last attached to'}>
            <ClientFacts client={client} agents={agents} />
          </Card>
          <Card title="Measurement">
            <ClientMeasurement
              measurement={client.measurement}
              isAttached={client.is_attached}
              agents={agents}
            />
          </Card>
          {me.isOperator && (
            <Card title="Move to another access point">
              <MoveClient client={client} agent={agents.get(client.ap_id)} nameOf={nameOf} />
            </Card>
          )}
        </Stack>
      </div>
    </>
  )
}

/** The attachments in the range. A live range moves in small steps, so that it is not drawn again all the time. */
function useVisits(client: Client, history: readonly Attachment[] | undefined, range: TimeRange) {
  const now = useNow()
  const { fromMs, toMs } = periodOf(range, now)
  const stepMs = Math.max(1000, (toMs - fromMs) / steps)
  // Not before now: an attachment that has just begun is shown.
  const nowMs = Math.ceil(now / stepMs) * stepMs
  return useMemo(() => {
    const period = periodOf(range, nowMs)
    return { period, visits: visitsOf(client, history ?? [], period, nowMs) }
  }, [client, history, range, nowMs])
}

interface PathProps {
  visits: readonly Visit[]
  moves: readonly Move[]
  period: Period
  range: TimeRange
  nameOf: (apId: string) => string
}

function Path({ visits, moves, period, range, nameOf }: PathProps) {
  const { lanes = 'technology' } = useSearch({ from: '/inside/clients/$clientId' })
  const text = pathText(visits, moves)
  return (
    <Stack gap="sm">
      <Text size="sm" className="figures">
        {text}
      </Text>
      <PathTimeline
        visits={visits}
        moves={moves}
        period={period}
        lanes={lanes}
        nameOf={nameOf}
        label={`${text}, ${rangeText(range)}. The table of attachments has the details.`}
      />
      <Text size="xs" c="dimmed">
        An arrow is a move to another access point, a line across a bar a move within its lane. A cross is a
        lost connection, a line at the end another reason.
      </Text>
    </Stack>
  )
}

/** What the lanes of the timeline are, in the address. */
function LanesField() {
  const { clientId } = useParams({ from: '/inside/clients/$clientId' })
  const { lanes = 'technology' } = useSearch({ from: '/inside/clients/$clientId' })
  const navigate = useNavigate()
  const change = (value: LaneKind) =>
    void navigate({
      to: '/clients/$clientId',
      params: { clientId },
      search: parseClientSearch({ lanes: value }),
      replace: true,
      resetScroll: false,
    })
  return (
    <SegmentedControl
      size="xs"
      aria-label="Lanes"
      value={lanes}
      onChange={change}
      data={[
        { value: 'technology', label: 'Technologies' },
        { value: 'access-point', label: 'Access points' },
      ]}
    />
  )
}

interface CardProps {
  title: string
  /** Beside the title. */
  aside?: ReactNode
  children: ReactNode
}

function Card({ title, aside, children }: CardProps) {
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Stack gap="sm">
        <Group justify="space-between" gap="sm">
          <Title order={2} size="h5">
            {title}
          </Title>
          {aside}
        </Group>
        {children}
      </Stack>
    </Paper>
  )
}

function ClientNotFound({ id }: { id: string }) {
  return (
    <Empty title={`Client ${id} not found`}>
      <Stack align="center" gap="md">
        <span>It was deleted after the retention time, or its emulation has ended. Check the ID.</span>
        <Button component={Link} to="/clients" variant="default">
          Go to clients
        </Button>
      </Stack>
    </Empty>
  )
}

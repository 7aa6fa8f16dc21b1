import './access-point.css'
import type { Agent, FleetAgent } from '@manc/sdk'
import { NotFound } from '@manc/sdk'
import { Button, Paper, Stack, Tabs, Title } from '@mantine/core'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useCurrentUser } from '../app/current-user.ts'
import { AgentClients } from '../clients/agent-clients.tsx'
import { CommandPanel } from '../commands/command-panel.tsx'
import { EventList } from '../events/event-list.tsx'
import { RangePicker } from '../range/range-picker.tsx'
import { usualRange } from '../range/time-range.ts'
import { useTimeRange } from '../range/use-time-range.ts'
import { AgentCharts } from '../telemetry/agent-charts.tsx'
import { Empty, Failure, Loading } from '../ui/states.tsx'
import { useAgent, useFleetAgent } from './access-point-data.ts'
import { type AccessPointSearch, namesIn, parseAccessPointSearch } from './access-point-search.ts'
import { Attributes } from './attributes.tsx'
import { ConfigurationPanel } from './configuration.tsx'
import { AccessPointHeader } from './header.tsx'
import { Neighbours } from './neighbours.tsx'
import { Rejections, RejectionsBadge } from './rejections.tsx'

/** Charts, clients, events, configuration, rejected data and commands of one access point. */
export function AccessPoint() {
  const { apId } = useParams({ from: '/inside/access-points/$apId' })
  const agent = useAgent(apId)
  const status = useFleetAgent(apId)
  if (agent.error instanceof NotFound || status.data === null) return <AccessPointNotFound apId={apId} />
  const failed = [agent, status].find(({ isError, data }) => isError && data === undefined)
  if (failed) return <Failure error={failed.error} onRetry={() => void failed.refetch()} />
  if (!agent.data || !status.data) return <Loading what="access point" />
  // The key resets all state when another access point is opened.
  return <Page key={apId} agent={agent.data} status={status.data} />
}

function Page({ agent, status }: { agent: Agent; status: FleetAgent }) {
  const me = useCurrentUser()
  const { tab = 'charts', metrics } = useSearch({ from: '/inside/access-points/$apId' })
  const navigate = useNavigate()
  // All events are shown unless a range is in the address.
  const ofCharts = useTimeRange(usualRange)
  const ofEvents = useTimeRange(undefined)
  const search = (changes: AccessPointSearch, replace: boolean) =>
    void navigate({
      to: '/access-points/$apId',
      params: { apId: agent.ap_id },
      search: (before) => parseAccessPointSearch({ ...before, ...changes }),
      replace,
      resetScroll: false,
    })
  const openTab = (value: string | null) =>
    search({ tab: (value ?? 'charts') as NonNullable<AccessPointSearch['tab']> }, false)
  const picker = tab === 'charts' ? ofCharts : ofEvents
  return (
    <>
      <AccessPointHeader agent={status}>
        {tab === 'charts' && <RangePicker {...picker} canPause />}
        {tab === 'events' && <RangePicker {...picker} anyTime="Any time" />}
      </AccessPointHeader>
      <div className="access-point">
        <Tabs value={tab} onChange={openTab} keepMounted={false}>
          <Tabs.List>
            <Tabs.Tab value="charts">Charts</Tabs.Tab>
            <Tabs.Tab value="clients">Clients</Tabs.Tab>
            <Tabs.Tab value="events">Events</Tabs.Tab>
            <Tabs.Tab value="configuration">Configuration</Tabs.Tab>
            <Tabs.Tab value="rejected" rightSection={<RejectionsBadge apId={agent.ap_id} />}>
              Rejected data
            </Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="charts">
            <AgentCharts
              agent={status}
              range={ofCharts.range}
              onRange={ofCharts.setRange}
              selected={metrics === undefined ? undefined : namesIn(metrics)}
              onSelect={(names) => search({ metrics: names.join(',') }, true)}
            />
          </Tabs.Panel>
          <Tabs.Panel value="clients" pt="md">
            <AgentClients apId={agent.ap_id} />
          </Tabs.Panel>
          <Tabs.Panel value="events" pt="md">
            <EventList filter={{ ap_id: agent.ap_id, emulated: 'all' }} range={ofEvents.range} />
          </Tabs.Panel>
          {/* Kept mounted, so that edits survive a change of tab. */}
          <Tabs.Panel value="configuration" keepMounted>
            <ConfigurationPanel agent={agent} />
          </Tabs.Panel>
          <Tabs.Panel value="rejected">
            <Rejections apId={agent.ap_id} />
          </Tabs.Panel>
        </Tabs>
        <Stack gap="lg">
          {me.isOperator && (
            <Card title="Commands">
              <CommandPanel agent={status} configuration={agent.configuration} />
            </Card>
          )}
          <Card title="Neighbours">
            <Neighbours agent={status} />
          </Card>
          <Card title="Details">
            <Attributes apId={agent.ap_id} configuration={agent.configuration} />
          </Card>
        </Stack>
      </div>
    </>
  )
}

function Card({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Stack gap="sm">
        <Title order={2} size="h5">
          {title}
        </Title>
        {children}
      </Stack>
    </Paper>
  )
}

function AccessPointNotFound({ apId }: { apId: string }) {
  return (
    <Empty title={`Access point ${apId} not found`}>
      <Stack align="center" gap="md">
        <span>It was removed, or its emulation has ended. Check the ID.</span>
        <Button component={Link} to="/" variant="default">
          Go to network
        </Button>
      </Stack>
    </Empty>
  )
}

import './access-point.css'
import type { Agent, FleetAgent } from '@manc/sdk'
import { NotFound } from '@manc/sdk'
import { Button, Paper, Stack, Tabs, Title } from '@mantine/core'
import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useCurrentUser } from '../app/current-user.ts'
import { CommandPanel } from '../commands/command-panel.tsx'
import { History } from '../telemetry/history.tsx'
import { LiveCharts } from '../telemetry/live-charts.tsx'
import { Empty, Failure, Loading } from '../ui/states.tsx'
import { useAgent, useFleetAgent } from './access-point-data.ts'
import { Attributes } from './attributes.tsx'
import { ConfigurationPanel } from './configuration.tsx'
import { AccessPointHeader } from './header.tsx'
import { Neighbours } from './neighbours.tsx'

/** What is this one doing, what did it do before, and how do I make it do something? */
export function AccessPoint() {
  const { apId } = useParams({ from: '/inside/access-points/$apId' })
  const agent = useAgent(apId)
  const standing = useFleetAgent(apId)
  if (agent.error instanceof NotFound || standing.data === null) return <NoSuchAgent apId={apId} />
  const failed = [agent, standing].find(({ isError, data }) => isError && data === undefined)
  if (failed) return <Failure error={failed.error} onRetry={() => void failed.refetch()} />
  if (!agent.data || !standing.data) return <Loading what="access point" />
  // Another access point is another page: nothing of the one before stays.
  return <Page key={apId} agent={agent.data} standing={standing.data} />
}

function Page({ agent, standing }: { agent: Agent; standing: FleetAgent }) {
  const me = useCurrentUser()
  return (
    <>
      <AccessPointHeader agent={standing} />
      <div className="access-point">
        <Tabs defaultValue="live" keepMounted={false}>
          <Tabs.List>
            <Tabs.Tab value="live">Live</Tabs.Tab>
            <Tabs.Tab value="history">History</Tabs.Tab>
            <Tabs.Tab value="configuration">Configuration</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="live">
            <LiveCharts agent={standing} />
          </Tabs.Panel>
          {/* What was read, and what is being written, is not lost with a look at another tab. */}
          <Tabs.Panel value="history" keepMounted>
            <History agent={standing} />
          </Tabs.Panel>
          <Tabs.Panel value="configuration" keepMounted>
            <ConfigurationPanel agent={agent} />
          </Tabs.Panel>
        </Tabs>
        <Stack gap="lg">
          {me.isOperator && (
            <Card title="Commands">
              <CommandPanel agent={standing} configuration={agent.configuration} />
            </Card>
          )}
          <Card title="Neighbours">
            <Neighbours agent={standing} />
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

function NoSuchAgent({ apId }: { apId: string }) {
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

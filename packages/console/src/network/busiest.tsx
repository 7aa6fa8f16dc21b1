import { levelOf } from '@manc/contract/kpis'
import type { EmulatedChoice, FleetAgent, FleetFigures, Technology } from '@manc/sdk'
import { Group, Progress, Stack, Text, UnstyledButton } from '@mantine/core'
import { useMemo } from 'react'
import { TechnologyIcon } from '../fleet/technology-icon.tsx'
import { formatCount } from '../format/number.ts'
import { levelColours } from '../telemetry/level-badge.tsx'
import { Empty, Failure, Loading } from '../ui/states.tsx'
import { useFleetFigures } from './fleet-figures.tsx'

interface BusiestProps {
  /** Access points that match the filter. */
  agents: readonly FleetAgent[]
  /** Selected technologies; empty means all. */
  technology: readonly Technology[]
  emulated: EmulatedChoice
  onOpen: (apId: string) => void
}

/** Access points with the highest load, highest first. */
export function Busiest({ agents, technology, emulated, onOpen }: BusiestProps) {
  const figures = useFleetFigures(emulated)
  const agentsById = useMemo(() => new Map(agents.map((agent) => [agent.ap_id, agent])), [agents])
  if (figures.isError && !figures.data)
    return <Failure error={figures.error} onRetry={() => void figures.refetch()} />
  if (!figures.data) return <Loading what="load" />
  const busiest = busiestOf(figures.data, technology)
  const matching = busiest.flatMap((each) => {
    const agent = agentsById.get(each.ap_id)
    return agent ? [{ ...each, agent }] : []
  })
  if (busiest.length === 0)
    return <Empty title="No load data">No access point has reported its load in the last 30 seconds.</Empty>
  if (matching.length === 0)
    return (
      <Empty title="No matches">
        Remove a filter or sort by health. Only the busiest access points are listed here.
      </Empty>
    )
  return (
    <Stack
      gap={0}
      component="ol"
      m={0}
      p={0}
      aria-label="Access points by load"
      style={{ listStyle: 'none' }}
    >
      {matching.map(({ ap_id: apId, load_pct: load, clients, agent }) => (
        <li key={apId}>
          <UnstyledButton w="100%" px="md" py={6} className="row" onClick={() => onOpen(apId)}>
            <Group gap="sm" wrap="nowrap">
              <TechnologyIcon technology={agent.technology} state={agent.state} />
              <Text size="sm" truncate style={{ flex: 1 }}>
                {agent.name ?? apId}
              </Text>
              <Text size="xs" c="dimmed" className="figures" style={{ whiteSpace: 'nowrap' }}>
                {clients === null ? '' : `${formatCount(clients, 'client')}, `}
                {load.toFixed(0)} % load
              </Text>
            </Group>
            <Progress value={load} size={4} mt={4} color={colourOfLoad(load)} aria-hidden />
          </UnstyledButton>
        </li>
      ))}
    </Stack>
  )
}

function colourOfLoad(load: number): string {
  const level = levelOf('load_pct', load)
  return level === 'degraded' || level === 'bad' ? levelColours[level] : 'gray.6'
}

function busiestOf(figures: FleetFigures, technology: readonly Technology[]): FleetFigures['busiest'] {
  if (technology.length === 0) return figures.busiest
  return figures.technologies
    .filter((each) => technology.includes(each.technology))
    .flatMap(({ busiest }) => busiest)
    .sort((a, b) => b.load_pct - a.load_pct)
    .slice(0, 10)
}

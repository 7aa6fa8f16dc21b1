import type { FleetAgent } from '@manc/sdk'
import { ActionIcon, Anchor, Group, Stack, Text, Tooltip } from '@mantine/core'
import { IconChartLine } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { toSearch } from '../compare/compare-search.ts'
import { TechnologyIcon } from '../fleet/technology-icon.tsx'
import { formatValue } from '../format/number.ts'
import { Failure, Loading } from '../ui/states.tsx'
import { useLoads, useNeighbours } from './access-point-data.ts'
import { formatDistance } from './distance.ts'

/** Nearby access points and their load. */
export function Neighbours({ agent }: { agent: FleetAgent }) {
  const neighbours = useNeighbours(agent)
  const near = neighbours.data ?? []
  const { data: loads } = useLoads(near.map(({ agent: { ap_id } }) => ap_id))
  if (!agent.position)
    return <Text size="sm">Set a geolocation in the configuration to see nearby access points.</Text>
  if (neighbours.isPending) return <Loading what="neighbours" />
  if (neighbours.isError && !neighbours.data)
    return <Failure error={neighbours.error} onRetry={() => void neighbours.refetch()} />
  if (near.length === 0) return <Text size="sm">No other access point within 300 km.</Text>
  return (
    <Stack gap="sm">
      {near.map(({ agent: { ap_id: apId, name, technology, state }, metres }) => (
        <Group key={apId} gap="sm" wrap="nowrap">
          <TechnologyIcon technology={technology} state={state} />
          <div style={{ flex: 1, minWidth: 0 }}>
            <Anchor
              renderRoot={(props) => <Link to="/access-points/$apId" params={{ apId }} {...props} />}
              size="sm"
              truncate
              display="block"
            >
              {name ?? apId}
            </Anchor>
            <Text size="xs" c="dimmed" className="figures">
              {formatDistance(metres)} away, {loadText(loads?.get(apId))}
            </Text>
          </div>
          <Tooltip label={`Compare with ${name ?? apId}`}>
            <ActionIcon
              renderRoot={(props) => (
                <Link to="/compare" search={toSearch({ agents: [agent.ap_id, apId] })} {...props} />
              )}
              size="sm"
              variant="subtle"
              aria-label={`Compare with ${name ?? apId}`}
            >
              <IconChartLine size={16} />
            </ActionIcon>
          </Tooltip>
        </Group>
      ))}
    </Stack>
  )
}

const loadText = (load: number | undefined): string =>
  load === undefined ? 'load unknown' : `${formatValue(load)} % load`

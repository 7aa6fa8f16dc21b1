import type { FleetAgent } from '@manc/sdk'
import { ActionIcon, Anchor, Group, Stack, Text, Tooltip } from '@mantine/core'
import { IconChartLine } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { formatValue } from '../format/number.ts'
import { Failure, Loading } from '../frame/states.tsx'
import { toSearch } from '../telemetry/compare-search.ts'
import { useLoads, useNeighbours } from './access-point-data.ts'
import { distanceInWords } from './access-point-near.ts'
import { Glyph } from './glyph.tsx'

/** Who else is around, and whether they have room. */
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
          <Glyph technology={technology} state={state} />
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
              {distanceInWords(metres)} away, {loadInWords(loads?.get(apId))}
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

const loadInWords = (load: number | undefined): string =>
  load === undefined ? 'load unknown' : `${formatValue(load)} % load`

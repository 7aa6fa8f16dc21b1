import type { FleetAgent } from '@manc/sdk'
import { Anchor, Badge, Button, Group, Stack, Text, Title } from '@mantine/core'
import { IconChartLine, IconMapPin } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { toSearch } from '../compare/compare-search.ts'
import { areaHash } from '../fleet/area.ts'
import { HealthBadge, HealthReasons } from '../fleet/health.tsx'
import { TechnologyIcon } from '../fleet/technology-icon.tsx'
import { formatAge } from '../format/time.ts'
import { useNow } from '../ui/states.tsx'
import { boxAround, type Position } from './distance.ts'
import { SilenceAccessPoint } from './silence-access-point.tsx'

/** Distance that the map shows around the access point. */
const mapMarginM = 200

function areaAround(position: Position): string {
  const { west, south, east, north } = boxAround(position, mapMarginM)
  return areaHash([west, south, east, north])
}

/** Name, technology, health, state and position. */
export function AccessPointHeader({ agent, children }: { agent: FleetAgent; children?: ReactNode }) {
  const now = useNow()
  const {
    ap_id: apId,
    name,
    technology,
    state,
    since,
    last_seen: lastSeen,
    position,
    health,
    reasons,
  } = agent
  return (
    <Group justify="space-between" align="flex-start" gap="md" px="lg" pt="md" pb="sm">
      <Stack gap={4} style={{ minWidth: 0 }}>
        <Group gap="sm" wrap="nowrap">
          <TechnologyIcon technology={technology} state={state} />
          <Title order={1} size="h4" style={{ overflowWrap: 'anywhere' }}>
            {name ?? apId}
          </Title>
          <Badge variant="default" radius="sm" tt="none" style={{ flex: 'none' }}>
            {technology}
          </Badge>
          <HealthBadge health={health} />
        </Group>
        {reasons.length > 0 && (
          <Text size="sm" className={`health-${health}`}>
            <HealthReasons reasons={reasons} />
          </Text>
        )}
        <Group gap="md">
          <Text
            size="sm"
            {...(state === 'offline' && { c: 'var(--mantine-color-error)' })}
            fw={600}
            className="figures"
          >
            {state} for {formatAge(now - Date.parse(since))}
          </Text>
          {lastSeen && (
            <Text size="sm" c="dimmed" className="figures">
              last seen {formatAge(now - Date.parse(lastSeen))} ago
            </Text>
          )}
          {name && (
            <Text size="sm" c="dimmed">
              {apId}
            </Text>
          )}
          {position ? (
            <Anchor component={Link} to="/" hash={areaAround(position)} size="sm" className="figures">
              <Group gap={4} wrap="nowrap">
                <IconMapPin size={14} aria-hidden />
                {position.latitude.toFixed(5)}, {position.longitude.toFixed(5)} · Show on map
              </Group>
            </Anchor>
          ) : (
            <Text size="sm" c="dimmed">
              Location not set
            </Text>
          )}
        </Group>
      </Stack>
      <Group gap="sm">
        {children}
        <SilenceAccessPoint agent={agent} />
        <Button
          renderRoot={(props) => <Link to="/compare" search={toSearch({ agents: [apId] })} {...props} />}
          size="xs"
          variant="default"
          leftSection={<IconChartLine size={14} />}
        >
          Compare
        </Button>
      </Group>
    </Group>
  )
}

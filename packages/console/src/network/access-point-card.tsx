import type { FleetAgent } from '@manc/sdk'
import { Anchor, CloseButton, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useManc } from '../app/session.tsx'
import { HealthBadge, HealthReasons } from '../fleet/health.tsx'
import { TechnologyIcon } from '../fleet/technology-icon.tsx'
import { formatWithUnit } from '../format/number.ts'
import { formatAge } from '../format/time.ts'
import { useNow } from '../ui/states.tsx'
import './access-point-card.css'

const figures = [
  { metric: 'clients', label: 'Clients', unit: '' },
  { metric: 'load_pct', label: 'Load', unit: '%' },
  { metric: 'throughput_mbps', label: 'Throughput', unit: 'Mbit/s' },
] as const

interface AccessPointCardProps {
  agent: FleetAgent
  /** Without it the card closes by itself. */
  onClose?: (() => void) | undefined
}

/** An access point on the map: health, reason, current figures, and a link to its page. */
export function AccessPointCard({ agent, onClose }: AccessPointCardProps) {
  const now = useNow()
  const { ap_id: apId, name, technology, state, since, health, reasons } = agent
  return (
    <Stack gap={6} className="access-point-card" role="group" aria-label={`Access point ${name ?? apId}`}>
      <Group gap={8} wrap="nowrap" align="flex-start">
        <TechnologyIcon technology={technology} state={state} />
        <Stack gap={0} style={{ flex: 1, minWidth: 0 }}>
          <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
            {name ?? apId}
          </Text>
          {name && (
            <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              {apId}
            </Text>
          )}
        </Stack>
        {onClose && <CloseButton size="sm" aria-label="Close card" onClick={onClose} />}
      </Group>
      <Group gap={6}>
        <HealthBadge health={health} />
        <Text size="xs" className={state === 'offline' ? 'figures health-offline' : 'figures'}>
          {technology}, {state} for {formatAge(now - Date.parse(since))}
        </Text>
      </Group>
      {reasons.length > 0 && (
        <Text size="xs" className={`health-${health}`}>
          <HealthReasons reasons={reasons} />
        </Text>
      )}
      <Figures apId={apId} />
      <Anchor
        size="sm"
        renderRoot={(props) => <Link to="/access-points/$apId" params={{ apId }} {...props} />}
      >
        Open details
      </Anchor>
    </Stack>
  )
}

function Figures({ apId }: { apId: string }) {
  const manc = useManc()
  const { data, isError } = useQuery({
    queryKey: ['access-point-card', apId],
    queryFn: async ({ signal }) => {
      const names = figures.map(({ metric }) => metric)
      const { series } = await manc.telemetry.chart(apId, names, { window: '2m', signal })
      return new Map(series.map(({ metric, points }) => [metric, points.at(-1)?.value]))
    },
    refetchInterval: 5000,
  })
  return (
    <dl className="access-point-figures figures">
      {figures.map(({ metric, label, unit }) => (
        <div key={metric}>
          <dt>{label}</dt>
          <dd>{data || isError ? formatWithUnit(data?.get(metric), unit) : '…'}</dd>
        </div>
      ))}
    </dl>
  )
}

import { Alert, Button, Divider, Group, Paper, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { TechnologyIcon } from '../fleet/technology-icon.tsx'
import { formatCompact, formatCount, formatNumber } from '../format/number.ts'
import { formatDuration, formatRecentMinute } from '../format/time.ts'
import { Timestamp } from '../format/timestamp.tsx'
import { useNow } from '../ui/states.tsx'
import { CodePanel } from './code-panel.tsx'
import { defaultSpreadM } from './locations.ts'
import { type EmulationRequest, emulatedTechnologies, estimateOf } from './request.ts'
import { scenarioTexts } from './scenarios.ts'

interface SummaryProps {
  request: EmulationRequest
  isBusy: boolean
  error: { title: string; text: string } | undefined
}

/** The request and the size of the emulation. */
export function Summary({ request, isBusy, error }: SummaryProps) {
  const { accessPoints, clients, samples } = estimateOf(request)
  const now = useNow()
  const durationMs = request.durationS * 1000
  return (
    <Paper withBorder p="lg" className="emulate-summary" component="section" aria-label="Summary">
      <Stack gap="md">
        <Title order={2} size="h5">
          Summary
        </Title>
        <Group gap="lg">
          {emulatedTechnologies
            .filter((technology) => request.counts[technology] > 0)
            .map((technology) => (
              <Group key={technology} gap={6} wrap="nowrap">
                <TechnologyIcon technology={technology} />
                <Text fz={20} fw={600} className="figures" component="span">
                  {formatNumber(request.counts[technology])}
                </Text>
                <Text size="sm" c="dimmed" component="span">
                  {technology}
                </Text>
              </Group>
            ))}
        </Group>
        <Divider />
        <Line label="Locations">{locationsText(request.locations)}</Line>
        <Line label="Spread">{request.spreadM === undefined ? 'Default' : `${request.spreadM} m`}</Line>
        <Line label="Radius">{radiusText(request)}</Line>
        <Line label="Scenario">{scenarioTexts[request.scenario].title}</Line>
        <Line label="Duration">
          {formatDuration(durationMs)}, until <Timestamp ms={now + durationMs} format={formatRecentMinute} />
        </Line>
        {request.seed.trim() !== '' && <Line label="Seed">{request.seed}</Line>}
        <Divider />
        <Line label="Clients">about {formatNumber(clients)}</Line>
        <Line label="Samples">
          {formatNumber(accessPoints)}/s, about {formatCompact(samples)} in total
        </Line>
        {error && (
          <Alert color="red" title={error.title} role="alert">
            {error.text}
          </Alert>
        )}
        <Button type="submit" size="md" loading={isBusy} disabled={accessPoints === 0} fullWidth>
          Emulate {formatCount(accessPoints, 'access point')}
        </Button>
        <Text size="xs" c="dimmed">
          The emulation stops when its duration is over. The access points are removed later; their
          measurements are kept.
        </Text>
        <CodePanel request={request} />
      </Stack>
    </Paper>
  )
}

function Line({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Group justify="space-between" wrap="nowrap" align="flex-start" gap="lg">
      <Text size="sm" c="dimmed" style={{ flex: 'none' }}>
        {label}
      </Text>
      <Text size="sm" ta="right" className="figures" style={{ overflowWrap: 'anywhere' }} component="div">
        {children}
      </Text>
    </Group>
  )
}

const locationsText = (locations: readonly string[]) =>
  locations.length === 0
    ? 'Not set'
    : locations.length <= 2
      ? locations.join(' and ')
      : `${locations.length} locations`

/** The distance of the farthest access point from its location. */
function radiusText({ counts, locations, spreadM }: EmulationRequest): string {
  const locationCount = Math.max(1, locations.length)
  const metres = emulatedTechnologies.map((technology) => {
    const n = Math.ceil(counts[technology] / locationCount)
    return n > 1 ? (spreadM ?? defaultSpreadM[technology]) * Math.sqrt(n - 1) : 0
  })
  const maxMetres = Math.max(...metres)
  return maxMetres >= 1000 ? `${(maxMetres / 1000).toFixed(1)} km` : `${Math.round(maxMetres)} m`
}

import { Alert, Button, Divider, Group, Paper, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { TechnologyIcon } from '../fleet/technology-icon.tsx'
import { formatCompact, formatCount, formatNumber } from '../format/number.ts'
import { formatDuration, formatRecentMinute } from '../format/time.ts'
import { Timestamp } from '../format/timestamp.tsx'
import { useNow } from '../ui/states.tsx'
import { CodePanel } from './code-panel.tsx'
import { defaultSpreadM } from './locations.ts'
import { estimateOf, kinds, type Wish } from './request.ts'
import { scenarioTexts } from './scenarios.ts'

interface SummaryProps {
  wish: Wish
  isBusy: boolean
  refusal: { title: string; text: string } | undefined
}

/** The whole request, and what it comes to. */
export function Summary({ wish, isBusy, refusal }: SummaryProps) {
  const { accessPoints, devices, samples } = estimateOf(wish)
  const now = useNow()
  const durationMs = wish.durationS * 1000
  return (
    <Paper withBorder p="lg" className="emulate-summary" component="section" aria-label="Summary">
      <Stack gap="md">
        <Title order={2} size="h5">
          Summary
        </Title>
        <Group gap="lg">
          {kinds
            .filter((kind) => wish.counts[kind] > 0)
            .map((kind) => (
              <Group key={kind} gap={6} wrap="nowrap">
                <TechnologyIcon technology={kind} />
                <Text fz={20} fw={600} className="figures" component="span">
                  {formatNumber(wish.counts[kind])}
                </Text>
                <Text size="sm" c="dimmed" component="span">
                  {kind}
                </Text>
              </Group>
            ))}
        </Group>
        <Divider />
        <Line label="Locations">{placesInWords(wish.places)}</Line>
        <Line label="Spread">{wish.spreadM === undefined ? 'Default' : `${wish.spreadM} m`}</Line>
        <Line label="Radius">{reachInWords(wish)}</Line>
        <Line label="Scenario">{scenarioTexts[wish.scenario].title}</Line>
        <Line label="Duration">
          {formatDuration(durationMs)}, until <Timestamp ms={now + durationMs} format={formatRecentMinute} />
        </Line>
        {wish.seed.trim() !== '' && <Line label="Seed">{wish.seed}</Line>}
        <Divider />
        <Line label="Clients">about {formatNumber(devices)}</Line>
        <Line label="Samples">
          {formatNumber(accessPoints)} per second, about {formatCompact(samples)} in total
        </Line>
        {refusal && (
          <Alert color="red" title={refusal.title} role="alert">
            {refusal.text}
          </Alert>
        )}
        <Button type="submit" size="md" loading={isBusy} disabled={accessPoints === 0} fullWidth>
          Emulate {formatCount(accessPoints, 'access point')}
        </Button>
        <Text size="xs" c="dimmed">
          The emulation stops when its duration is over. The access points are removed later; their
          measurements are kept.
        </Text>
        <CodePanel wish={wish} />
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

const placesInWords = (places: readonly string[]) =>
  places.length === 0 ? 'Not set' : places.length <= 2 ? places.join(' and ') : `${places.length} locations`

/** How far the farthest is from its place. */
function reachInWords({ counts, places, spreadM }: Wish): string {
  const at = Math.max(1, places.length)
  const metres = kinds.map((kind) => {
    const n = Math.ceil(counts[kind] / at)
    return n > 1 ? (spreadM ?? defaultSpreadM[kind]) * Math.sqrt(n - 1) : 0
  })
  const most = Math.max(...metres)
  return most >= 1000 ? `${(most / 1000).toFixed(1)} km` : `${Math.round(most)} m`
}

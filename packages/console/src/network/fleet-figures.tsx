import type { EmulatedChoice, FleetFigures, FleetSummary } from '@manc/sdk'
import { Group, Paper, SimpleGrid, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useManc } from '../app/session.tsx'
import { useFleetSummary } from '../fleet/fleet.ts'
import { troubles } from '../fleet/health.tsx'
import { TechnologyIcon } from '../fleet/technology-icon.tsx'
import { formatNumber } from '../format/number.ts'
import { Failure, useNow } from '../ui/states.tsx'
import './fleet-figures.css'

type Sums = Pick<FleetFigures, 'clients' | 'throughput_mbps' | 'power_w'>

const lateAfterMs = 20_000

/** One card with counts and sums for the fleet and for each technology. */
export function FleetCards({ emulated }: { emulated: EmulatedChoice }) {
  const summary = useFleetSummary(emulated)
  const figures = useFleetFigures(emulated)
  const now = useNow()
  if (summary.isError && !summary.data) return <Failure error={summary.error} />
  const { data } = summary
  const isLate = figures.data !== undefined && now - Date.parse(figures.data.as_of) > lateAfterMs
  const sumsOf = (technology: string) =>
    figures.data?.technologies.find((each) => each.technology === technology)
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }} spacing={{ base: 4, xs: 'sm' }} px="lg" pb="sm">
      <FleetCard
        label="Online"
        value={data?.online}
        of={data?.total}
        health={data?.health}
        sums={figures.data}
        isLate={isLate}
      />
      {data?.technologies
        .filter(({ technology, total }) => technology !== 'other' || total > 0)
        .map(({ technology, online, total, health }) => (
          <FleetCard
            key={technology}
            label={technology}
            value={online}
            of={total}
            health={health}
            technology={technology}
            sums={sumsOf(technology)}
            isLate={isLate}
          />
        ))}
    </SimpleGrid>
  )
}

/** Sums over the fleet, polled as often as the controller computes them. */
export function useFleetFigures(emulated: EmulatedChoice) {
  const manc = useManc()
  return useQuery({
    queryKey: ['fleet', 'figures', emulated],
    queryFn: ({ signal }) => manc.fleet.figures({ emulated, signal }),
    refetchInterval: 5000,
  })
}

interface FleetCardProps {
  label: string
  value: number | undefined
  of: number | undefined
  health: FleetSummary['health'] | undefined
  sums: Sums | undefined
  isLate: boolean
  technology?: Parameters<typeof TechnologyIcon>[0]['technology']
}

function FleetCard({ label, value, of, health, sums, isLate, technology }: FleetCardProps) {
  return (
    <Paper withBorder className="figure">
      <div className="figure-name">
        <Group gap={6} wrap="nowrap">
          {technology && <TechnologyIcon technology={technology} />}
          <Text size="xs" c="dimmed">
            {label}
          </Text>
        </Group>
        <Text className="figures figure-count" fw={600} component="p" m={0}>
          {numberText(value)}
          <Text span c="dimmed" size="sm">
            {' '}
            of {numberText(of)}
          </Text>
        </Text>
        {health && (
          <Text size="xs" component="div" className="figures figure-health">
            {troubles
              .filter((each) => health[each] > 0)
              .map((each) => (
                <span key={each} className={`health-${each}`}>
                  {numberText(health[each])} {each}
                </span>
              ))}
          </Text>
        )}
      </div>
      <Text component="div" className="figures figure-sums" {...(isLate && { c: 'dimmed' })}>
        <div>
          {numberText(sums?.clients)} {sums?.clients === 1 ? 'client' : 'clients'}
        </div>
        <div>{rateText(sums?.throughput_mbps)}</div>
        <div>{powerText(sums?.power_w)}</div>
      </Text>
    </Paper>
  )
}

type Value = number | null | undefined

const numberText = (value: Value, digits = 0) =>
  value === null || value === undefined ? '–' : formatNumber(value, digits)

const rateText = (mbps: Value) =>
  mbps && mbps >= 1000 ? `${numberText(mbps / 1000, 1)} Gbit/s` : `${numberText(mbps)} Mbit/s`

const powerText = (watts: Value) =>
  watts && watts >= 10_000 ? `${numberText(watts / 1000, 1)} kW` : `${numberText(watts)} W`

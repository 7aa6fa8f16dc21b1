import type { EmulatedChoice, FleetFigures, FleetSummary, FleetTrends, Health, Technology } from '@manc/sdk'
import { Group, Paper, SimpleGrid, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useManc } from '../app/session.tsx'
import { useFleetSummary } from '../fleet/fleet.ts'
import { troubles } from '../fleet/health.tsx'
import { TechnologyIcon } from '../fleet/technology-icon.tsx'
import { formatNumber } from '../format/number.ts'
import { Failure, useNow } from '../ui/states.tsx'
import './fleet-figures.css'
import { TrendFigure } from './trend-figure.tsx'

type Sums = Pick<FleetFigures, 'clients' | 'throughput_mbps' | 'power_w'>
type Trends = Pick<FleetTrends, keyof Sums>

const lateAfterMs = 20_000

interface FleetCardsProps {
  emulated: EmulatedChoice
  /** Shown on the map and in the list; empty means all. */
  technology: readonly Technology[]
  health: readonly Health[]
  onFilter: (changes: { technology: Technology[]; health: Health[] }) => void
}

/** One card with counts, sums and trends for the fleet and for each technology. Each count filters the map and the list. */
export function FleetCards({ emulated, technology, health, onFilter }: FleetCardsProps) {
  const summary = useFleetSummary(emulated)
  const figures = useFleetFigures(emulated)
  const trends = useFleetTrends(emulated)
  const now = useNow()
  if (summary.isError && !summary.data)
    return <Failure error={summary.error} onRetry={() => void summary.refetch()} />
  const { data } = summary
  const isLate = figures.data !== undefined && now - Date.parse(figures.data.as_of) > lateAfterMs
  const ofTechnology = <Each extends { technology: Technology }>(all: Each[] | undefined, name: Technology) =>
    all?.find((each) => each.technology === name)
  const filterTo = (name: Technology | undefined, wanted: readonly Health[]) => {
    const technologies = name === undefined ? [] : [name]
    const isShown = technologies.join() === technology.join() && wanted.join() === health.join()
    onFilter(isShown ? { technology: [], health: [] } : { technology: technologies, health: [...wanted] })
  }
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }} spacing={{ base: 4, xs: 'sm' }} px="lg" pb="sm">
      <FleetCard
        label="Online"
        counts={data}
        sums={figures.data}
        trends={trends.data}
        isLate={isLate}
        onFilter={(wanted) => filterTo(undefined, wanted)}
      />
      {data?.technologies
        .filter((each) => each.technology !== 'other' || each.total > 0)
        .map((counts) => (
          <FleetCard
            key={counts.technology}
            label={counts.technology}
            counts={counts}
            technology={counts.technology}
            sums={ofTechnology(figures.data?.technologies, counts.technology)}
            trends={ofTechnology(trends.data?.technologies, counts.technology)}
            isLate={isLate}
            onFilter={(wanted) => filterTo(counts.technology, wanted)}
          />
        ))}
    </SimpleGrid>
  )
}

/** Counts and sums of the last hour. The controller records them once a minute. */
function useFleetTrends(emulated: EmulatedChoice) {
  const manc = useManc()
  return useQuery({
    queryKey: ['fleet', 'trends', emulated],
    queryFn: ({ signal }) => manc.fleet.trends({ emulated, signal }),
    refetchInterval: 30_000,
  })
}

/** Sums over the fleet, polled as often as the controller computes them. */
function useFleetFigures(emulated: EmulatedChoice) {
  const manc = useManc()
  return useQuery({
    queryKey: ['fleet', 'figures', emulated],
    queryFn: ({ signal }) => manc.fleet.figures({ emulated, signal }),
    refetchInterval: 5000,
  })
}

interface FleetCardProps {
  label: string
  counts: Pick<FleetSummary, 'online' | 'total' | 'health'> | undefined
  sums: Sums | undefined
  trends: Trends | undefined
  isLate: boolean
  technology?: Technology
  /** Shows only access points of this card, of any health or of these. */
  onFilter: (health: readonly Health[]) => void
}

function FleetCard({ label, counts, sums, trends, isLate, technology, onFilter }: FleetCardProps) {
  const of = technology ? ` of ${technology}` : ''
  return (
    <Paper withBorder className="figure" component="section" aria-label={technology ?? 'All technologies'}>
      <div className="figure-name">
        <UnstyledButton className="figure-filter" onClick={() => onFilter([])}>
          <Group gap={6} wrap="nowrap">
            {technology && <TechnologyIcon technology={technology} />}
            <Text size="xs" c="dimmed">
              {label}
            </Text>
          </Group>
          <Text className="figures figure-count" fw={600} component="p" m={0}>
            {numberText(counts?.online)}
            <Text span c="dimmed" size="sm">
              {' '}
              of {numberText(counts?.total)}
            </Text>
          </Text>
          <VisuallyHidden>online. Show {technology ? `only ${technology}` : 'all'}</VisuallyHidden>
        </UnstyledButton>
        {counts && (
          <Text size="xs" component="div" className="figures figure-health">
            {troubles
              .filter((each) => counts.health[each] > 0)
              .map((each) => (
                <UnstyledButton
                  key={each}
                  className={`figure-filter health-${each}`}
                  onClick={() => onFilter([each])}
                  aria-label={`${numberText(counts.health[each])} ${each}${of}. Show only these`}
                >
                  {numberText(counts.health[each])} {each}
                </UnstyledButton>
              ))}
          </Text>
        )}
      </div>
      <Text component="div" className="figures figure-sums" {...(isLate && { c: 'dimmed' })}>
        <TrendFigure
          label={`Clients${of}`}
          text={`${numberText(sums?.clients)} ${sums?.clients === 1 ? 'client' : 'clients'}`}
          values={trends?.clients}
          format={(value) => numberText(value)}
        />
        <TrendFigure
          label={`Throughput${of}`}
          text={rateText(sums?.throughput_mbps)}
          values={trends?.throughput_mbps}
          format={rateText}
        />
        <TrendFigure
          label={`Power${of}`}
          text={powerText(sums?.power_w)}
          values={trends?.power_w}
          format={powerText}
        />
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

import type { EmulationNews, EmulatorSpec, FleetAgent, Job } from '@manc/sdk'
import { Box, Button, Group, Paper, SimpleGrid, Stack, Title } from '@mantine/core'
import { IconListCheck, IconMap2, IconRepeat } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useMemo } from 'react'
import { useManc } from '../app/session.tsx'
import { type Area, areaHash, areaOf } from '../fleet/area.ts'
import { formatNumber } from '../format/number.ts'
import { useReading } from '../jobs/job-readers.ts'
import { isEnded } from '../jobs/job-texts.ts'
import { useRequest } from '../jobs/use-jobs.ts'
import { Loading } from '../ui/states.tsx'
import { OnlineBar, Parts, StatusAlert, StatusLine } from './emulation-status.tsx'
import { type EmulationRequest, repeatedRequest, specsIn } from './request.ts'
import { type Count, countsOf, idFragmentOf, statusOf } from './status.ts'
import { StopEmulation } from './stop-emulation.tsx'
import { storedSpecs } from './stored-requests.ts'

const FleetMap = lazy(async () => ({ default: (await import('../map/fleet-map.tsx')).FleetMap }))

interface EmulationCardProps {
  job: Job
  /** Started on this page: shown with a map. */
  isNew: boolean
  onRepeat: (request: EmulationRequest) => void
}

/** One emulation with its progress. */
export function EmulationCard({ job, isNew, onRepeat }: EmulationCardProps) {
  const started = storedSpecs(job.job_number)
  const specs = specsIn(useRequest(job.job_number).data) ?? started
  const fleet = useAgentsOf(job)
  const reading = useReading(job.job_number)
  const status = statusOf((reading?.rows ?? []) as EmulationNews[])
  const navigate = useNavigate()
  const agents = fleet.data ?? []
  const counts = countsOf(agents, specs)
  const cells = useMemo(() => shownCells(fleet.data ?? []), [fleet.data])
  return (
    <Paper withBorder p="lg" component="section" aria-label={`Emulation ${titleOf(counts)}`}>
      <Stack gap="md">
        <Group justify="space-between" gap="sm" align="flex-start">
          <div>
            <Title order={3} size="h5">
              {titleOf(counts)}
            </Title>
            <StatusLine job={job} status={status} counts={counts} specs={specs} />
          </div>
          <Actions job={job} started={started} counts={counts} area={areaOf(agents)} onRepeat={onRepeat} />
        </Group>
        <StatusAlert job={job} />
        {!isEnded(job) && (
          <SimpleGrid cols={{ base: 1, md: Math.max(1, counts.length) }} spacing="xl" verticalSpacing="sm">
            {counts.map((count) => (
              <OnlineBar key={count.technology} {...count} />
            ))}
          </SimpleGrid>
        )}
        {status.parts.length > 1 && !isEnded(job) && <Parts parts={status.parts} />}
        {isNew && agents.length > 0 && !isEnded(job) && (
          <Box pos="relative" h={280} style={{ borderRadius: 6, overflow: 'hidden' }}>
            <Suspense fallback={<Loading what="map" />}>
              <FleetMap
                cells={cells}
                onSelect={(apId) =>
                  apId !== undefined && void navigate({ to: '/access-points/$apId', params: { apId } })
                }
              />
            </Suspense>
          </Box>
        )}
      </Stack>
    </Paper>
  )
}

interface ActionsProps {
  job: Job
  /** Of this browser: the controller does not store locations. */
  started: readonly EmulatorSpec[] | undefined
  counts: readonly Count[]
  area: Area | undefined
  onRepeat: (request: EmulationRequest) => void
}

function Actions({ job, started, counts, area, onRepeat }: ActionsProps) {
  return (
    <Group gap="sm">
      {!isEnded(job) && (
        <Button
          component={Link}
          to="/"
          {...(area && { hash: areaHash(area) })}
          size="xs"
          leftSection={<IconMap2 size={14} />}
        >
          Show on map
        </Button>
      )}
      {started && (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconRepeat size={14} />}
          onClick={() => onRepeat(repeatedRequest(started, job.job_number))}
        >
          Repeat with same seed
        </Button>
      )}
      <Button
        component={Link}
        to="/jobs"
        hash={job.job_number}
        size="xs"
        variant="default"
        leftSection={<IconListCheck size={14} />}
      >
        Open job
      </Button>
      {!isEnded(job) && (
        <StopEmulation
          jobNumber={job.job_number}
          name={counts.length > 0 ? `the emulation of ${titleOf(counts)}` : 'the emulation'}
        />
      )}
    </Group>
  )
}

/** The access points of the emulation, from the fleet, so that it does not matter where it was started. */
function useAgentsOf(job: Job) {
  const manc = useManc()
  const search = idFragmentOf(job.job_number)
  return useQuery({
    queryKey: ['fleet', 'emulation', job.job_number],
    queryFn: ({ signal }) => Array.fromAsync(manc.fleet.agents({ search, signal })),
    refetchInterval: ({ state }) => (isEnded(job) ? false : Math.max(2000, (state.data?.length ?? 0) * 1.5)),
  })
}

function shownCells(agents: FleetAgent[]) {
  const [west, south, east, north] = areaOf(agents) ?? []
  const isPlaced = west !== undefined && south !== undefined && east !== undefined && north !== undefined
  return { agents, cells: [], area: isPlaced ? { west, south, east, north } : null }
}

const titleOf = (counts: readonly Count[]) =>
  counts.map(({ technology, total }) => `${formatNumber(total)} ${technology}`).join(', ') || 'Emulation'

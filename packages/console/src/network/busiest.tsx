import { levelOf } from '@manc/contract/kpis'
import { Group, Progress, Stack, Text, UnstyledButton } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useManc } from '../app/session.tsx'
import { TechnologyIcon } from '../fleet/technology-icon.tsx'
import type { TableQuery } from '../fleet/use-table.ts'
import { formatCount } from '../format/number.ts'
import { levelColours } from '../telemetry/level-badge.tsx'
import { Empty, Failure, Loading } from '../ui/states.tsx'

const maxShown = 10

interface BusiestProps {
  /** Which access points are listed. */
  query: TableQuery
  onOpen: (apId: string) => void
}

/** Access points with the highest load, highest first. */
export function Busiest({ query, onOpen }: BusiestProps) {
  const manc = useManc()
  const busiest = useQuery({
    queryKey: ['fleet', 'busiest', query],
    queryFn: ({ signal }) => manc.fleet.table({ ...query, sort: 'load_pct', limit: maxShown, signal }),
    refetchInterval: 5000,
    placeholderData: keepPreviousData,
  })
  if (busiest.isError && !busiest.data)
    return <Failure error={busiest.error} onRetry={() => void busiest.refetch()} />
  if (!busiest.data) return <Loading what="load" />
  if (busiest.data.total === 0) return <Empty title="No matches">Remove a filter or change the search.</Empty>
  const rows = busiest.data.rows.flatMap((row) =>
    row.load_pct === null ? [] : { ...row, load: row.load_pct },
  )
  if (rows.length === 0)
    return <Empty title="No load data">No access point that matches has reported its load recently.</Empty>
  return (
    <Stack
      gap={0}
      component="ol"
      m={0}
      p={0}
      aria-label="Access points by load"
      style={{ listStyle: 'none' }}
    >
      {rows.map(({ ap_id: apId, name, technology, state, load, clients }) => (
        <li key={apId}>
          <UnstyledButton w="100%" px="md" py={6} className="row" onClick={() => onOpen(apId)}>
            <Group gap="sm" wrap="nowrap">
              <TechnologyIcon technology={technology} state={state} />
              <Text size="sm" truncate style={{ flex: 1 }}>
                {name ?? apId}
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

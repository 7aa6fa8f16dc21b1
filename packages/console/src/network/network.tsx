import type { EmulatedChoice } from '@manc/sdk'
import { Anchor, Box, Button, Group, Paper, ScrollArea, SegmentedControl, Stack, Title } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { useCurrentUser } from '../app/current-user.ts'
import { parseAreaHash } from '../fleet/area.ts'
import { type CellsQuery, useFleetCells, useFleetSummary } from '../fleet/fleet.ts'
import { HiddenEmulated } from '../fleet/hidden-emulated.tsx'
import { boxOf, contains } from '../fleet/map-box.ts'
import { TechnologyIcon } from '../fleet/technology-icon.tsx'
import { type TableQuery, useTable } from '../fleet/use-table.ts'
import { formatCount } from '../format/number.ts'
import { Age, Empty, Failure, Loading, useLastUpdate } from '../ui/states.tsx'
import { AccessPointList } from './access-point-list.tsx'
import { Busiest } from './busiest.tsx'
import { ControllerButton, ControllerReasons } from './controller-line.tsx'
import { Filter, useFilter } from './filter.tsx'
import { FleetCards } from './fleet-figures.tsx'
import { HealthHeadline } from './health-headline.tsx'
import { storedView, storeView } from './map-view.ts'
import { NetworkMap } from './network-map.tsx'
import { RecentChanges } from './recent-changes.tsx'

const listEveryMs = 3000

/** The state of the whole network: figures, map, list and recent changes. */
export function Network() {
  const filter = useFilter()
  const { emulated } = filter
  const summary = useFleetSummary(emulated)
  const navigate = useNavigate()
  const isNarrow = useMediaQuery('(max-width: 62em)')
  const { pathname, hash, state } = useLocation()
  const { __TSR_key: key } = state
  const [inView, setInView] = useState(() => storedView(key))
  useEffect(() => {
    // The address changes before this page unmounts.
    if (pathname === '/' && inView) storeView(key, inView)
  }, [pathname, key, inView])
  const onMap: CellsQuery = { ...filter.query, ...(filter.colour === 'load' && { loads: true }) }
  const overview = useFleetCells(onMap)
  const isCut = filter.isInView && inView && !(overview?.area && contains(inView, overview.area))
  // What the map shows, and access points that it cannot show.
  const box = isCut ? boxOf(inView) : undefined
  const listed: TableQuery = { ...filter.query, ...(box && { area: box, unplaced: true }) }
  const [range, setRange] = useState<readonly [number, number]>([0, 0])
  const table = useTable({ ...listed, sort: 'health' }, ...range, listEveryMs)
  const showAll = () => filter.change({ emulated: 'all' })
  const select = (selected: string | undefined) => {
    if (selected !== filter.selected) filter.change({ selected })
  }
  const open = (apId: string) => void navigate({ to: '/access-points/$apId', params: { apId } })
  if (summary.isPending) return <Loading what="network" />
  if (table.error && table.total === undefined) return <Failure error={table.error} onRetry={table.retry} />
  if (summary.data?.total === 0)
    return <NoAgents emulated={emulated} readAtMs={summary.dataUpdatedAt} onShowAll={showAll} />
  const map = (
    <NetworkMap
      query={onMap}
      overview={overview}
      area={parseAreaHash(hash)}
      inView={inView}
      onMove={setInView}
      colour={filter.colour}
      onColour={(colour) => filter.change({ colour })}
      selected={filter.selected}
      onSelect={select}
    />
  )
  const elsewhere = overview?.total ?? 0
  const list = (
    <Stack gap={0} h="100%" mih={0}>
      <Filter {...filter} listed={table.total} matching={overview?.total} />
      {box && table.total === 0 && elsewhere > 0 ? (
        <NoneInView count={elsewhere} onShowAll={() => filter.change({ isInView: false })} />
      ) : filter.sort === 'health' ? (
        <AccessPointList table={table} onRange={(first, last) => setRange([first, last])} onOpen={open} />
      ) : (
        <ScrollArea style={{ flex: 1 }} type="auto">
          <Busiest query={listed} onOpen={open} />
        </ScrollArea>
      )}
    </Stack>
  )
  const changes = <RecentChanges emulated={emulated} onOpen={open} />
  return (
    <Stack gap={0} h="calc(100dvh - 52px)">
      <Headline readAtMs={table.updatedAt} emulated={emulated}>
        <HealthHeadline
          emulated={emulated}
          selected={filter.health}
          onSelect={(health) => filter.change({ health })}
        />
      </Headline>
      <FleetCards
        emulated={emulated}
        technology={filter.technology}
        health={filter.health}
        onFilter={filter.change}
      />
      <HiddenEmulated emulated={emulated} state="hidden" action="Show" onInclude={showAll} px="lg" pb="sm" />
      {isNarrow ? (
        <Stack gap={0} style={{ flex: 1, minHeight: 0 }}>
          <SegmentedControl
            mx="lg"
            my="sm"
            value={filter.pane}
            onChange={(pane) => filter.change({ pane })}
            data={[
              { value: 'map', label: 'Map' },
              { value: 'list', label: 'List' },
              { value: 'changes', label: 'Changes' },
            ]}
          />
          <Box style={{ flex: 1, minHeight: 0 }}>{{ map, list, changes }[filter.pane]}</Box>
        </Stack>
      ) : (
        <Group gap={0} align="stretch" wrap="nowrap" style={{ flex: 1, minHeight: 0 }}>
          <Box style={{ flex: 1, minWidth: 0 }}>{map}</Box>
          <Paper
            withBorder
            radius={0}
            w={380}
            style={{ borderBlock: 0, display: 'flex', flexDirection: 'column' }}
          >
            <Box style={{ flex: 1, minHeight: 0 }}>{list}</Box>
            {changes}
          </Paper>
        </Group>
      )}
    </Stack>
  )
}

interface HeadlineProps {
  readAtMs: number
  emulated: EmulatedChoice
  /** Between the title and the controller. */
  children?: ReactNode
}

/** The health of the network and of the controller, and the age of the data. */
function Headline({ readAtMs, emulated, children }: HeadlineProps) {
  return (
    <>
      <Group justify="space-between" px="lg" py="sm" wrap="nowrap">
        <Group gap="md">
          <Title order={1} size="h4">
            Network
          </Title>
          {children}
          <ControllerButton />
        </Group>
        <FleetAge readAtMs={readAtMs} emulated={emulated} />
      </Group>
      <ControllerReasons />
    </>
  )
}

/** The age of the list or of the data in the controller, whichever is older. */
function FleetAge({ readAtMs, emulated }: { readAtMs: number; emulated: EmulatedChoice }) {
  const { data: summary } = useFleetSummary(emulated)
  const evaluatedAtMs = useLastUpdate(summary?.as_of ? Date.parse(summary.as_of) : undefined)
  return <Age at={evaluatedAtMs && Math.min(readAtMs, evaluatedAtMs)} />
}

/** The list follows the map, and all that match are elsewhere. */
function NoneInView({ count, onShowAll }: { count: number; onShowAll: () => void }) {
  return (
    <Empty title="None in map view">
      <Button size="xs" variant="default" onClick={onShowAll}>
        List {formatCount(count, 'access point')} outside of the map view
      </Button>
    </Empty>
  )
}

interface NoAgentsProps {
  emulated: EmulatedChoice
  readAtMs: number
  onShowAll: () => void
}

function NoAgents({ emulated, readAtMs, onShowAll }: NoAgentsProps) {
  const me = useCurrentUser()
  return (
    <>
      <Headline readAtMs={readAtMs} emulated={emulated} />
      <Empty title="No access points">
        <Stack align="center" gap="md">
          <span>
            {me.isAdmin ? (
              <>
                Register one under{' '}
                <Anchor component={Link} to="/access-points" inherit underline="always">
                  Access points
                </Anchor>
                , or emulate a network.
              </>
            ) : (
              'Emulate a network, or ask an administrator to register access points.'
            )}
          </span>
          <Group gap="sm">
            {(['5G', 'WiFi', 'LiFi'] as const).map((technology) => (
              <TechnologyIcon key={technology} technology={technology} />
            ))}
          </Group>
          <Button component={Link} to="/emulate">
            Emulate a network
          </Button>
          <HiddenEmulated emulated={emulated} state="hidden" action="Show" onInclude={onShowAll} />
        </Stack>
      </Empty>
    </>
  )
}

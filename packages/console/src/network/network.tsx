import type { EmulatedChoice } from '@manc/sdk'
import { Box, Button, Group, Paper, ScrollArea, SegmentedControl, Stack, Title } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { CatchBoundary, Link, useLocation, useNavigate } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useEffect, useMemo, useState } from 'react'
import { useCurrentUser } from '../app/current-user.ts'
import { type Area, parseAreaHash } from '../fleet/area.ts'
import { useFleet, useFleetSummary } from '../fleet/fleet.ts'
import { HiddenEmulated } from '../fleet/hidden-emulated.tsx'
import { TechnologyIcon } from '../fleet/technology-icon.tsx'
import { formatCount } from '../format/number.ts'
import { MapLegend } from '../map/map-legend.tsx'
import { Age, Empty, Failure, Loading, useLastUpdate } from '../ui/states.tsx'
import { AccessPointCard } from './access-point-card.tsx'
import { AccessPointList } from './access-point-list.tsx'
import { Busiest } from './busiest.tsx'
import { ControllerButton, ControllerReasons } from './controller-line.tsx'
import { Filter, useFilter, useFilterSearch } from './filter.tsx'
import { FleetCards } from './fleet-figures.tsx'
import { HealthHeadline } from './health-headline.tsx'
import { RecentChanges } from './recent-changes.tsx'
import { useLoads } from './use-loads.ts'
import { useMapLayers } from './use-map-layers.ts'

const FleetMap = lazy(async () => ({ default: (await import('../map/fleet-map.tsx')).FleetMap }))

/** The last view of the map and its history entry, restored on return. */
const lastView: { key?: string | undefined; view?: Area | undefined } = {}

/** The state of the whole network: figures, map, list and recent changes. */
export function Network() {
  const { emulated } = useFilterSearch()
  const fleet = useFleet(emulated)
  const navigate = useNavigate()
  const isNarrow = useMediaQuery('(max-width: 62em)')
  const { pathname, hash, state } = useLocation()
  const { __TSR_key: key } = state
  const [inView, setInView] = useState(lastView.key === key ? lastView.view : undefined)
  useEffect(() => {
    // The address changes before this page unmounts.
    if (pathname === '/') Object.assign(lastView, { key, view: inView })
  }, [pathname, key, inView])
  const area = parseAreaHash(hash)
  const filter = useFilter(fleet.data, inView)
  const layers = useMapLayers()
  const loads = useLoads(emulated, filter.colour === 'load')
  const agentsById = useMemo(() => new Map(fleet.data?.map((agent) => [agent.ap_id, agent])), [fleet.data])
  const showAll = () => filter.change({ emulated: 'all' })
  const select = (selected: string | undefined) => {
    if (selected !== filter.selected) filter.change({ selected })
  }
  const open = (apId: string) => void navigate({ to: '/access-points/$apId', params: { apId } })
  if (fleet.isPending) return <Loading what="network" />
  if (fleet.isError && !fleet.data)
    return <Failure error={fleet.error} onRetry={() => void fleet.refetch()} />
  if (fleet.data?.length === 0)
    return <NoAgents emulated={emulated} readAtMs={fleet.dataUpdatedAt} onShowAll={showAll} />
  const map = (
    <Box pos="relative" h="100%" mih={280}>
      <CatchBoundary getResetKey={() => 'map'} errorComponent={NoMap}>
        <Suspense fallback={<Loading what="map" />}>
          <FleetMap
            agents={filter.matching}
            area={area}
            start={inView}
            colourBy={filter.colour}
            loads={loads}
            layers={layers}
            selected={filter.selected}
            onSelect={select}
            onMove={setInView}
            card={(apId, { isPinned }) => {
              const agent = agentsById.get(apId)
              return (
                agent && (
                  <AccessPointCard agent={agent} onClose={isPinned ? () => select(undefined) : undefined} />
                )
              )
            }}
          />
          <MapLegend value={filter.colour} onChange={(colour) => filter.change({ colour })} />
        </Suspense>
      </CatchBoundary>
    </Box>
  )
  const list = (
    <Stack gap={0} h="100%" mih={0}>
      <Filter {...filter} />
      {filter.listed.length === 0 && filter.matching.length > 0 ? (
        <NoneInView count={filter.matching.length} onShowAll={() => filter.change({ isInView: false })} />
      ) : filter.sort === 'health' ? (
        <AccessPointList agents={filter.listed} onOpen={open} />
      ) : (
        <ScrollArea style={{ flex: 1 }} type="auto">
          <Busiest agents={filter.listed} technology={filter.technology} emulated={emulated} onOpen={open} />
        </ScrollArea>
      )}
    </Stack>
  )
  const changes = <RecentChanges agents={fleet.data ?? []} emulated={emulated} onOpen={open} />
  return (
    <Stack gap={0} h="calc(100dvh - 52px)">
      <Headline readAtMs={fleet.dataUpdatedAt} emulated={emulated}>
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

function NoMap() {
  return (
    <Empty title="Map failed to load">Reload the page to try again. The list shows all access points.</Empty>
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
            {me.isAdmin
              ? 'Register one under Administration, or emulate a network.'
              : 'Emulate a network, or ask an administrator to register access points.'}
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

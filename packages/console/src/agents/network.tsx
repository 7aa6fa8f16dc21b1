import { Box, Button, Group, Paper, ScrollArea, SegmentedControl, Stack, Title } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useMe } from '../frame/me.ts'
import { Age, Empty, Failure, Loading } from '../frame/states.tsx'
import { AgentList } from './agent-list.tsx'
import { type Area, areaIn } from './area.ts'
import { Busiest } from './busiest.tsx'
import { Changes } from './changes.tsx'
import { Figures } from './figures.tsx'
import { Filter, useFilter } from './filter.tsx'
import { useFleet } from './fleet.ts'
import { Glyph } from './glyph.tsx'

const FleetMap = lazy(async () => ({ default: (await import('../map/fleet-map.tsx')).FleetMap }))

/** Is my network all right, and where is it not? */
export function Network() {
  const fleet = useFleet()
  const navigate = useNavigate()
  const isNarrow = useMediaQuery('(max-width: 62em)')
  const [view, setView] = useState<'map' | 'list'>('map')
  const [order, setOrder] = useState<'all' | 'busiest'>('all')
  const [inView, setInView] = useState<Area>()
  const area = areaIn(useLocation().hash)
  const filter = useFilter(fleet.data, inView)
  const open = (apId: string) => void navigate({ to: '/access-points/$apId', params: { apId } })
  if (fleet.isPending) return <Loading what="the network" />
  if (fleet.isError && !fleet.data)
    return <Failure error={fleet.error} onRetry={() => void fleet.refetch()} />
  if (fleet.data?.length === 0) return <NoAgents />
  const map = (
    <Box pos="relative" h="100%" mih={280}>
      <Suspense fallback={<Loading what="the map" />}>
        <FleetMap agents={filter.fitting} area={area} onOpen={open} onMove={setInView} />
      </Suspense>
    </Box>
  )
  const list = (
    <Stack gap={0} h="100%" mih={0}>
      <Filter {...filter} />
      <SegmentedControl
        mx="md"
        mb="sm"
        size="xs"
        aria-label="In which order"
        value={order}
        onChange={setOrder}
        data={[
          { value: 'all', label: 'All, troubled first' },
          { value: 'busiest', label: 'The busiest' },
        ]}
      />
      {order === 'all' ? (
        <AgentList agents={filter.listed} onOpen={open} />
      ) : (
        <ScrollArea style={{ flex: 1 }} type="auto">
          <Busiest agents={fleet.data ?? []} technology={filter.technology} onOpen={open} />
        </ScrollArea>
      )}
    </Stack>
  )
  return (
    <Stack gap={0} h="calc(100dvh - 52px)">
      <Group justify="space-between" px="lg" py="sm" wrap="nowrap">
        <Title order={1} size="h4">
          Network
        </Title>
        <Age at={fleet.dataUpdatedAt} lateAfterS={20} />
      </Group>
      <Figures />
      {isNarrow ? (
        <Stack gap={0} style={{ flex: 1, minHeight: 0 }}>
          <SegmentedControl
            mx="lg"
            my="sm"
            value={view}
            onChange={setView}
            data={[
              { value: 'map', label: 'Map' },
              { value: 'list', label: 'List' },
            ]}
          />
          <Box style={{ flex: 1, minHeight: 0 }}>{view === 'map' ? map : list}</Box>
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
            <Changes agents={fleet.data ?? []} onOpen={open} />
          </Paper>
        </Group>
      )}
    </Stack>
  )
}

function NoAgents() {
  const me = useMe()
  return (
    <Empty title="No access points yet">
      <Stack align="center" gap="md">
        <span>
          {me.isAdmin
            ? 'Register one under Administration, or emulate a whole network and look around.'
            : 'Emulate a whole network and look around, or ask an administrator to register one.'}
        </span>
        <Group gap="sm">
          {(['5G', 'WiFi', 'LiFi'] as const).map((technology) => (
            <Glyph key={technology} technology={technology} />
          ))}
        </Group>
        <Button component={Link} to="/emulate">
          Emulate a network
        </Button>
      </Stack>
    </Empty>
  )
}

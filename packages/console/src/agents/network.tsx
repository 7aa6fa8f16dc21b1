import type { AgentState, FleetAgent, Technology } from '@manc/sdk'
import {
  Box,
  Button,
  Chip,
  CloseButton,
  Group,
  Paper,
  SegmentedControl,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core'
import { useDebouncedValue, useMediaQuery } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useMemo, useState } from 'react'
import { Age, Empty, Failure, Loading } from '../frame/states.tsx'
import { states, technologies } from '../frame/theme.ts'
import { AgentList } from './agent-list.tsx'
import { Changes } from './changes.tsx'
import { Figures } from './figures.tsx'
import { useFleet } from './fleet.ts'
import { Glyph } from './glyph.tsx'

const FleetMap = lazy(() => import('../map/fleet-map.tsx'))

/** Is my network all right, and where is it not? */
export function Network() {
  const fleet = useFleet()
  const navigate = useNavigate()
  const isNarrow = useMediaQuery('(max-width: 62em)')
  const [view, setView] = useState<'map' | 'list'>('map')
  const filter = useFilter(fleet.data)
  const open = (apId: string) => void navigate({ to: '/access-points/$apId', params: { apId } })
  if (fleet.isPending) return <Loading what="the network" />
  if (fleet.isError && !fleet.data)
    return <Failure error={fleet.error} onRetry={() => void fleet.refetch()} />
  if (fleet.data?.length === 0) return <NoAgents />
  const map = (
    <Box pos="relative" h="100%" mih={280}>
      <Suspense fallback={<Loading what="the map" />}>
        <FleetMap agents={filter.shown} onOpen={open} />
      </Suspense>
    </Box>
  )
  const list = (
    <Stack gap={0} h="100%" mih={0}>
      <Filter {...filter} />
      <AgentList agents={filter.shown} onOpen={open} />
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
            onChange={(value) => setView(value as 'map' | 'list')}
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

interface FilterState {
  words: string
  setWords(words: string): void
  technology: Technology[]
  setTechnology(technology: Technology[]): void
  state: AgentState[]
  setState(state: AgentState[]): void
  shown: FleetAgent[]
}

/** In the page, over what is there already: as quick as one types. */
function useFilter(agents: FleetAgent[] = []): FilterState {
  const [words, setWords] = useState('')
  const [technology, setTechnology] = useState<Technology[]>([])
  const [state, setState] = useState<AgentState[]>([])
  const [wanted] = useDebouncedValue(words.trim().toLowerCase(), 80)
  const shown = useMemo(
    () =>
      agents.filter(
        (agent) =>
          (technology.length === 0 || technology.includes(agent.technology)) &&
          (state.length === 0 || state.includes(agent.state)) &&
          (wanted === '' || `${agent.ap_id} ${agent.name ?? ''}`.toLowerCase().includes(wanted)),
      ),
    [agents, technology, state, wanted],
  )
  return { words, setWords, technology, setTechnology, state, setState, shown }
}

function Filter({ words, setWords, technology, setTechnology, state, setState, shown }: FilterState) {
  return (
    <Stack gap="sm" p="md">
      <TextInput
        aria-label="Search access points"
        placeholder="Search by id or name"
        leftSection={<IconSearch size={16} />}
        rightSection={
          words && <CloseButton size="sm" aria-label="Clear the search" onClick={() => setWords('')} />
        }
        value={words}
        onChange={({ currentTarget }) => setWords(currentTarget.value)}
      />
      <Group gap={6}>
        <Chip.Group multiple value={technology} onChange={(value) => setTechnology(value as Technology[])}>
          {technologies.map((each) => (
            <Chip key={each} value={each} size="xs" variant="outline">
              {each}
            </Chip>
          ))}
        </Chip.Group>
        <Chip.Group multiple value={state} onChange={(value) => setState(value as AgentState[])}>
          {states.map((each) => (
            <Chip key={each} value={each} size="xs" variant="outline">
              {each}
            </Chip>
          ))}
        </Chip.Group>
      </Group>
      <Text size="xs" c="dimmed" role="status" className="figures">
        {shown.length.toLocaleString()} access {shown.length === 1 ? 'point' : 'points'}
      </Text>
    </Stack>
  )
}

function NoAgents() {
  return (
    <Empty title="No access points yet">
      <Stack align="center" gap="md">
        <span>Register one under Administration, or emulate a whole network and look around.</span>
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

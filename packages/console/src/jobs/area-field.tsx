import type { EmulatedChoice, FleetCells, Technology } from '@manc/sdk'
import { Box, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { lazy, Suspense, useMemo, useState } from 'react'
import { useFleetCells } from '../fleet/fleet.ts'
import { Loading } from '../ui/states.tsx'
import { technologies } from '../ui/theme.ts'
import { areaBetween, formatArea, parseArea } from './recipients.ts'

const PickMap = lazy(async () => ({ default: (await import('../map/pick-map.tsx')).PickMap }))

interface AreaFieldProps {
  text: string
  onChange: (text: string) => void
  technology: Technology | undefined
  /** Access points on the map. */
  emulated: EmulatedChoice
}

/** An area, typed or drawn with two clicks on a map. */
export function AreaField({ text, onChange, ...shown }: AreaFieldProps) {
  const [isDrawing, { toggle }] = useDisclosure()
  const area = parseArea(text)
  return (
    <Stack gap="sm">
      <TextInput
        label="Area"
        description="West, south, east and north in degrees. Empty: anywhere."
        placeholder="-2.62,51.44,-2.55,51.47"
        value={text}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        error={
          text.trim() !== '' && !area && 'Enter four numbers separated by commas: west, south, east, north.'
        }
      />
      <Group gap="sm">
        <Button size="xs" variant="default" onClick={toggle} aria-expanded={isDrawing}>
          {isDrawing ? 'Hide map' : 'Draw on map'}
        </Button>
        {text !== '' && (
          <Button size="xs" variant="default" onClick={() => onChange('')}>
            Clear area
          </Button>
        )}
      </Group>
      {isDrawing && <Drawing text={text} onChange={onChange} {...shown} />}
    </Stack>
  )
}

function Drawing({ text, onChange, technology, emulated }: AreaFieldProps) {
  const cells = useFleetCells({ emulated, ...(technology && { technology: [technology] }) })
  const [corner, setCorner] = useState<{ latitude: number; longitude: number }>()
  const box = useMemo(() => parseArea(text), [text])
  const glyphs = useMemo(() => (cells ? glyphsOf(cells) : []), [cells?.agents, cells?.cells])
  const pins = useMemo(() => (corner ? [{ ...corner, label: 'first corner', index: 0 }] : []), [corner])
  if (!cells) return <Loading what="network" />
  return (
    <Stack gap={4}>
      <Text size="sm" c="dimmed" role="status">
        {corner ? 'Click the opposite corner.' : 'Click one corner of the area, then the opposite corner.'}
      </Text>
      <Box pos="relative" h={300} style={{ borderRadius: 6, overflow: 'hidden' }}>
        <Suspense fallback={<Loading what="map" />}>
          <PickMap
            label="Map: click two opposite corners, or move it with the arrow keys and press Enter for each corner"
            glyphs={glyphs}
            pins={pins}
            box={box}
            onPick={(at) => {
              if (!corner) return setCorner(at)
              onChange(formatArea(areaBetween(corner, at)))
              setCorner(undefined)
            }}
            onRemove={() => setCorner(undefined)}
          />
        </Suspense>
      </Box>
    </Stack>
  )
}

/** One for each access point, or for each cell with the technology of most of its access points. */
const glyphsOf = ({ agents, cells }: FleetCells) => [
  ...agents.flatMap(({ position, technology }) => (position ? [{ ...position, technology }] : [])),
  ...cells.map(({ latitude, longitude, technologies: counts }) => ({
    latitude,
    longitude,
    technology: technologies[counts.indexOf(Math.max(...counts))] ?? ('other' as const),
  })),
]

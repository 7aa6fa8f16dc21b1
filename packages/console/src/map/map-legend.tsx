import './map-legend.css'
import { Paper, SegmentedControl, Stack, Text, useComputedColorScheme } from '@mantine/core'
import { groupsOf, type MapColour, mapColours } from './map-colours.ts'

const names: Record<MapColour, string> = { technology: 'Technology', health: 'Health', load: 'Load' }

interface MapLegendProps {
  value: MapColour
  onChange: (value: MapColour) => void
}

/** Chooses what the colours of the map show, and explains them. */
export function MapLegend({ value, onChange }: MapLegendProps) {
  const scheme = useComputedColorScheme('light')
  return (
    <Paper withBorder className="map-legend" p={6} component="section" aria-label="Colours of the map">
      <Stack gap={6}>
        <SegmentedControl
          size="xs"
          aria-label="Colour of access points"
          value={value}
          onChange={onChange}
          data={mapColours.map((each) => ({ value: each, label: names[each] }))}
        />
        <ul className="map-legend-groups">
          {groupsOf(value, scheme).map(({ label, colour, hasOutline }) => (
            <li key={label}>
              <span
                className="map-legend-colour"
                style={{
                  background: colour,
                  ...(hasOutline && { outline: '1px solid var(--mantine-color-dimmed)' }),
                }}
                aria-hidden
              />
              <Text size="xs" span>
                {label}
              </Text>
            </li>
          ))}
        </ul>
      </Stack>
    </Paper>
  )
}

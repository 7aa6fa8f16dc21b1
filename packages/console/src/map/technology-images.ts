import type { Map as MapLibre } from 'maplibre-gl'
import { colourOf, technologies } from '../ui/theme.ts'
import { technologyImage } from './glyphs.ts'
import { paletteOf, type Scheme } from './map-style.ts'

/** Adds the symbol of each technology, with the name of the technology. */
export function addTechnologyImages(map: MapLibre, scheme: Scheme): void {
  for (const technology of technologies)
    map.addImage(
      technology,
      technologyImage(
        { technology, state: 'online', mark: 'none' },
        { shape: colourOf(technology, scheme), background: paletteOf(scheme).land },
      ),
      { pixelRatio: 2 },
    )
}

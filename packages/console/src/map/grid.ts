import type { Feature, FeatureCollection, LineString } from 'geojson'
import { metresPerDegree } from '../fleet/area.ts'

const targetLines = 12

/** A grid with a round number of metres, for zoom levels at which the base map has no features. */
export function gridFor(
  west: number,
  south: number,
  east: number,
  north: number,
): {
  metres: number
  grid: FeatureCollection<LineString>
} {
  const perDegree = metresPerDegree * Math.cos(((south + north) / 2) * (Math.PI / 180))
  const metres = roundUp(((east - west) * perDegree) / targetLines)
  const features: Feature<LineString>[] = []
  const line = (from: [number, number], to: [number, number]) =>
    features.push({
      type: 'Feature',
      properties: {},
      geometry: { type: 'LineString', coordinates: [from, to] },
    })
  const dx = metres / perDegree
  const dy = metres / metresPerDegree
  for (let x = Math.floor(west / dx) * dx; x <= east; x += dx) line([x, south], [x, north])
  for (let y = Math.floor(south / dy) * dy; y <= north; y += dy) line([west, y], [east, y])
  return { metres, grid: { type: 'FeatureCollection', features } }
}

/** Rounds up to 1, 2 or 5 times a power of ten. */
function roundUp(metres: number): number {
  const power = 10 ** Math.floor(Math.log10(metres))
  return ([1, 2, 5, 10].find((step) => step * power >= metres) ?? 10) * power
}

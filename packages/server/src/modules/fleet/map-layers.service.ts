import { readFileSync, statSync } from 'node:fs'
import type { MapLayers } from '@manc/contract'
import { type Config, WrongSettings } from '../../config.ts'

const maxBytes = 8 * 1024 * 1024

type MapConfig = Pick<Config, 'MANC_MAP_GEOJSON' | 'MANC_MAP_TILES' | 'MANC_MAP_ATTRIBUTION'>

/** What maps show below the access points, as JSON: it is the same for all callers. */
export function readMapLayers(config: MapConfig): string {
  const file = config.MANC_MAP_GEOJSON
  const layers: MapLayers = {
    tiles: config.MANC_MAP_TILES ?? null,
    attribution: config.MANC_MAP_ATTRIBUTION ?? null,
    geojson: file === undefined ? null : readGeoJson(file),
  }
  return JSON.stringify(layers)
}

function readGeoJson(file: string): unknown {
  try {
    const { size } = statSync(file)
    if (size > maxBytes) throw new Error(`it has ${size} bytes, and at most ${maxBytes} are allowed`)
    const value = JSON.parse(readFileSync(file, 'utf8')) as { type?: unknown; features?: unknown } | null
    if (value?.type !== 'FeatureCollection' || !Array.isArray(value.features))
      throw new Error('it is not a FeatureCollection')
    return value
  } catch (error) {
    throw new WrongSettings(
      `Wrong settings:\n  MANC_MAP_GEOJSON cannot be used: ${(error as Error).message}. Name a readable file with a GeoJSON FeatureCollection, or unset it.`,
    )
  }
}

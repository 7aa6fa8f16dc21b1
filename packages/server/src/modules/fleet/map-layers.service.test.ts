import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { WrongSettings } from '../../config.ts'
import { readMapLayers } from './map-layers.service.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'manc-'))
afterAll(() => rmSync(folder, { recursive: true }))

function fileWith(text: string): string {
  const file = path.join(folder, 'map.geojson')
  writeFileSync(file, text)
  return file
}

it('there are no layers by default', () => {
  expect(JSON.parse(readMapLayers({}))).toEqual({ tiles: null, attribution: null, geojson: null })
})

it('the layers are those of the settings', () => {
  const geojson = { type: 'FeatureCollection', features: [] }
  const tiles = 'https://tiles.example.org/{z}/{x}/{y}.png'
  const layers = readMapLayers({
    MANC_MAP_GEOJSON: fileWith(JSON.stringify(geojson)),
    MANC_MAP_TILES: tiles,
    MANC_MAP_ATTRIBUTION: 'The city',
  })
  expect(JSON.parse(layers)).toEqual({ tiles, attribution: 'The city', geojson })
})

it.each([
  ['no JSON', '{'],
  ['another value', 'null'],
  ['another type', '{"type":"Feature","features":[]}'],
  ['no features', '{"type":"FeatureCollection"}'],
  ['more than 8 MiB', ' '.repeat(8 * 1024 * 1024 + 1)],
])('a file with %s is refused at the start', (_, text) => {
  expect(() => readMapLayers({ MANC_MAP_GEOJSON: fileWith(text) })).toThrow(WrongSettings)
})

it('a missing file is refused with what to do', () => {
  expect(() => readMapLayers({ MANC_MAP_GEOJSON: path.join(folder, 'missing') })).toThrow(
    /ENOENT.*Name a readable file with a GeoJSON FeatureCollection, or unset it\.$/s,
  )
})

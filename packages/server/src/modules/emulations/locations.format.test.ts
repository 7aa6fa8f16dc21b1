import { readFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { coordinates, places, refused } from '../../../test/emulations/location-texts.ts'
import { Gazetteer } from './gazetteer.store.ts'
import { locationOf } from './locations.format.ts'

const gazetteer = Gazetteer.open()

describe('a location', () => {
  it.each(coordinates)('%j is read', (text, latitude, longitude) => {
    expect(locationOf(text, gazetteer)).toEqual({ latitude, longitude })
  })

  it.each(places)('%j is found', (text, latitude, longitude) => {
    const found = locationOf(text, gazetteer)
    expect(Math.abs((found?.latitude ?? Infinity) - latitude)).toBeLessThan(0.05)
    expect(Math.abs((found?.longitude ?? Infinity) - longitude)).toBeLessThan(0.05)
    expect(Object.keys(found ?? {})).toEqual(['latitude', 'longitude'])
  })

  it.each(refused)('%j is refused', (text) => {
    expect(locationOf(text, gazetteer)).toBeUndefined()
  })

  it('is there in every form, often enough', () => {
    expect(coordinates.length + places.length).toBeGreaterThanOrEqual(60)
    expect(refused.length).toBeGreaterThanOrEqual(40)
    const texts = [...coordinates, ...places].map(([text]) => text).concat(refused)
    expect(new Set(texts).size).toBe(texts.length)
  })

  it('is the same in degrees and in minutes and seconds, anywhere', () => {
    const seconds = (most: number) => fc.integer({ min: -most * 3600, max: most * 3600 })
    fc.assert(
      fc.property(seconds(90), seconds(180), (north, east) => {
        const expected = { latitude: rounded(north / 3600), longitude: rounded(east / 3600) }
        const text = `${inSeconds(north, 'N', 'S')} ${inSeconds(east, 'E', 'W')}`
        expect(locationOf(text, gazetteer)).toEqual(expected)
        const decimals = `${(north / 3600).toFixed(9)},${(east / 3600).toFixed(9)}`
        expect(locationOf(decimals, gazetteer)).toEqual(expected)
      }),
    )
  })

  it('is on the globe or nowhere, whatever the text', () => {
    const pieces = [
      '51',
      '-2.5',
      '200',
      '.',
      ',',
      ';',
      ' ',
      '°',
      "'",
      '"',
      'N',
      'W',
      'e',
      'lat=',
      'lon:',
      'geo:',
    ]
    const likely = fc.array(fc.constantFrom(...pieces, 'Bristol', 'GB'), { maxLength: 12 })
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      likely.map((some) => some.join('')),
    )
    fc.assert(
      fc.property(texts, (text) => {
        const found = locationOf(text, gazetteer)
        if (found === undefined) return
        expect(Math.abs(found.latitude)).toBeLessThanOrEqual(90)
        expect(Math.abs(found.longitude)).toBeLessThanOrEqual(180)
      }),
      { numRuns: 2000 },
    )
  })

  it('takes no time to refuse, however it is made', () => {
    const cpuBefore = process.cpuUsage()
    for (const piece of [
      '1',
      '1 ',
      "1'",
      '1°',
      '1.1',
      ' ',
      'N',
      'a,',
      'GB,',
      'lat=',
      'lat=1 ',
      ';a',
      '\t',
      "'",
    ])
      for (const head of ['', 'geo:1,1', 'lat=1,lon=1', '1,'])
        locationOf(`${head}${piece.repeat(256)}`.slice(0, 256), gazetteer)
    // CPU time: other processes may hold up this one.
    const { user, system } = process.cpuUsage(cpuBefore)
    expect((user + system) / 1000).toBeLessThan(1000)
  })

  it('makes no network request', () => {
    for (const name of ['gazetteer.store.ts', 'locations.format.ts']) {
      const source = readFileSync(path.join(import.meta.dirname, name), 'utf8')
      const imported = [...source.matchAll(/(?:from|import|require) *\(? *'([^']+)'/g)].map(
        ([, from]) => from,
      )
      for (const from of imported) expect(['node:fs', 'node:path', './gazetteer.store.ts']).toContain(from)
      expect(imported.length).toBeGreaterThan(0)
      expect(source).not.toMatch(/node:http|fetch\(|WebSocket|EventSource|import\(|getBuiltinModule/)
    }
  })
})

const rounded = (degrees: number) => Math.round(degrees * 1e6) / 1e6 + 0

function inSeconds(seconds: number, positive: string, negative: string): string {
  const size = Math.abs(seconds)
  const minutes = Math.floor(size / 60)
  return `${Math.floor(minutes / 60)}°${minutes % 60}'${size % 60}"${seconds < 0 ? negative : positive}`
}

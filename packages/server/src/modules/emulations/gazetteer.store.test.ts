import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import { fold, Gazetteer, type Place } from './gazetteer.store.ts'

const gazetteer = Gazetteer.open()
const bytes = readFileSync(path.join(import.meta.dirname, '../../../data/gazetteer.bin'))
const megabyte = 2 ** 20

describe('the gazetteer', () => {
  it('is small, opens within a second and takes little memory', () => {
    // The machine may hold up the first one.
    let measured = measure()
    if (measured.openMs >= 1000) measured = measure()
    const size = bytes.length
    const figures = `${measured.openMs.toFixed(1)} ms, ${(measured.bytes / megabyte).toFixed(1)} MB of memory`
    process.stdout.write(`gazetteer: ${(size / megabyte).toFixed(2)} MB, open in ${figures}\n`)
    expect(measured.found).toBe('GB')
    expect(measured.openMs).toBeLessThan(1000)
    expect(measured.bytes).toBeGreaterThan(size / 2)
    expect(measured.bytes).toBeLessThan(40 * megabyte)
    expect(size).toBeLessThan(4 * megabyte)
  })

  it('is read once', () => {
    expect(Gazetteer.open()).toBe(gazetteer)
  })

  it.each([
    ['Bristol', 'GB', 51.45, -2.59],
    ['Paris', 'FR', 48.86, 2.35],
    ['London', 'GB', 51.51, -0.13],
    ['Cambridge', 'GB', 52.2, 0.12],
    ['Birmingham', 'GB', 52.48, -1.9],
    ['Boston', 'US', 42.36, -71.06],
    ['Valencia', 'VE', 10.16, -68.0],
    ['Hamilton', 'CA', 43.25, -79.85],
    ['Geneva', 'CH', 46.2, 6.15],
    ['Roma', 'IT', 41.89, 12.48],
    ['Victoria', 'CA', 48.43, -123.37],
  ])('has the most populous %s first', (name, country, latitude, longitude) => {
    const place = gazetteer.find(name)
    expect(place?.country).toBe(country)
    expect(Math.abs((place?.latitude ?? Infinity) - latitude)).toBeLessThan(0.06)
    expect(Math.abs((place?.longitude ?? Infinity) - longitude)).toBeLessThan(0.06)
  })

  it('keeps to the regions that it is given', () => {
    expect(gazetteer.find('Cambridge', 'US')?.longitude).toBeCloseTo(-71.1, 1)
    expect(gazetteer.find('Cambridge', 'United States', 'Ohio')?.longitude).toBeCloseTo(-81.59, 1)
    expect(gazetteer.find('Valencia', 'Spain')?.country).toBe('ES')
    expect(gazetteer.find('Bristol', 'FR')).toBeUndefined()
    expect(gazetteer.find('Bristol', 'GB', 'US')).toBeUndefined()
    expect(gazetteer.find('Bristol', 'Atlantis')).toBeUndefined()
    expect(gazetteer.find('Bristol', '')).toBeUndefined()
  })

  it('takes the name of a country, or of a state, for a place only inside of it', () => {
    for (const name of ['Lebanon', 'England', 'California', 'Florida', 'Norway', 'US', 'Us', 'ME'])
      expect(gazetteer.find(name)).toBeUndefined()
    expect(gazetteer.find('Singapore')?.country).toBe('SG')
    expect(gazetteer.find('Luxembourg')?.country).toBe('LU')
    expect(gazetteer.find('New York')?.country).toBe('US')
    expect(gazetteer.find('Norway', 'Maine')?.country).toBe('US')
    expect(gazetteer.find('Us', 'FR')?.country).toBe('FR')
  })

  it('knows regions by name and by code', () => {
    for (const name of [
      'GB',
      'uk',
      'United Kingdom',
      'Türkiye',
      'Turkey',
      'turkiye',
      'Côte d’Ivoire',
      'CT',
      'Bavaria',
    ])
      expect([name, gazetteer.isRegion(name)]).toEqual([name, true])
    for (const name of ['', 'Bristol', 'ZZ', '0', '-', '*', '0 0 *', '\n', '\t', '__proto__', 'constructor'])
      expect([name, gazetteer.isRegion(name)]).toEqual([name, false])
  })

  it('finds names however they are written', () => {
    const zurich = gazetteer.find('Zürich')
    expect(zurich?.country).toBe('CH')
    for (const name of ['zurich', 'ZÜRICH', 'Zu\u0308rich', ' Zürich. ', '(Zürich)'])
      expect(gazetteer.find(name)).toEqual(zurich)
    const stratford = gazetteer.find('Stratford-upon-Avon')
    expect(stratford?.country).toBe('GB')
    for (const name of ['stratford upon avon', 'Stratford  upon–Avon', 'STRATFORD_UPON_AVON'])
      expect(gazetteer.find(name)).toEqual(stratford)
  })

  it('is in order, and finds what it has', () => {
    const { names, records } = readNames()
    expect(names.length).toBeGreaterThan(100_000)
    const keys = names.map((name) => Buffer.from(name))
    expect(keys.slice(1).filter((key, n) => Buffer.compare(keys[n] ?? key, key) >= 0)).toEqual([])
    // Every 16th, and with them all names at which a block of the search starts.
    const lost = names.filter((name, n) => {
      const { country = '', ...position } = records[n] ?? {}
      const isAsked = n % 16 === 0 || n === names.length - 1
      return isAsked && !isDeepStrictEqual(gazetteer.find(name, country), { ...position, country })
    })
    expect(lost).toEqual([])
  })

  it.each([
    '',
    ' ',
    '...',
    ',;-',
    '\0',
    '\n',
    '\n\n',
    '0',
    '1 2',
    'zzzzzzzz',
    'aaaaaaaa',
    'Bristo',
    'Bristoll',
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    '\ud800',
    '😀',
    '\u{10ffff}',
    'Bristol'.repeat(2000),
    ' '.repeat(10_000),
    'é'.repeat(10_000),
  ])('knows nothing of %j', (name) => {
    expect(gazetteer.find(name)).toBeUndefined()
  })
})

describe('a name', () => {
  it.each([
    ['São Paulo', 'sao paulo'],
    ['Łódź', 'lodz'],
    ['Straße', 'strasse'],
    ['Ærøskøbing', 'aeroskobing'],
    ['İzmir', 'izmir'],
    ['Sha‘m', 'sham'],
    ["Côte d'Ivoire", 'cote divoire'],
    ['Bosnia & Herzegovina', 'bosnia and herzegovina'],
    ['  a--b  ', 'a b'],
    ['Москва', 'москва'],
  ])('%j is compared as %j', (name, folded) => {
    expect(fold(name)).toBe(folded)
    expect(fold(folded)).toBe(folded)
  })
})

/** In a process of its own: here the file has been read already. */
function measure(): { openMs: number; bytes: number; found: string } {
  const script = `
    const { Gazetteer } = await import(${JSON.stringify(path.join(import.meta.dirname, 'gazetteer.store.ts'))})
    const before = process.memoryUsage().rss
    const start = performance.now()
    const gazetteer = Gazetteer.open()
    const openMs = performance.now() - start
    const found = gazetteer.find('Bristol').country
    console.log(JSON.stringify({ openMs, bytes: process.memoryUsage().rss - before, found }))`
  const text = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
  return JSON.parse(text) as ReturnType<typeof measure>
}

/** All names of the file with their first records, read as data/README.md tells. */
function readNames(): { names: string[]; records: Place[] } {
  const [places, blocks, regionBytes] = [bytes.readUInt32LE(4), bytes.readUInt32LE(8), bytes.readUInt32LE(12)]
  const regionsAt = 16 + places * 10 + blocks * 8
  const lines = bytes.toString('utf8', regionsAt + regionBytes).split('\n')
  expect(lines.pop()).toBe('')
  expect(lines.length).toBe(places)
  const names: string[] = []
  const records: Place[] = []
  for (const [n, line] of lines.entries()) {
    if (line === '') continue
    const at = 16 + n * 10
    const countryAt = regionsAt + bytes.readUInt16LE(at + 8) * 2
    names.push(line)
    records.push({
      latitude: bytes.readInt32LE(at) / 1e5,
      longitude: bytes.readInt32LE(at + 4) / 1e5,
      country: bytes.toString('latin1', countryAt, countryAt + 2),
    })
  }
  return { names, records }
}

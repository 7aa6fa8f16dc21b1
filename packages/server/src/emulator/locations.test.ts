import { readFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Gazetteer } from './gazetteer.ts'
import { locationOf } from './locations.ts'

const gazetteer = Gazetteer.open()
const bristol = [51.4545, -2.5879] as const
/** 51°27'16" N 2°35'16" W. */
const bristolInSeconds = [51.454444, -2.587778] as const

const coordinates: [text: string, latitude: number, longitude: number][] = [
  // Decimal degrees.
  ['51.4545,-2.5879', ...bristol],
  ['51.4545, -2.5879', ...bristol],
  ['  +51.4545 , -2.5879  ', ...bristol],
  ['51.4545 -2.5879', ...bristol],
  ['51.4545\t-2.5879', ...bristol],
  ['51.4545;-2.5879', ...bristol],
  ['51.4545; \u22122.5879', ...bristol],
  ['51.4545°, -2.5879°', ...bristol],
  ['51.4545° -2.5879°', ...bristol],
  ['0,0', 0, 0],
  ['-0,-0.0', 0, 0],
  ['90,180', 90, 180],
  ['-90,-180', -90, -180],
  ['-33.8688,151.2093', -33.8688, 151.2093],
  ['007,08', 7, 8],
  ['1.23456789,2.0000004', 1.234568, 2],
  ['179.5 W, 12.25 S', -12.25, -179.5],
  // With letters.
  ['51.4545 N, 2.5879 W', ...bristol],
  ['51.4545N 2.5879W', ...bristol],
  ['51.4545n,2.5879w', ...bristol],
  ['51.4545N2.5879W', ...bristol],
  ['N51.4545 W2.5879', ...bristol],
  ['N 51.4545, W 2.5879', ...bristol],
  ['N51.4545W2.5879', ...bristol],
  ['51.4545° N; 2.5879° W', ...bristol],
  ['2.5879 W, 51.4545 N', ...bristol],
  ['W2.5879 N51.4545', ...bristol],
  ['33.8688 S 151.2093 E', -33.8688, 151.2093],
  // With labels.
  ['lat=51.4545,lon=-2.5879', ...bristol],
  ['lat=51.4545, long=-2.5879', ...bristol],
  ['lat: 51.4545, lng: -2.5879', ...bristol],
  ['Latitude: 51.4545; Longitude: -2.5879', ...bristol],
  ['latitude=51.4545&longitude=-2.5879', ...bristol],
  ['lat=51.4545 lon=-2.5879', ...bristol],
  ['lon=-2.5879,lat=51.4545', ...bristol],
  ['lng:-2.5879 & lat:51.4545', ...bristol],
  ['lat=51.4545N,lon=2.5879W', ...bristol],
  ['lat=51°27\'16"N, lon=2°35\'16"W', ...bristolInSeconds],
  // RFC 5870.
  ['geo:51.4545,-2.5879', ...bristol],
  ['GEO:51.4545,-2.5879', ...bristol],
  ['geo:51.4545,-2.5879,61', ...bristol],
  ['geo:51.4545,-2.5879;u=10', ...bristol],
  ['geo:51.4545,-2.5879,61.5;crs=wgs84;u=0.5', ...bristol],
  ['geo:51.4545,-2.5879;crs=WGS84;z=12;floor', ...bristol],
  // Degrees, minutes and seconds.
  ['51°27\'16"N 2°35\'16"W', ...bristolInSeconds],
  ['51°27′16″N 2°35′16″W', ...bristolInSeconds],
  ['51° 27’ 16” N, 2° 35’ 16” W', ...bristolInSeconds],
  ["51º27'16''N, 2º35'16''W", ...bristolInSeconds],
  ['51 27 16 N, 2 35 16 W', ...bristolInSeconds],
  ['51 27 16 N 2 35 16 W', ...bristolInSeconds],
  ['N 51 27 16 W 2 35 16', ...bristolInSeconds],
  ['N51°27\'16" W2°35\'16"', ...bristolInSeconds],
  ['51 27 16, -2 35 16', ...bristolInSeconds],
  ['51°27\'16" -2°35\'16"', ...bristolInSeconds],
  ['2°35\'16"W 51°27\'16"N', ...bristolInSeconds],
  ['51°27\'16.2"N 2°35\'16.44"W', 51.4545, -2.5879],
  ["51°27.27'N 2°35.274'W", ...bristol],
  ['51 27.27 N, 2 35.274 W', ...bristol],
  ['51°27N 2°35W', 51.45, -2.583333],
  ['51°N 2°W', 51, -2],
  ["0°30'S 0°0'30\"W", -0.5, -0.008333],
]

const places: [text: string, latitude: number, longitude: number][] = [
  ['Bristol', ...bristol],
  ['  bRISTOL ', ...bristol],
  ['Bristol, GB', ...bristol],
  ['Bristol,gb', ...bristol],
  ['Bristol, UK', ...bristol],
  ['Bristol, United Kingdom', ...bristol],
  ['Bristol, England', ...bristol],
  ['Bristol, England, Great Britain', ...bristol],
  ['Lab 1, Bristol', ...bristol],
  ['Lab 1, Merchant Venturers Building, Bristol, UK', ...bristol],
  ['Bristol, Lab 1', ...bristol],
  [', Bristol,,', ...bristol],
  ['Bath, Bristol', ...bristol],
  ['Bristol, US,', 41.6718, -72.9493],
  ['Bristol, US', 41.6718, -72.9493],
  ['Bristol, Connecticut', 41.6718, -72.9493],
  ['Bristol, CT, USA', 41.6718, -72.9493],
  ['Bristol, Rhode Island', 41.677, -71.266],
  ['Paris', 48.8566, 2.3522],
  ['Paris, France', 48.8566, 2.3522],
  ['Paris, US', 33.6609, -95.5555],
  ['London', 51.5072, -0.1276],
  ['London, Ontario', 42.9834, -81.233],
  ['London, ON, Canada', 42.9834, -81.233],
  ['Los Angeles, CA', 34.0522, -118.2437],
  ['Vancouver, CA', 49.2497, -123.1193],
  ['Atlanta, Georgia', 33.749, -84.388],
  ['Tbilisi, Georgia', 41.6941, 44.8337],
  ['Sydney, NSW', -33.8688, 151.2093],
  ['Lab 1, Singapore', 1.2897, 103.8501],
  ['Lab 1, Singapore, Singapore', 1.2897, 103.8501],
  ['Lab 1, Victoria, Malta', 36.0444, 14.2397],
  ['Lab 1, Manchester', 53.4808, -2.2426],
  ['Zurich', 47.3769, 8.5417],
  ['Zürich, Switzerland', 47.3769, 8.5417],
  ['Zu\u0308rich', 47.3769, 8.5417],
  ['Köln', 50.9375, 6.9603],
  ['koln', 50.9375, 6.9603],
  ['Cologne', 50.9375, 6.9603],
  ['München', 48.1351, 11.582],
  ['Wien', 48.2082, 16.3738],
  ['Łódź', 51.7592, 19.456],
  ['Lodz', 51.7592, 19.456],
  ['Tromso', 69.6492, 18.9553],
  ['New York', 40.7128, -74.006],
  ['New York, NY', 40.7128, -74.006],
  ['Washington, D.C.', 38.9072, -77.0369],
  ['Saint-Étienne', 45.4397, 4.3872],
  ['saint etienne', 45.4397, 4.3872],
  ["L'Aquila", 42.3506, 13.3995],
  ['L’Aquila', 42.3506, 13.3995],
  ['Xi’an', 34.2583, 108.9286],
  ['Newcastle upon Tyne', 54.9783, -1.6178],
  ['12, Essen', 51.4566, 7.0123],
  ['Nan', 18.7838, 100.779],
  ['Us, France', 49.1, 1.9667],
  ['Lebanon, Tennessee', 36.2081, -86.2911],
]

const refused = [
  // Off the globe: none of them is a name.
  '91,0',
  '-90.000001,0',
  '0,180.5',
  '0,-181',
  '-2.5879,451.4545',
  '90°0\'1"N 0°0\'0"E',
  'lat=91,lon=0',
  'geo:91,0',
  'geo:0,181',
  '95 N, 200 W',
  // No numbers of degrees.
  'NaN',
  'NaN,NaN',
  'NaN, 2.5',
  'Infinity,0',
  '-Infinity Infinity',
  '5.14545e1,-2.5879',
  '1e1 2e1',
  '51e1 2n',
  '0x33,0x02',
  '.5,.5',
  '51.,-2.',
  '51.45.45,-2.58',
  '--51.4545,-2.5879',
  '- 51.4545, 2.5879',
  '51,4545;-2,5879',
  '51,4545,-2,5879',
  // One, or three.
  '51.4545',
  '51.4545,',
  ',-2.5879',
  '51.4545,-2.5879,61',
  '51.4545 -2.5879 61',
  '51.4545-2.5879',
  '51 27 16 2 35 16',
  // Letters that say nothing or too much.
  '-51.4545 N, 2.5879 W',
  '51.4545 N, -2.5879 W',
  'N51.4545N, W2.5879',
  '51.4545 N, 2.5879 S',
  '51.4545 E, 2.5879 W',
  '51.4545 N, 2.5879',
  '51.4545, 2.5879 W',
  '51.4545 N',
  // Minutes and seconds.
  '51°60\'00"N 2°35\'16"W',
  '51°27\'60"N 2°35\'16"W',
  '51 61 N, 2 35 W',
  "51.5°27'N 2°35'W",
  '51°27.5\'16"N 2°35\'16"W',
  '51°27"N 2°35"W',
  '-51°27\'16"S 2°35\'16"W',
  // Labels.
  'lat=51.4545',
  'lat=51.4545,lat=-2.5879',
  'lon=51.4545,lng=-2.5879',
  'lat=,lon=',
  'lat=Bristol,lon=-2.5879',
  'lat=51.4545W,lon=2.5879N',
  'lat=51.4545,lon=-2.5879,alt=61',
  'lat=1e1,lon=2',
  // geo: URIs.
  'geo:',
  'geo:51.4545',
  'geo: 51.4545,-2.5879',
  'geo:51.4545,-2.5879;crs=osgb36',
  'geo:51.4545,-2.5879;crs',
  'geo:51.4545,-2.5879;u=-1',
  'geo:51.4545,-2.5879;',
  'geo:51.4545,-2.5879;a=b c',
  'geo:51.4545,-2.5879,1,2',
  'geo:51.4545 N,2.5879 W',
  'geo:0,0?q=Bristol',
  'geo:Bristol',
  // Names that nobody knows, or that are no places.
  '',
  '   ',
  ',,,',
  '?!',
  'Lab 1',
  'Atlantis Nova Prime',
  'Bristol, France',
  'Bristol, California',
  'Lab 1, France',
  'Lab 1, US',
  'England',
  'Lebanon',
  'UK',
  'bris',
  'Bristoll',
  '__proto__',
  'constructor, GB',
  'null',
  'undefined,undefined',
  '[object Object]',
  '{"lat":51.4545,"lon":-2.5879}',
  'Bristol\0',
  'Bri\nstol',
  '\ud800',
  '\u0665\u0661,\u0662',
  `Bristol${' '.repeat(256)}`,
  `Bristol${', GB'.repeat(100)}`,
  '1 '.repeat(128),
]

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
    const start = performance.now()
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
    expect(performance.now() - start).toBeLessThan(1000)
  })

  it('asks nobody outside', () => {
    for (const name of ['gazetteer.ts', 'locations.ts']) {
      const source = readFileSync(path.join(import.meta.dirname, name), 'utf8')
      const imported = [...source.matchAll(/(?:from|import|require) *\(? *'([^']+)'/g)].map(
        ([, from]) => from,
      )
      for (const from of imported) expect(['node:fs', 'node:path', './gazetteer.ts']).toContain(from)
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

import { fold, type Gazetteer } from './gazetteer.ts'

export interface Position {
  latitude: number
  longitude: number
}

/** An angle as written: `axis` is known where a letter for the hemisphere says so. */
interface Angle {
  degrees: number
  axis?: 'latitude' | 'longitude'
}

const longestText = 256
const controlCharacter = /[^\P{Cc}\t]/u

/** Sign or letter, degrees, minutes, seconds, letter. Texts are tidy by then: spaces are single. */
const anglePattern =
  /^(?:([-+])|([NSEW]) ?)?(\d{1,3}(?:\.\d+)?)(?:(?: ?° ?| )(\d{1,2}(?:\.\d+)?)(?:(?: ?' ?| )(\d{1,2}(?:\.\d+)?)(?: ?")?|(?: ?')?)|(?: ?°)?)(?: ?([NSEW]))?$/
const exponent = /\d\.?E[-+]?\d/
/** A word of which coordinates are made; a letter in it stands alone. */
const coordinateWord = /^(?:[-+]?(?:NAN|INF|INFINITY)|(?:[-+.\d°'"]|[NSEW](?![A-Z]))+)$/
const spaceBeforeDegrees = / (?=[-+]?\d{1,3}(?:\.\d+)?°)/

const label = '(LAT|LATITUDE|LON|LONG|LNG|LONGITUDE)'
const startsLabelled = new RegExp(`^${label} ?[=:]`)
const labelledPair = new RegExp(`^${label} ?[=:] ?([^=:,;&]+?)(?: ?[,;&] ?| )${label} ?[=:] ?([^=:,;&]+)$`)
const geoUri = /^GEO:(-?\d+(?:\.\d+)?),(-?\d+(?:\.\d+)?)(?:,-?\d+(?:\.\d+)?)?(?:;(.*))?$/
const geoParameter = /^([A-Z\d-]+)(?:=([\w.!~*'()[\]:&+$%-]+))?$/

/**
 * Where a text says that something is: decimal degrees, degrees with minutes and seconds, `lat=…,lon=…`, a `geo:` URI
 * or the name of a place. What looks like coordinates and is wrong is never taken for a name.
 */
export function locationOf(text: string, gazetteer: Gazetteer): Position | undefined {
  if (text.length > longestText || controlCharacter.test(text)) return undefined
  const tidy = tidied(text)
  if (tidy.startsWith('GEO:')) return fromGeoUri(tidy)
  if (startsLabelled.test(tidy)) return fromLabels(tidy)
  if (looksLikeCoordinates(tidy) || text.trim() === 'NaN') return fromPair(tidy)
  return fromPlace(text, gazetteer)
}

function tidied(text: string): string {
  return text
    .replaceAll('\u2212', '-')
    .replaceAll(/[º˚]/g, '°')
    .replaceAll(/[’‘′´]/g, "'")
    .replaceAll(/[”“″]|''/g, '"')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toUpperCase()
}

/** `Nan` is a town in Thailand; `NaN, NaN` is a program's mistake. */
function looksLikeCoordinates(tidy: string): boolean {
  const words = tidy.split(/[ ,;]+/).filter((word) => word !== '')
  return words.every((word) => coordinateWord.test(word)) && (/\d/.test(tidy) || words.length > 1)
}

/** RFC 5870: other reference systems than WGS 84 have other numbers for the same spot. */
function fromGeoUri(tidy: string): Position | undefined {
  const [, latitude, longitude, parameters] = geoUri.exec(tidy) ?? []
  for (const text of parameters?.split(';') ?? []) {
    const [, name, value] = geoParameter.exec(text) ?? []
    if (name === undefined) return undefined
    if (name === 'CRS' && value !== 'WGS84') return undefined
    if (name === 'U' && !/^\d+(?:\.\d+)?$/.test(value ?? '')) return undefined
  }
  return positionOf(Number(latitude), Number(longitude))
}

function fromLabels(tidy: string): Position | undefined {
  const [, firstLabel = '', firstText = '', secondLabel = '', secondText = ''] = labelledPair.exec(tidy) ?? []
  return fromAngles(angleOf(firstText, axisOf(firstLabel)), angleOf(secondText, axisOf(secondLabel)))
}

const axisOf = (word: string) => (word.startsWith('LA') ? 'latitude' : 'longitude')

function fromPair(tidy: string): Position | undefined {
  if (exponent.test(tidy)) return undefined
  const [first, second, ...more] = halvesOf(tidy)
  if (first === undefined || second === undefined || more.length > 0) return undefined
  return fromAngles(angleOf(first.trim()), angleOf(second.trim()))
}

/** At the comma or semicolon; without one at the letter, at the second degree sign or at the only space. */
function halvesOf(tidy: string): string[] {
  if (/[,;]/.test(tidy)) return tidy.split(/[,;]/)
  const [first, second, ...more] = [...tidy.matchAll(/[NSEW]/g)].map(({ index }) => index)
  if (first !== undefined) {
    if (second === undefined || more.length > 0) return []
    const cut = first === 0 ? second : first + 1
    return [tidy.slice(0, cut), tidy.slice(cut)]
  }
  return tidy.split(tidy.includes('°') ? spaceBeforeDegrees : ' ')
}

function angleOf(text: string, axis?: Angle['axis']): Angle | undefined {
  const match = anglePattern.exec(text)
  if (match === null) return undefined
  const [, sign, before, degrees = '', minutes, seconds, after] = match
  const letter = before ?? after
  if (letter !== undefined && (sign !== undefined || (before !== undefined && after !== undefined)))
    return undefined
  // Only the smallest unit has a fraction.
  if (minutes !== undefined && degrees.includes('.')) return undefined
  if (seconds !== undefined && minutes?.includes('.')) return undefined
  if (Number(minutes ?? 0) >= 60 || Number(seconds ?? 0) >= 60) return undefined
  const size = Number(degrees) + Number(minutes ?? 0) / 60 + Number(seconds ?? 0) / 3600
  const said = letter === undefined ? undefined : /[NS]/.test(letter) ? 'latitude' : 'longitude'
  if (axis !== undefined && said !== undefined && axis !== said) return undefined
  const known = axis ?? said
  const isNegative = sign === '-' || letter === 'S' || letter === 'W'
  return { degrees: isNegative ? -size : size, ...(known && { axis: known }) }
}

/** Latitude comes first unless both angles say what they are. */
function fromAngles(first: Angle | undefined, second: Angle | undefined): Position | undefined {
  if (first === undefined || second === undefined) return undefined
  if (first.axis === undefined && second.axis === undefined) return positionOf(first.degrees, second.degrees)
  if (first.axis === 'latitude' && second.axis === 'longitude') {
    return positionOf(first.degrees, second.degrees)
  }
  if (first.axis === 'longitude' && second.axis === 'latitude') {
    return positionOf(second.degrees, first.degrees)
  }
  return undefined
}

/** Also refuses what is no number at all. */
function positionOf(latitude: number, longitude: number): Position | undefined {
  if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) return undefined
  return { latitude: rounded(latitude), longitude: rounded(longitude) }
}

/** To a tenth of a metre; adding 0 makes 0 of -0. */
const rounded = (degrees: number) => Math.round(degrees * 1e6) / 1e6 + 0

/**
 * The parts between commas are read from the last to the first. Those at the end that name a country or a division
 * hold the place: it is the last part before them that is a place in all of them. Where there is none, the
 * regions' own names are tried, each within those after it: `Lab 1, Singapore` is in the town, and
 * `Bristol, France` is nowhere rather than in England. Parts that nobody knows (`Lab 1`) are passed over.
 */
function fromPlace(text: string, gazetteer: Gazetteer): Position | undefined {
  const parts = text
    .split(',')
    .map(fold)
    .filter((part) => part !== '')
  let names = parts.length
  while (names > 0 && gazetteer.isRegion(parts[names - 1] ?? '')) names--
  const regions = parts.slice(names)
  const tries = [
    ...parts
      .slice(0, names)
      .toReversed()
      .map((name) => [name, ...regions] as const),
    ...regions.map((name, n) => [name, ...regions.slice(n + 1)] as const),
  ]
  for (const [name, ...within] of tries) {
    const place = gazetteer.find(name, ...within)
    if (place !== undefined) return positionOf(place.latitude, place.longitude)
  }
  return undefined
}

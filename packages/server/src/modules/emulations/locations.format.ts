import { fold, type Gazetteer } from './gazetteer.store.ts'

export interface Position {
  latitude: number
  longitude: number
}

/** An angle as written. `axis` is set where a letter names the hemisphere. */
interface Angle {
  degrees: number
  axis?: 'latitude' | 'longitude'
}

const maxLength = 256
const controlCharacter = /[^\P{Cc}\t]/u

/** Sign or letter, degrees, minutes, seconds, letter. For normalized texts: spaces are single. */
const anglePattern =
  /^(?:([-+])|([NSEW]) ?)?(\d{1,3}(?:\.\d+)?)(?:(?: ?° ?| )(\d{1,2}(?:\.\d+)?)(?:(?: ?' ?| )(\d{1,2}(?:\.\d+)?)(?: ?")?|(?: ?')?)|(?: ?°)?)(?: ?([NSEW]))?$/
const exponent = /\d\.?E[-+]?\d/
/** A token of coordinates; a letter in it stands alone. */
const coordinateToken = /^(?:[-+]?(?:NAN|INF|INFINITY)|(?:[-+.\d°'"]|[NSEW](?![A-Z]))+)$/
const spaceBeforeDegrees = / (?=[-+]?\d{1,3}(?:\.\d+)?°)/

const label = '(LAT|LATITUDE|LON|LONG|LNG|LONGITUDE)'
const startsLabelled = new RegExp(`^${label} ?[=:]`)
const labelledPair = new RegExp(`^${label} ?[=:] ?([^=:,;&]+?)(?: ?[,;&] ?| )${label} ?[=:] ?([^=:,;&]+)$`)
const geoUri = /^GEO:(-?\d+(?:\.\d+)?),(-?\d+(?:\.\d+)?)(?:,-?\d+(?:\.\d+)?)?(?:;(.*))?$/
const geoParameter = /^([A-Z\d-]+)(?:=([\w.!~*'()[\]:&+$%-]+))?$/

/**
 * Parses decimal degrees, degrees with minutes and seconds, `lat=…,lon=…`, a `geo:` URI or the name of a place. Invalid
 * coordinates are never looked up as a name.
 */
export function locationOf(text: string, gazetteer: Gazetteer): Position | undefined {
  if (text.length > maxLength || controlCharacter.test(text)) return undefined
  const tidy = normalized(text)
  if (tidy.startsWith('GEO:')) return fromGeoUri(tidy)
  if (startsLabelled.test(tidy)) return fromLabels(tidy)
  if (looksLikeCoordinates(tidy) || text.trim() === 'NaN') return fromPair(tidy)
  return fromPlace(text, gazetteer)
}

function normalized(text: string): string {
  return text
    .replaceAll('\u2212', '-')
    .replaceAll(/[º˚]/g, '°')
    .replaceAll(/[’‘′´]/g, "'")
    .replaceAll(/[”“″]|''/g, '"')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toUpperCase()
}

/** `Nan` is a town in Thailand; `NaN, NaN` is the mistake of a program. */
function looksLikeCoordinates(tidy: string): boolean {
  const tokens = tidy.split(/[ ,;]+/).filter((token) => token !== '')
  return tokens.every((token) => coordinateToken.test(token)) && (/\d/.test(tidy) || tokens.length > 1)
}

/** RFC 5870. Reference systems other than WGS 84 are refused: they have other numbers for the same position. */
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

const axisOf = (name: string) => (name.startsWith('LA') ? 'latitude' : 'longitude')

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
  const stated = letter === undefined ? undefined : /[NS]/.test(letter) ? 'latitude' : 'longitude'
  if (axis !== undefined && stated !== undefined && axis !== stated) return undefined
  const known = axis ?? stated
  const isNegative = sign === '-' || letter === 'S' || letter === 'W'
  return { degrees: isNegative ? -size : size, ...(known && { axis: known }) }
}

/** Latitude comes first unless both angles name their axis. */
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

/** Also refuses NaN. */
function positionOf(latitude: number, longitude: number): Position | undefined {
  if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) return undefined
  return { latitude: rounded(latitude), longitude: rounded(longitude) }
}

/** To a tenth of a metre; adding 0 turns -0 into 0. */
const rounded = (degrees: number) => Math.round(degrees * 1e6) / 1e6 + 0

/**
 * The parts between commas are read from the last to the first. Parts at the end that name a country or a division are
 * the regions; the place is the last part before them that lies in all of them. Without one, the names of the regions are
 * looked up, each within those after it: `Lab 1, Singapore` is in the town, and `Bristol, France` is not found rather than
 * in England. Unknown parts (`Lab 1`) are skipped.
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

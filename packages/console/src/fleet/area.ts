import type { FleetAgent } from '@manc/sdk'

/** Metres per degree of latitude. */
export const metresPerDegree = 111_320

/** Bounds in degrees. */
export type Area = [west: number, south: number, east: number, north: number]
type Position = FleetAgent['position']

/** The bounds of all positions; undefined without any position. */
export function areaOf(agents: readonly { position: Position }[]): Area | undefined {
  let area: Area | undefined
  for (const { position } of agents) {
    if (!position) continue
    const { longitude: x, latitude: y } = position
    const [west, south, east, north] = area ?? [x, y, x, y]
    area = [Math.min(west, x), Math.min(south, y), Math.max(east, x), Math.max(north, y)]
  }
  return area
}

export const isWithin = (position: Position, [west, south, east, north]: Area): boolean =>
  position !== null &&
  position.latitude >= south &&
  position.latitude <= north &&
  // The longitude of a map that was panned around the world goes beyond ±180.
  [-360, 0, 360].some((turn) => position.longitude + turn >= west && position.longitude + turn <= east)

/** The fragment of the address of the network page that shows an area. */
export const areaHash = (area: Area): string => `area=${area.join(',')}`

/** Reads the fragment of an address; undefined if it is not a valid area. */
export function parseAreaHash(hash: string): Area | undefined {
  const numbers = (new URLSearchParams(hash).get('area') ?? '').split(',').map(Number)
  const [west = 0, south = 0, east = 0, north = 0] = numbers
  const isInRange = numbers.length === 4 && numbers.every((each) => Math.abs(each) <= 180)
  return isInRange && south <= north && Math.abs(south) <= 85 && Math.abs(north) <= 85
    ? [west, south, east, north]
    : undefined
}

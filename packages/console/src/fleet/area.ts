import type { FleetAgent } from '@manc/sdk'

/** Of latitude. */
export const metresPerDegree = 111_320

/** In degrees. */
export type Area = [west: number, south: number, east: number, north: number]
type Position = FleetAgent['position']

/** Where they are; undefined where nobody is anywhere. */
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
  // A map that was turned around the world goes on counting.
  [-360, 0, 360].some((turn) => position.longitude + turn >= west && position.longitude + turn <= east)

/** What follows `#` in the address of the network page, to look at some of it. */
export const hashOf = (area: Area): string => `area=${area.join(',')}`

/** Out of an address that anybody may have written. */
export function areaIn(hash: string): Area | undefined {
  const numbers = (new URLSearchParams(hash).get('area') ?? '').split(',').map(Number)
  const [west = 0, south = 0, east = 0, north = 0] = numbers
  const fits = numbers.length === 4 && numbers.every((each) => Math.abs(each) <= 180)
  return fits && south <= north && Math.abs(south) <= 85 && Math.abs(north) <= 85
    ? [west, south, east, north]
    : undefined
}

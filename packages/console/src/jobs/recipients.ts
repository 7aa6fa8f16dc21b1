import type { Box, CommandToMany, FleetAgent, Technology } from '@manc/sdk'

/** Who is meant: access points that fit all that is said. */
export interface Selection {
  technology: Technology | undefined
  area: Box | undefined
  ids: string[]
}

export const hasFilter = ({ technology, area, ids }: Selection): boolean =>
  technology !== undefined || area !== undefined || ids.length > 0

/** `west,south,east,north`; undefined where it is not that. */
export function areaIn(text: string): Box | undefined {
  const words = text.split(',').map((word) => word.trim())
  if (words.length !== 4 || words.some((word) => word === '')) return undefined
  const [west, south, east, north] = words.map(Number) as [number, number, number, number]
  const fits = Math.abs(west) <= 180 && Math.abs(east) <= 180 && south >= -90 && north <= 90 && south <= north
  return fits ? { west, south, east, north } : undefined
}

export const areaText = ({ west, south, east, north }: Box): string =>
  [west, south, east, north].map((degrees) => Number(degrees.toFixed(5))).join(',')

/** Between two corners, whichever they are. */
export function areaBetween(
  a: { latitude: number; longitude: number },
  b: { latitude: number; longitude: number },
): Box {
  return {
    west: Math.min(a.longitude, b.longitude),
    south: Math.min(a.latitude, b.latitude),
    east: Math.max(a.longitude, b.longitude),
    north: Math.max(a.latitude, b.latitude),
  }
}

/** However they are listed. */
export const idsIn = (text: string): string[] => [...new Set(text.split(/[\s,;]+/).filter((id) => id !== ''))]

export function bodyOf(command: string, { technology, area, ids }: Selection): CommandToMany {
  return {
    command: command.trim(),
    ...(technology && { technology }),
    ...(area && { area }),
    ...(ids.length > 0 && { agents: ids }),
  }
}

interface Reach {
  total: number
  online: number
  /** Of the ids, those that are not there or do not fit. */
  unknown: string[]
}

/** How many it will reach, of those that fit technology and area. */
export function countRecipients(agents: readonly FleetAgent[], ids: readonly string[]): Reach {
  const wanted = new Set(ids)
  const meant = ids.length === 0 ? agents : agents.filter(({ ap_id: id }) => wanted.has(id))
  for (const { ap_id: id } of meant) wanted.delete(id)
  return {
    total: meant.length,
    online: meant.filter(({ state }) => state === 'online').length,
    unknown: [...wanted],
  }
}

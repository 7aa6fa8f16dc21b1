import type { Box, CommandToMany, EmulatedChoice, FleetAgent, Technology } from '@manc/sdk'

/** The filters that the recipients match. */
export interface Recipients {
  technology: Technology | undefined
  area: Box | undefined
  ids: string[]
  /** Ignored with IDs: those are always included. */
  emulated: EmulatedChoice
}

/** As for the command: emulated access points of others only on request, or by their IDs. */
export const emulatedOf = ({ ids, emulated }: Recipients): EmulatedChoice =>
  ids.length > 0 ? 'all' : emulated

export const hasFilter = ({ technology, area, ids }: Recipients): boolean =>
  technology !== undefined || area !== undefined || ids.length > 0

/** Parses `west,south,east,north`; undefined for any other text. */
export function parseArea(text: string): Box | undefined {
  const parts = text.split(',').map((part) => part.trim())
  if (parts.length !== 4 || parts.some((part) => part === '')) return undefined
  const [west, south, east, north] = parts.map(Number) as [number, number, number, number]
  const isValid =
    Math.abs(west) <= 180 && Math.abs(east) <= 180 && south >= -90 && north <= 90 && south <= north
  return isValid ? { west, south, east, north } : undefined
}

export const formatArea = ({ west, south, east, north }: Box): string =>
  [west, south, east, north].map((degrees) => Number(degrees.toFixed(5))).join(',')

/** The area between two opposite corners, in any order. */
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

/** Splits at commas, semicolons and white space. */
export const parseIds = (text: string): string[] => [
  ...new Set(text.split(/[\s,;]+/).filter((id) => id !== '')),
]

export function commandBody(command: string, recipients: Recipients): CommandToMany {
  const { technology, area, ids } = recipients
  return {
    command: command.trim(),
    ...(technology && { technology }),
    ...(area && { area }),
    ...(ids.length > 0 && { agents: ids }),
    emulated: emulatedOf(recipients),
  }
}

export interface RecipientCount {
  total: number
  online: number
  /** Listed IDs that do not exist or do not match. */
  unknown: string[]
}

/** Counts the recipients among the agents that match technology and area. */
export function countRecipients(agents: readonly FleetAgent[], ids: readonly string[]): RecipientCount {
  const missing = new Set(ids)
  const recipients = ids.length === 0 ? agents : agents.filter(({ ap_id: id }) => missing.has(id))
  for (const { ap_id: id } of recipients) missing.delete(id)
  return {
    total: recipients.length,
    online: recipients.filter(({ state }) => state === 'online').length,
    unknown: [...missing],
  }
}

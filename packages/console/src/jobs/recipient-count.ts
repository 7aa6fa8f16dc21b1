import type { FleetAgent, FleetFilter, Manc } from '@manc/sdk'
import { countRecipients, type RecipientCount } from './recipients.ts'

/** IDs that are read by their IDs. For more, all access points that match are read. */
export const maxReadById = 1000
/** Of one request. */
const idsPerRequest = 100
const maxIdLength = 64

type Which = Omit<FleetFilter, 'sort'> & { signal: AbortSignal }

/** Counts on the server, unless IDs are listed. */
export async function readRecipientCount(
  manc: Pick<Manc, 'fleet'>,
  which: Which,
  ids: readonly string[],
): Promise<RecipientCount> {
  if (ids.length > 0) return countRecipients(await agentsOf(manc, which, ids), ids)
  const [all, online] = await Promise.all([
    manc.fleet.table({ ...which, limit: 1 }),
    manc.fleet.table({ ...which, state: ['online'], limit: 1 }),
  ])
  return { total: all.total, online: online.total, unknown: [] }
}

async function agentsOf(
  manc: Pick<Manc, 'fleet'>,
  which: Which,
  ids: readonly string[],
): Promise<FleetAgent[]> {
  if (ids.length > maxReadById) return Array.fromAsync(manc.fleet.agents(which))
  const possible = ids.filter((id) => id.length <= maxIdLength)
  const found: FleetAgent[] = []
  for (let from = 0; from < possible.length; from += idsPerRequest) {
    const some = possible.slice(from, from + idsPerRequest)
    for await (const agent of manc.fleet.agents({ ...which, ids: some })) found.push(agent)
  }
  return found
}

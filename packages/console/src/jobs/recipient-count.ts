import type { FleetAgent, FleetFilter, Manc } from '@manc/sdk'
import { countRecipients, type RecipientCount } from './recipients.ts'

/** IDs that are searched one by one. For more, all access points that match are read. */
export const maxSearched = 20

/** Counts on the server, unless IDs are listed. */
export async function readRecipientCount(
  manc: Pick<Manc, 'fleet'>,
  which: Omit<FleetFilter, 'sort'> & { signal: AbortSignal },
  ids: readonly string[],
): Promise<RecipientCount> {
  if (ids.length === 0) {
    const [all, online] = await Promise.all([
      manc.fleet.table({ ...which, limit: 1 }),
      manc.fleet.table({ ...which, state: ['online'], limit: 1 }),
    ])
    return { total: all.total, online: online.total, unknown: [] }
  }
  if (ids.length > maxSearched) return countRecipients(await Array.fromAsync(manc.fleet.agents(which)), ids)
  const found = await Promise.all(ids.map((id) => findRecipient(manc, which, id)))
  return countRecipients(found.flat(), ids)
}

/** The search also finds IDs that contain this one. */
async function findRecipient(
  manc: Pick<Manc, 'fleet'>,
  which: Omit<FleetFilter, 'sort'> & { signal: AbortSignal },
  id: string,
): Promise<FleetAgent[]> {
  for await (const agent of manc.fleet.agents({ ...which, search: id.slice(0, 128), pageSize: 20 }))
    if (agent.ap_id === id) return [agent]
  return []
}

import type { AgentClientsMessage, AttachedClient } from '@manc/contract'
import { clientSnapshotS, maxReportedClients } from '@manc/contract/topics'

/** Part of the interval by which snapshots are spread. */
const jitter = 0.25
/** A later start is another attachment; less is the difference of clocks. */
const sameAttachmentMs = 5000

/** Messages about the clients of an access point, from lists of all that are attached. */
export class ClientReports {
  #known: Map<string, AttachedClient> | undefined
  #snapshotDueMs = 0

  /** The next message is a snapshot: the controller may have missed the last one. */
  reset(): void {
    this.#known = undefined
  }

  /** Undefined if nothing has changed. Later changes of signal and rate are in the next snapshot. */
  next(clients: readonly AttachedClient[], nowMs = Date.now()): AgentClientsMessage | undefined {
    const attached = clients.slice(0, maxReportedClients)
    const before = this.#known
    this.#known = new Map(attached.map((each) => [each.client, each]))
    if (!before || nowMs >= this.#snapshotDueMs) {
      this.#snapshotDueMs = nowMs + clientSnapshotS * 1000 * (1 - jitter * Math.random())
      return { snapshot: true, joined: attached }
    }
    const joined = attached.filter((each) => hasJoined(each, before.get(each.client)))
    const left = [...before.keys()].filter((client) => !this.#known?.has(client))
    if (joined.length === 0 && left.length === 0) return undefined
    const at = new Date(nowMs).toISOString()
    return { joined, left: left.map((client) => ({ client, at })) }
  }
}

/** Or left and returned meanwhile: the controller may have seen it elsewhere. */
function hasJoined({ since }: AttachedClient, known: AttachedClient | undefined): boolean {
  if (!known) return true
  if (since === undefined || known.since === undefined) return false
  return Date.parse(since) > Date.parse(known.since) + sameAttachmentMs
}

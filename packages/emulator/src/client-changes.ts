import type { AgentClientsMessage, AttachedClient, ClientLeaveReason } from '@manc/contract'
import { maxHeardAccessPoints, maxReportedClients } from '@manc/contract/topics'
import type { MoveCause, World } from './world/index.ts'

interface Left {
  s: number
  reason: ClientLeaveReason
}

interface Heard {
  id: string
  technology: string
  signal: number
}

/** What has changed at one access point since its last report. */
interface Changes {
  joined: Set<number>
  left: Map<number, Left>
  /** Too many: only all clients tell what has changed. */
  isIncomplete: boolean
}

/** Which clients of a world have joined and left each access point, for the reports of its agents. */
export class ClientChanges {
  readonly #world: World
  readonly #startMs: number
  readonly #changes = new Map<number, Changes>()

  constructor(world: World, startMs: number) {
    this.#world = world
    this.#startMs = startMs
  }

  /** The moves of the current second. */
  record(): void {
    const { moves, second } = this.#world
    for (const { client, from, to, cause } of moves) {
      if (from >= 0) this.#leave(from, client, { s: second, reason: reasonOf(to, cause) })
      if (to >= 0) this.#join(to, client)
    }
  }

  /** Undefined where nothing has changed. */
  take(apId: string, isSnapshot: boolean): AgentClientsMessage | undefined {
    const accessPoint = this.#world.accessPointOf(apId)
    if (!accessPoint) return undefined
    const changes = this.#changes.get(accessPoint.index)
    this.#changes.delete(accessPoint.index)
    if (isSnapshot || changes?.isIncomplete) {
      const attached = this.#world.clientsOf(accessPoint).slice(0, maxReportedClients)
      return {
        snapshot: true,
        joined: attached.map((client) => ({ ...this.#attached(client), ...this.#measured(client) })),
      }
    }
    if (!changes || changes.joined.size + changes.left.size === 0) return undefined
    return {
      joined: [...changes.joined].map((client) => this.#attached(client)),
      left: Array.from(changes.left, ([client, { s, reason }]) => ({
        client: this.#world.clientId(client),
        at: this.#timeOf(s),
        reason,
      })),
    }
  }

  #join(accessPoint: number, client: number): void {
    const changes = this.#of(accessPoint)
    if (changes.isIncomplete) return
    changes.left.delete(client)
    changes.joined.add(client)
    this.#bound(changes)
  }

  #leave(accessPoint: number, client: number, left: Left): void {
    const changes = this.#of(accessPoint)
    if (changes.isIncomplete) return
    changes.joined.delete(client)
    changes.left.set(client, left)
    this.#bound(changes)
  }

  #of(accessPoint: number): Changes {
    let changes = this.#changes.get(accessPoint)
    if (!changes) {
      changes = { joined: new Set(), left: new Map(), isIncomplete: false }
      this.#changes.set(accessPoint, changes)
    }
    return changes
  }

  #bound(changes: Changes): void {
    if (changes.joined.size + changes.left.size <= maxReportedClients) return
    changes.isIncomplete = true
    changes.joined.clear()
    changes.left.clear()
  }

  #attached(client: number): AttachedClient {
    const { id, accessPoint, sinceS, signal, rateMbps } = this.#world.clientState(client)
    const isLight =
      accessPoint !== undefined && this.#world.accessPointOf(accessPoint)?.spec.technology === 'LiFi'
    return {
      client: id,
      since: this.#timeOf(sinceS),
      ...(Number.isFinite(signal) && { [isLight ? 'snr_db' : 'signal_dbm']: rounded(signal) }),
      rate_mbps: rounded(rateMbps),
    }
  }

  /** What the client receives and hears: only in snapshots, because it changes all the time. */
  #measured(client: number): Pick<AttachedClient, 'throughput_mbps' | 'heard'> {
    const heard: Heard[] = []
    this.#world.heardBy(client, (index, signal) => {
      const spec = this.#world.accessPoints[index]?.spec
      if (spec && Number.isFinite(signal)) heard.push({ id: spec.id, technology: spec.technology, signal })
    })
    return {
      throughput_mbps: rounded(this.#world.clientState(client).deliveredMbps),
      heard: Object.fromEntries(bestOf(heard).map(({ id, signal }) => [id, rounded(signal)])),
    }
  }

  #timeOf(s: number): string {
    return new Date(this.#startMs + s * 1000).toISOString()
  }
}

/** The strongest of each technology. Signals of different technologies have no order. */
function bestOf(heard: readonly Heard[]): Heard[] {
  const places = new Map<string, number>()
  return heard
    .toSorted((a, b) => b.signal - a.signal)
    .map((each) => {
      const place = places.get(each.technology) ?? 0
      places.set(each.technology, place + 1)
      return { each, place }
    })
    .toSorted((a, b) => a.place - b.place)
    .slice(0, maxHeardAccessPoints)
    .map(({ each }) => each)
}

function reasonOf(to: number, cause: MoveCause): ClientLeaveReason {
  if (to >= 0) return 'moved'
  return cause === 'lost' ? 'dropped' : 'left'
}

const rounded = (value: number) => Math.round(value * 10) / 10

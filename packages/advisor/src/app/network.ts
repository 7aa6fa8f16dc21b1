import type { FleetAgent, Manc } from '@manc/sdk'
import type { Technology } from '../view.types.ts'
import type { Log } from './log.ts'
import { backoffMs, wait } from './wait.ts'

/** The limits of one subscription, and of the address of its request. */
const maxWatched = 256
const maxAddressLength = 8000
/** A sample that is older says nothing about now. */
const maxAgeMs = 30_000
const logEveryMs = 60_000

export interface AccessPoint extends Omit<FleetAgent, 'technology' | 'position'> {
  technology: Technology
  position: { latitude: number; longitude: number }
}

interface Sample {
  /** By the clock of this machine. */
  receivedMs: number
  time: Date
  values: Record<string, number | string>
}

/** The last samples of access points. */
export type Telemetry = Pick<Network, 'sampleOf' | 'valueOf'>

/** Access points of the technologies that a policy knows, with their last samples. */
export class Network {
  /** With a position, by id. */
  accessPoints: ReadonlyMap<string, AccessPoint> = new Map()
  readonly #manc: Manc
  readonly #log: Log
  readonly #maxAccessPoints: number
  readonly #samples = new Map<string, Sample>()
  #watching: { key: string; stop: AbortController } | undefined
  #loggedMs = 0

  constructor(manc: Manc, { maxAccessPoints, log }: { maxAccessPoints: number; log: Log }) {
    this.#manc = manc
    this.#maxAccessPoints = maxAccessPoints
    this.#log = log
  }

  /** Reads the list, and watches what it has. */
  async read(signal: AbortSignal): Promise<void> {
    const found = new Map<string, AccessPoint>()
    let unplaced = 0
    let omitted = 0
    // Emulated access points of others are listed only on request; permissions restrict the list anyway.
    for await (const agent of this.#manc.fleet.agents({ emulated: 'all', signal })) {
      const { ap_id: id, technology, position } = agent
      if (!isKnown(technology)) continue
      if (!position) unplaced += 1
      else if (found.size >= this.#maxAccessPoints) omitted += 1
      else found.set(id, { ...agent, technology, position })
      // The rest of a large fleet is not read.
      if (omitted > 0) break
    }
    this.accessPoints = found
    for (const id of this.#samples.keys()) if (!found.has(id)) this.#samples.delete(id)
    this.#watch([...found.keys()], signal)
    this.#report(unplaced, omitted)
  }

  /** The last sample, unless it is too old. */
  sampleOf(id: string, nowMs = Date.now()): Sample | undefined {
    const sample = this.#samples.get(id)
    return sample && nowMs - sample.receivedMs <= maxAgeMs ? sample : undefined
  }

  /** A metric of the last sample; undefined if it is unknown. */
  valueOf(id: string, metric: string): number | undefined {
    const value = this.sampleOf(id)?.values[metric]
    return typeof value === 'number' && Number.isFinite(value) ? value : undefined
  }

  #report(unplaced: number, omitted: number): void {
    const isQuiet = Date.now() - this.#loggedMs < logEveryMs
    if (isQuiet || unplaced + omitted === 0) return
    this.#loggedMs = Date.now()
    if (unplaced > 0)
      this.#log(`${unplaced} access points have no position and are left out. Set configuration.geolocation.`)
    if (omitted > 0)
      this.#log(
        `There are more than ${this.#maxAccessPoints} access points; the others are left out. Raise MANC_ADVISOR_ACCESS_POINTS, or start another advisor with an app for the others.`,
      )
  }

  /** Subscribes to all of them, if they are others than before. */
  #watch(ids: string[], signal: AbortSignal): void {
    const key = ids.join(' ')
    if (this.#watching?.key === key) return
    this.#watching?.stop.abort()
    const stop = new AbortController()
    this.#watching = { key, stop }
    const either = AbortSignal.any([signal, stop.signal])
    for (const watched of subscriptionsOf(ids)) void this.#follow(watched, either)
  }

  /** Never throws: subscribes again until it is stopped. */
  async #follow(ids: readonly string[], signal: AbortSignal): Promise<void> {
    for (let failures = 0; !signal.aborted; failures++) {
      try {
        for await (const { agent_id: id, time, values } of this.#manc.telemetry.watch(ids, { signal })) {
          failures = 0
          this.#samples.set(id, { receivedMs: Date.now(), time: new Date(time), values })
        }
      } catch (error) {
        if (signal.aborted) return
        this.#log(
          `live samples of ${ids.length} access points: ${(error as Error).message} Subscribing again.`,
        )
      }
      await wait(backoffMs(failures), signal)
    }
  }
}

function subscriptionsOf(ids: readonly string[]): string[][] {
  const all: string[][] = []
  let length = Number.POSITIVE_INFINITY
  for (const id of ids) {
    const added = `&agent_id=${encodeURIComponent(id)}`.length
    if (length + added > maxAddressLength || all.at(-1)?.length === maxWatched) {
      all.push([])
      length = 0
    }
    all.at(-1)?.push(id)
    length += added
  }
  return all
}

const isKnown = (technology: FleetAgent['technology']): technology is Technology => technology !== 'other'

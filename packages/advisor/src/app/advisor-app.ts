import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, Manc, NotAllowed, NotLoggedIn } from '@manc/sdk'
import { Area } from './area.ts'
import { divide } from './areas.ts'
import { Decisions } from './decisions.ts'
import type { Log } from './log.ts'
import { type AccessPoint, Network } from './network.ts'
import { type Plan, plansOf } from './plans.ts'
import type { Settings } from './settings.ts'
import { backoffMs, wait } from './wait.ts'

interface Options extends Settings {
  log: Log
}

/** How often lists are read, in milliseconds. */
const intervals = { fleet: 30_000, clients: 5000, decisions: 2000, report: 60_000 }
/** Of the time, at most this part is spent with reading clients. */
const readingPart = 0.2
/** Policies plan in seconds that are multiples of this. */
const roundS = 5
const maxPerArea = 400
/** In mode `act` also `commands:send`. */
const scopes = ['agents:read', 'metrics:read', 'clients:read', 'decisions:read', 'decisions:write']

/** Reads the network through the SDK, lets a policy decide, and records, proposes or executes what it decides. */
export class AdvisorApp {
  readonly #options: Options
  readonly #manc: Manc
  readonly #network: Network
  readonly #decisions: Decisions
  #areas: Area[] = []
  /** Attached ones, by id. */
  #clients: ReadonlyMap<string, Client> = new Map()
  readonly #dueMs = { fleet: 0, clients: 0, decisions: 0, report: 0 }
  #lastS = 0

  constructor(options: Options) {
    const { url, appName, apiKey, tls } = options
    this.#options = options
    this.#manc = new Manc({
      url,
      ...(tls && { tls }),
      credentials: { loginType: 'third_party_app', username: appName, password: apiKey },
    })
    this.#network = new Network(this.#manc, options)
    this.#decisions = new Decisions(this.#manc, options)
  }

  /** Until the signal is aborted. Throws if the controller refuses the app at the start. */
  async run(signal: AbortSignal): Promise<void> {
    const { url, policy, mode, log } = this.#options
    try {
      await this.#begin(signal)
      log(`policy ${policy.name} in mode ${mode} for ${url}`)
      for (let failures = 0; !signal.aborted; ) {
        try {
          await this.#tick(signal)
          failures = 0
          await wait(1000 - (Date.now() % 1000), signal)
        } catch (error) {
          if (signal.aborted) break
          // The SDK has retried for a while. Permissions may have been changed, and may be changed again.
          const pauseMs = backoffMs(failures)
          failures += 1
          log(`${(error as Error).message} Continuing in ${Math.ceil(pauseMs / 1000)} s.`)
          await wait(pauseMs, signal)
        }
      }
    } catch (error) {
      if (!signal.aborted) throw error
    }
    log('stopped')
  }

  /** Waits for a controller that cannot be reached. */
  async #begin(signal: AbortSignal): Promise<void> {
    for (let failures = 0; ; failures++) {
      try {
        await this.#manc.logIn(undefined, { signal })
        await this.#decisions.restore(signal)
        await this.#network.read(signal)
        await this.#manc.clients.list({ pageSize: 1, signal }).next()
        return
      } catch (error) {
        if (error instanceof NotAllowed)
          throw new Error(`${error.message} The app needs the scopes ${scopes.join(', ')}.`, { cause: error })
        if (signal.aborted || error instanceof NotLoggedIn) throw error
        this.#options.log(`${(error as Error).message} Trying again.`)
        await sleep(backoffMs(failures), undefined, { signal })
      }
    }
  }

  async #tick(signal: AbortSignal): Promise<void> {
    if (this.#isDue('fleet')) {
      await this.#network.read(signal)
      this.#divide()
      this.#setDue('fleet')
    }
    const s = this.#second()
    for (const area of this.#areas) area.observe(this.#network, (apId) => this.#decisions.isAsleep(apId))
    if (this.#isDue('clients')) await this.#readClients(s, signal)
    if (this.#isDue('decisions')) {
      await this.#decisions.follow(this.#clients, signal)
      this.#setDue('decisions')
    }
    if (s > this.#lastS) {
      this.#lastS = s
      await this.#decisions.create(
        this.#areas.flatMap((area) => this.#plansOf(area, s)),
        signal,
      )
    }
    this.#report()
  }

  /** Of a round that was missed while something was read, the second of that round. */
  #second(): number {
    const nowS = Math.floor(Date.now() / 1000)
    const round = nowS - (nowS % roundS)
    return this.#lastS > 0 && round > this.#lastS ? round : nowS
  }

  #plansOf(area: Area, s: number): Plan[] {
    const { policy, mode, expiresS } = this.#options
    const proposals = area.decide(s).filter((proposal) => this.#decisions.allows(area, proposal))
    if (proposals.length === 0) return []
    return plansOf(area, proposals, { network: this.#network, policy: policy.name, mode, expiresS })
  }

  async #readClients(s: number, signal: AbortSignal): Promise<void> {
    const startedMs = Date.now()
    const clients = new Map<string, Client>()
    for await (const client of this.#manc.clients.list({ emulated: 'all', measurements: true, signal })) {
      clients.set(client.id, client)
      if (clients.size >= this.#options.maxClients) break
    }
    this.#clients = clients
    const byAccessPoint = Map.groupBy(clients.values(), ({ ap_id: apId }) => apId)
    this.#areas = this.#areas.map((area) => {
      const own = area.accessPoints.flatMap(({ ap_id: apId }) => byAccessPoint.get(apId) ?? [])
      return area.follow(own, s) ? area : this.#areaOf(area.accessPoints, own, s)
    })
    this.#dueMs.clients = startedMs + Math.max(intervals.clients, (Date.now() - startedMs) / readingPart)
  }

  /** With places for more clients. */
  #areaOf(accessPoints: readonly AccessPoint[], clients: readonly Client[], s: number): Area {
    const area = new Area(accessPoints, this.#options.policy, clients.length)
    area.follow(clients, s)
    return area
  }

  /** Areas whose access points are the same stay: their policy remembers what it has learnt. */
  #divide(): void {
    const { policy, log } = this.#options
    const before = new Map(this.#areas.map((area) => [keyOf(area.accessPoints), area]))
    const groups = divide([...this.#network.accessPoints.values()], maxPerArea)
    let isChanged = groups.length !== this.#areas.length
    this.#areas = groups.map((group) => {
      const known = before.get(keyOf(group))
      if (known) return known
      isChanged = true
      return new Area(group, policy, 0)
    })
    if (!isChanged) return
    // The new areas have no clients yet.
    this.#dueMs.clients = 0
    const count = this.#areas.length
    log(`${this.#network.accessPoints.size} access points in ${count} area${count === 1 ? '' : 's'}`)
  }

  #report(): void {
    if (!this.#isDue('report')) return
    this.#setDue('report')
    const measured = [...this.#clients.values()].filter(({ measurement }) => measurement).length
    this.#options.log(
      `${this.#network.accessPoints.size} access points, ${this.#clients.size} clients, ${measured} of them with a measurement, ${this.#decisions.open} proposals wait for an answer`,
    )
    if (this.#clients.size >= this.#options.maxClients)
      this.#options.log(
        `Clients beyond ${this.#options.maxClients} are not read. Raise MANC_ADVISOR_CLIENTS, or start another advisor with an app for a part of the network.`,
      )
  }

  #isDue(what: keyof typeof intervals): boolean {
    return Date.now() >= this.#dueMs[what]
  }

  #setDue(what: keyof typeof intervals): void {
    this.#dueMs[what] = Date.now() + intervals[what]
  }
}

/** Names, positions and states may differ. */
const keyOf = (accessPoints: readonly AccessPoint[]): string =>
  accessPoints
    .map(({ ap_id: id }) => id)
    .toSorted()
    .join(' ')

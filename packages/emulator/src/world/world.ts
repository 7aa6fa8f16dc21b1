import { draw, noLink } from '../radio/link.ts'
import type { Link } from '../radio/types.ts'
import { AccessPoint } from './access-point.ts'
import { Air } from './air.ts'
import { Attachments } from './attachment.ts'
import { Candidates } from './candidates.ts'
import { planChannels } from './channels.ts'
import { ClientStates, seedOf } from './client-states.ts'
import { runWorldCommand } from './commands.ts'
import { LightPaths } from './light-paths.ts'
import { writeLink } from './links.ts'
import { toMetres } from './map.ts'
import { maxAccessPoints, maxLinkShare, policies, steeredForS, technologyNames, wifi } from './parameters.ts'
import { typicalLink } from './probe.ts'
import { cutOff, sampleOf } from './sample.ts'
import { levelOf } from './sharing.ts'
import type { ClientState, Move, Steering, WorldSpec } from './types.ts'

/** Below it a link carries nothing. */
const minRateMbps = 0.1

/**
 * A network of access points and the clients that share it, second by second. The state after a step depends on the spec, the
 * seed, the number of steps and the commands between them, and on nothing else: no clock, no network.
 */
export class World {
  readonly accessPoints: readonly AccessPoint[]
  readonly clients: number
  readonly #ids: ReadonlyMap<string, AccessPoint>
  readonly #clientPrefix: string
  readonly #states: ClientStates
  readonly #candidates: Candidates
  readonly #attachments: Attachments
  readonly #air: Air
  #second: number
  /** A channel in another band has another path loss: all candidates are computed again. */
  #isStale = false

  readonly #rate: Float64Array
  readonly #offered: Float64Array
  readonly #delivered: Float64Array
  /** Clients in the order of their access points, with the need of each device and how many devices there are. */
  readonly #order: Int32Array
  readonly #needs: Float64Array
  readonly #weights: Float64Array
  readonly #starts: Int32Array

  /** `fromS` is the first second that a step computes. */
  constructor(spec: WorldSpec, seed: string, { fromS = 0 }: { fromS?: number } = {}) {
    if (spec.accessPoints.length > maxAccessPoints)
      throw new RangeError(
        `A world has at most ${maxAccessPoints} access points. Divide them into several worlds.`,
      )
    this.accessPoints = spec.accessPoints.map((one, index) => new AccessPoint(index, one, spec.startMs))
    this.#ids = new Map(this.accessPoints.map((one) => [one.spec.id, one]))
    this.#clientPrefix = spec.clientPrefix ?? 'client-'
    const { xs, ys } = toMetres(spec.accessPoints)
    const { accessPoints } = this
    planChannels(accessPoints, xs, ys)
    const states = new ClientStates(accessPoints, xs, ys)
    const candidates = new Candidates({ accessPoints, xs, ys, states, seed: seedOf(seed) })
    const light = new LightPaths({ accessPoints, states, candidates, xs, ys })
    this.#states = states
    this.#candidates = candidates
    this.#attachments = new Attachments({ accessPoints, states, candidates, light })
    this.#air = new Air(accessPoints, xs, ys)
    this.#second = fromS - 1
    this.clients = states.count
    this.#rate = new Float64Array(states.count)
    this.#offered = new Float64Array(states.count)
    this.#delivered = new Float64Array(states.count)
    this.#order = new Int32Array(states.count)
    this.#needs = new Float64Array(states.count)
    this.#weights = new Float64Array(states.count)
    this.#starts = new Int32Array(accessPoints.length + 1)
    for (const accessPoint of accessPoints) accessPoint.update(fromS)
    states.forEachMember((client, home) => this.#attachments.attach(client, home, fromS))
  }

  /** The second of the current state; one before the first before any step. */
  get second(): number {
    return this.#second
  }

  /** Changes of attachment in the current second, and by commands since the one before. */
  get moves(): readonly Move[] {
    return this.#attachments.moves
  }

  /** Advances by one second. */
  step(): void {
    const s = (this.#second += 1)
    const { accessPoints } = this
    const states = this.#states
    const attachments = this.#attachments
    for (const accessPoint of accessPoints) accessPoint.update(s)
    for (let client = 0; client < states.count; client++) {
      states.update(client, s)
      if (states.hasMoved[client] === 1 || this.#isStale) this.#candidates.update(client)
    }
    this.#isStale = false
    attachments.begin()
    for (let client = 0; client < states.count; client++) attachments.update(client, s)
    for (const { client, from, to } of attachments.moves)
      if (from >= 0 && to >= 0) this.#ap(from).handedOver += states.present[client] as number
    this.#demand(s)
    this.#deliver()
  }

  /** What an access point measures; undefined while it has failed or its time is over: it sends nothing. */
  sampleOf(apId: string): Record<string, number> | undefined {
    return sampleOf(this.#find(apId), this.#second)
  }

  /** Executes a command at an access point. Throws with the reason of a refusal. */
  command(apId: string, command: string): object {
    return runWorldCommand(this, this.#find(apId), command)
  }

  has(apId: string): boolean {
    return this.#ids.has(apId)
  }

  /** Undefined where it is no access point of this world. */
  accessPointOf(apId: string): AccessPoint | undefined {
    return this.#ids.get(apId)
  }

  clientId(client: number): string {
    return `${this.#clientPrefix}${client + 1}`
  }

  /** The number of a client; undefined where the id is of no client of this world. */
  clientOf(id: string): number | undefined {
    if (!id.startsWith(this.#clientPrefix)) return undefined
    const client = Number(id.slice(this.#clientPrefix.length)) - 1
    return Number.isInteger(client) && client >= 0 && client < this.clients ? client : undefined
  }

  clientState(client: number): ClientState {
    const { serving, since, signal } = this.#attachments
    return {
      id: this.clientId(client),
      accessPoint: this.accessPoints[serving[client] as number]?.spec.id,
      sinceS: since[client] as number,
      x: this.#states.x[client] as number,
      y: this.#states.y[client] as number,
      signal: signal[client] as number,
      rateMbps: this.#rate[client] as number,
      offeredMbps: this.#offered[client] as number,
      deliveredMbps: this.#delivered[client] as number,
    }
  }

  /** Clients that are attached to an access point, in their order. */
  clientsOf({ index }: AccessPoint): number[] {
    const { serving } = this.#attachments
    const found: number[] = []
    for (let client = 0; client < this.clients; client++) if (serving[client] === index) found.push(client)
    return found
  }

  /** Devices that the client stands for and that are there. */
  devicesOf(client: number): number {
    return this.#states.present[client] as number
  }

  /** The signal that a client has from an access point; minus infinity where it is out of range or off. */
  signalTo(client: number, { index }: AccessPoint): number {
    return this.#attachments.signalTo(client, index, this.#second)
  }

  /**
   * What a client would report as its neighbours (802.11k beacon reports, measurement reports of TS 38.331): access points of
   * its technologies that are on and strong enough to connect, with their signals; also the one that it is attached to.
   */
  heardBy(client: number, each: (index: number, signal: number) => void): void {
    if (this.devicesOf(client) > 0) this.#attachments.heard(client, this.#second, each)
  }

  /** Asks a client to move to another access point, and reports what it did. */
  steer(client: number, to: AccessPoint): Steering {
    const { id } = to.spec
    const refused = (status: 1 | 7, cause: string): Steering => ({ moved: false, to: id, status, cause })
    if (this.#states.refuses[client] === 1) return refused(1, 'The client does not follow requests to move.')
    if (((this.#states.radios[client] as number) & (1 << to.technology)) === 0)
      return refused(7, `The client has no radio for ${technologyNames[to.technology]}.`)
    if (!to.isOn) return refused(7, 'The target is off or restarting.')
    const policy = policies[to.technology] as (typeof policies)[0]
    if (this.signalTo(client, to) < policy.min)
      return refused(7, 'The signal of the target is too weak there.')
    const s = this.#second
    const interruptedMs = this.#attachments.steer(client, to.index, s, s + steeredForS)
    return { moved: true, to: id, interruptionMs: interruptedMs, status: 0 }
  }

  /** The client leaves its access point for five minutes, to any other one. */
  sendAway(client: number): void {
    this.#attachments.ban(client, this.#second, this.#second + steeredForS)
  }

  /** Clients are handed over before the radio is switched off. Returns how many devices. */
  sleep(accessPoint: AccessPoint): number {
    const before = this.clientsOf(accessPoint)
    accessPoint.sleep()
    accessPoint.isOn = false
    let devices = 0
    for (const client of before) {
      this.#attachments.evacuate(client, this.#second)
      if (this.#attachments.serving[client] !== accessPoint.index) devices += this.devicesOf(client)
    }
    return devices
  }

  setChannel(accessPoint: AccessPoint, channel: number): void {
    accessPoint.setChannel(channel)
    this.#isStale = true
  }

  /** Devices that were steered from and to an access point, and have not returned. */
  steeredOf({ index }: AccessPoint): { away: number; here: number } {
    const { serving, steeredFrom, steeredUntil } = this.#attachments
    let away = 0
    let here = 0
    for (let client = 0; client < this.clients; client++) {
      const isSteered = this.#second < (steeredUntil[client] as number)
      if (isSteered && serving[client] === index) here += this.devicesOf(client)
      const isAway = isSteered && steeredFrom[client] === index
      if (isAway || this.#attachments.bannedFrom(client, this.#second) === index)
        away += this.devicesOf(client)
    }
    return { away, here }
  }

  /** Links and demands; per access point the seconds of the medium that its clients need. */
  #demand(s: number): void {
    const { accessPoints } = this
    const states = this.#states
    const { serving, interruptedMs } = this.#attachments
    const world = { accessPoints, candidates: this.#candidates, attachments: this.#attachments }
    const starts = this.#starts.fill(0)
    for (let client = 0; client < states.count; client++) {
      const index = serving[client] as number
      this.#rate[client] = 0
      this.#delivered[client] = 0
      const count = states.present[client] as number
      if (index < 0) {
        this.#offered[client] = count > 0 ? states.demandOf(client, s) : 0
        continue
      }
      starts[index + 1] = (starts[index + 1] as number) + 1
      writeLink(world, client, s, link)
      const accessPoint = this.#ap(index)
      accessPoint.weights += count
      draw(accessPoint.mean, link, count / accessPoint.weights)
      accessPoint.clients += count
      this.#rate[client] = link.rate
      // Without a link the demand is what the client would like to send; with one applications adapt to it.
      const demand = states.demandOf(client, s)
      this.#offered[client] =
        link.rate > minRateMbps ? Math.min(demand, maxLinkShare * link.rate * count) : demand
      accessPoint.offeredMbps += this.#offered[client] as number
      if (link.rate <= minRateMbps) continue
      const outMs = Math.min(1000, interruptedMs[client] as number)
      interruptedMs[client] = (interruptedMs[client] as number) - outMs
      accessPoint.needed += ((1 - outMs / 1000) * (this.#offered[client] as number)) / link.rate
      // For the second pass: the part of the second in which it has a connection.
      this.#delivered[client] = 1 - outMs / 1000
    }
    for (const accessPoint of accessPoints)
      if (accessPoint.weights === 0) draw(accessPoint.mean, typicalLink(accessPoint), 1)
  }

  /** Divides what is available among the clients of each access point. */
  #deliver(): void {
    const { accessPoints } = this
    const { serving } = this.#attachments
    const { present } = this.#states
    const starts = this.#starts
    for (let index = 0; index < accessPoints.length; index++)
      starts[index + 1] = (starts[index + 1] as number) + (starts[index] as number)
    const next = starts.slice()
    for (let client = 0; client < this.clients; client++) {
      const index = serving[client] as number
      if (index < 0) continue
      const place = next[index] as number
      next[index] = place + 1
      const rate = this.#rate[client] as number
      const count = present[client] as number
      this.#order[place] = client
      this.#weights[place] = count
      this.#needs[place] =
        rate > minRateMbps
          ? ((this.#delivered[client] as number) * (this.#offered[client] as number)) / (rate * count)
          : 0
    }
    for (const accessPoint of accessPoints) this.#deliverAt(accessPoint)
    for (const accessPoint of accessPoints)
      accessPoint.load = accessPoint.isOn ? Math.min(1, accessPoint.needed / accessPoint.available) : 0
  }

  #deliverAt(accessPoint: AccessPoint): void {
    if (accessPoint.technology === wifi) this.#air.share(accessPoint)
    else accessPoint.available = 1
    const from = this.#starts[accessPoint.index] as number
    const to = this.#starts[accessPoint.index + 1] as number
    const level = levelOf(this.#needs, this.#weights, [from, to], accessPoint.available)
    const goodput = accessPoint.scene.backhaulCut ? cutOff.goodput : 1
    for (let place = from; place < to; place++) {
      const client = this.#order[place] as number
      const share = Math.min(this.#needs[place] as number, level) * (this.#weights[place] as number)
      const mbps = share * (this.#rate[client] as number) * goodput
      this.#delivered[client] = mbps
      accessPoint.deliveredMbps += mbps
    }
  }

  #find(apId: string): AccessPoint {
    const accessPoint = this.#ids.get(apId)
    if (!accessPoint) throw new RangeError(`${apId} is not an access point of this world.`)
    return accessPoint
  }

  #ap(index: number): AccessPoint {
    return this.accessPoints[index] as AccessPoint
  }
}

// Written and read within one step, and shared by all worlds to avoid allocations.
const link: Link = noLink()

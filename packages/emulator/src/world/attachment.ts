import { opticalSnr } from '../radio/lifi.ts'
import { mix, unit } from '../radio/random.ts'
import { fromDb, toDb } from '../radio/units.ts'
import type { AccessPoint } from './access-point.ts'
import { type Candidates, firstSlots, slots } from './candidates.ts'
import type { ClientStates } from './client-states.ts'
import type { LightPaths } from './light-paths.ts'
import { fiveG, interruptionMs, lifi, policies, reconnectMs, returnS, slotCounts } from './parameters.ts'
import type { Move, MoveCause } from './types.ts'

const nothing = Number.NEGATIVE_INFINITY

/** Which access point each client is attached to, by the policy of the clients themselves and by steering. */
export class Attachments {
  /** Index of the access point, or -1. */
  readonly serving: Int32Array
  readonly since: Int32Array
  /** The slot of `serving` among the candidates; -1 where it is out of range. */
  readonly slot: Int32Array
  /** Policy signal of `serving`: RSRP or RSSI in dBm, of LiFi the SNR in dB. */
  readonly signal: Float64Array
  /** Still without a connection, in ms. */
  readonly interruptedMs: Float64Array
  readonly steeredUntil: Int32Array
  readonly steeredFrom: Int32Array
  /** Not to be attached to this one until then. */
  readonly #banned: Int32Array
  readonly #bannedUntil: Int32Array
  readonly #pending: Int32Array
  readonly #pendingSince: Int32Array
  readonly #lostSince: Int32Array
  readonly #accessPoints: readonly AccessPoint[]
  readonly #states: ClientStates
  readonly #candidates: Candidates
  readonly light: LightPaths
  /** Of the current second. */
  moves: Move[] = []
  #ordered: Move[] = []
  /** The best candidate of each technology for the client in hand: its access point, its signal, and its slot. */
  readonly #best = new Int32Array(3)
  readonly #bestSignal = new Float64Array(3)
  readonly #bestSlot = new Int32Array(3)

  constructor(world: {
    accessPoints: readonly AccessPoint[]
    states: ClientStates
    candidates: Candidates
    light: LightPaths
  }) {
    this.#accessPoints = world.accessPoints
    this.#states = world.states
    this.#candidates = world.candidates
    this.light = world.light
    const { count } = world.states
    this.serving = new Int32Array(count).fill(-1)
    this.since = new Int32Array(count)
    this.slot = new Int32Array(count).fill(-1)
    this.signal = new Float64Array(count)
    this.interruptedMs = new Float64Array(count)
    this.steeredUntil = new Int32Array(count)
    this.steeredFrom = new Int32Array(count).fill(-1)
    this.#banned = new Int32Array(count).fill(-1)
    this.#bannedUntil = new Int32Array(count)
    this.#pending = new Int32Array(count).fill(-1)
    this.#pendingSince = new Int32Array(count)
    this.#lostSince = new Int32Array(count).fill(-1)
  }

  /** A client that has been attached for longer than the world exists. */
  attach(client: number, to: number, s: number): void {
    this.serving[client] = to
    this.since[client] = s
  }

  /** Begins a second, to which the moves by commands since the last one belong. */
  begin(): void {
    this.moves = this.#ordered
    this.#ordered = []
    this.light.begin()
  }

  /** Decides for one client in this second. */
  update(client: number, s: number): void {
    const serving = this.serving[client] as number
    if (this.#states.present[client] === 0) {
      if (serving >= 0) this.#move(client, -1, s, 'left')
      return
    }
    this.#findBest(client, s)
    if (serving < 0) return this.#join(client, s, 'joined')
    const accessPoint = this.#accessPoints[serving] as AccessPoint
    const slot = this.#slotOf(client, serving)
    this.slot[client] = slot
    const { technology } = accessPoint
    const policy = policies[technology] as (typeof policies)[0]
    const signal = slot >= 0 && accessPoint.isOn ? this.#signalOf(client, slot, accessPoint, s) : nothing
    this.signal[client] = signal
    if (signal < policy.min) {
      this.#pending[client] = -1
      if ((this.#lostSince[client] as number) < 0) this.#lostSince[client] = s
      // A radio that is switched off is noticed as a signal that is too weak is.
      if (s - (this.#lostSince[client] as number) >= policy.lostS) this.#join(client, s, 'lost')
      return
    }
    this.#lostSince[client] = -1
    if (s < (this.steeredUntil[client] as number)) {
      this.#pending[client] = -1
      return
    }
    this.#consider(client, s, technology, signal)
  }

  /** The signal that a client has from an access point, or minus infinity where it is no candidate. */
  signalTo(client: number, index: number, s: number): number {
    const accessPoint = this.#accessPoints[index] as AccessPoint
    const slot = this.#slotOf(client, index)
    return slot >= 0 && accessPoint.isOn ? this.#signalOf(client, slot, accessPoint, s) : nothing
  }

  /** Calls `each` for the access points that the radios of a client receive well enough to connect, with their signals. */
  heard(client: number, s: number, each: (index: number, signal: number) => void): void {
    const radios = this.#states.radios[client] as number
    const { accessPoints } = this.#candidates
    for (let technology = fiveG; technology <= lifi; technology++) {
      if ((radios & (1 << technology)) === 0) continue
      const { min } = policies[technology] as (typeof policies)[0]
      const from = client * slots + (firstSlots[technology] as number)
      for (let slot = from; slot < from + (slotCounts[technology] as number); slot++) {
        const index = accessPoints[slot] as number
        if (index < 0) break
        const accessPoint = this.#accessPoints[index] as AccessPoint
        if (!accessPoint.isOn) continue
        const signal = this.#signalOf(client, slot, accessPoint, s)
        if (signal >= min) each(index, signal)
      }
    }
  }

  /** The client moves now, and stays for a while. */
  steer(client: number, to: number, s: number, untilS: number): number {
    const from = this.serving[client] as number
    this.#move(client, to, s, 'steered')
    this.steeredFrom[client] = from
    this.steeredUntil[client] = untilS
    return this.interruptedMs[client] as number
  }

  /** The client leaves its access point, and does not return for a while. */
  ban(client: number, s: number, untilS: number): void {
    const from = this.serving[client] as number
    this.#banned[client] = from
    this.#bannedUntil[client] = untilS
    this.steeredFrom[client] = from
    this.#findBest(client, s)
    this.#join(client, s, 'steered')
  }

  bannedFrom(client: number, s: number): number {
    return s < (this.#bannedUntil[client] as number) ? (this.#banned[client] as number) : -1
  }

  /** Hands a client over to the best alternative before its access point goes to sleep. */
  evacuate(client: number, s: number): void {
    this.#findBest(client, s)
    const { to, slot } = this.#choice(this.serving[client] as number)
    if (to < 0) return
    this.#move(client, to, s, 'steered')
    this.slot[client] = slot
  }

  #consider(client: number, s: number, technology: number, signal: number): void {
    const serving = this.serving[client] as number
    const policy = policies[technology] as (typeof policies)[0]
    let target = -1
    let afterS = 0
    let cause: MoveCause = 'roamed'
    for (let preferred = lifi; preferred > technology && target < 0; preferred--) {
      const other = policies[preferred] as (typeof policies)[0]
      if ((this.#bestSignal[preferred] as number) < other.join) continue
      target = this.#best[preferred] as number
      afterS = other.joinS
      cause = 'preferred'
    }
    const best = this.#best[technology] as number
    if (
      target < 0 &&
      best >= 0 &&
      best !== serving &&
      signal < policy.roamBelow &&
      (this.#bestSignal[technology] as number) > signal + policy.roamDb
    ) {
      target = best
      afterS = policy.roamS
    }
    for (let other = technology - 1; other >= fiveG && target < 0 && signal < policy.leave; other--)
      if ((this.#bestSignal[other] as number) >= (policies[other] as (typeof policies)[0]).join) {
        target = this.#best[other] as number
        afterS = policy.leaveS
        cause = 'weak'
      }
    if (target < 0 || target !== this.#pending[client]) {
      this.#pending[client] = target
      this.#pendingSince[client] = s
    } else if (s - (this.#pendingSince[client] as number) >= afterS) this.#move(client, target, s, cause)
  }

  /** The most preferred technology with a good signal, or else with a usable one. */
  #join(client: number, s: number, cause: MoveCause): void {
    const from = this.serving[client] as number
    const { to, slot } = this.#choice(cause === 'lost' ? from : -1)
    if (to < 0 && from < 0) return
    this.#move(client, to, s, cause)
    this.slot[client] = slot
  }

  #choice(except: number): { to: number; slot: number } {
    for (const isGood of [true, false])
      for (let technology = lifi; technology >= fiveG; technology--) {
        const policy = policies[technology] as (typeof policies)[0]
        const to = this.#best[technology] as number
        if (
          to >= 0 &&
          to !== except &&
          (this.#bestSignal[technology] as number) >= (isGood ? policy.join : policy.min)
        )
          return { to, slot: this.#bestSlot[technology] as number }
      }
    return { to: -1, slot: -1 }
  }

  #move(client: number, to: number, s: number, cause: MoveCause): void {
    const from = this.serving[client] as number
    const list = cause === 'steered' ? this.#ordered : this.moves
    list.push({ client, from, to, cause })
    this.serving[client] = to
    this.since[client] = s
    this.#pending[client] = -1
    this.#lostSince[client] = -1
    this.steeredUntil[client] = 0
    this.interruptedMs[client] = 0
    if (to < 0) return
    const slot = this.#slotOf(client, to)
    const target = this.#accessPoints[to] as AccessPoint
    this.slot[client] = slot
    this.signal[client] = this.#signalOf(client, slot, target, s)
    const { technology } = target
    if (cause === 'lost') this.interruptedMs[client] = reconnectMs[technology] as number
    else if (from >= 0) {
      const source = this.#accessPoints[from] as AccessPoint
      this.interruptedMs[client] = interruptionMs(source.technology, technology)
    }
  }

  /** The strongest access point of each technology that the client has a radio for. */
  #findBest(client: number, s: number): void {
    const radios = this.#states.radios[client] as number
    const seed = this.#states.seed[client] as number
    const banned = this.bannedFrom(client, s)
    const { accessPoints } = this.#candidates
    for (let technology = fiveG; technology <= lifi; technology++) {
      this.#best[technology] = -1
      this.#bestSignal[technology] = nothing
      if ((radios & (1 << technology)) === 0) continue
      const from = client * slots + (firstSlots[technology] as number)
      for (let slot = from; slot < from + (slotCounts[technology] as number); slot++) {
        const index = accessPoints[slot] as number
        if (index < 0) break
        const accessPoint = this.#accessPoints[index] as AccessPoint
        if (!accessPoint.isOn || index === banned) continue
        // Clients find one that has booted one after the other.
        const onS = s - accessPoint.bootedS
        if (onS < returnS && onS < returnS * unit(mix(seed, index, 14))) continue
        const signal = this.#signalOf(client, slot, accessPoint, s)
        if (signal <= (this.#bestSignal[technology] as number)) continue
        this.#best[technology] = index
        this.#bestSignal[technology] = signal
        this.#bestSlot[technology] = slot
      }
    }
  }

  #signalOf(client: number, slot: number, accessPoint: AccessPoint, s: number): number {
    const gain = this.#candidates.gains[slot] as number
    if (accessPoint.technology !== lifi) return accessPoint.txPowerDbm + gain
    if (gain === 0) return nothing
    const sent = fromDb(accessPoint.txPowerDbm - 30)
    const arriving = sent * gain * this.light.partOf(client, accessPoint.index, s)
    return toDb(Math.max(1e-3, opticalSnr(arriving, 0, 0, accessPoint.ambientLux)))
  }

  #slotOf(client: number, index: number): number {
    const { technology } = this.#accessPoints[index] as AccessPoint
    const from = client * slots + (firstSlots[technology] as number)
    for (let slot = from; slot < from + (slotCounts[technology] as number); slot++)
      if (this.#candidates.accessPoints[slot] === index) return slot
    return -1
  }
}

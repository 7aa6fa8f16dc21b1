import { LRUCache } from 'lru-cache'

/** Those of so many seconds may be stored at once: reports come in batches. */
const burstS = 4
/** One agent with many clients must leave measurements for the others. At once it has those of the time between snapshots. */
const agentShare = { share: 0.1, burstS: 20 }
/** Beyond it the agent without a measurement for the longest time gets a new share. */
const maxAgents = 100_000
/** The age of a stored measurement from which on it is replaced. It grows while the limit is reached. */
const age = { minMs: 10_000, maxMs: 600_000, factor: 1.2, everyMs: 1000 }

/**
 * Limits how many measurements of clients are stored that change nothing else. While the limit is reached, measurements have to
 * be older before they are replaced: so each client is measured less often, instead of some with each report and others never.
 */
export class MeasurementRate {
  readonly #perSecond: number
  readonly #burst: number
  #tokens: number
  #atMs: number
  #ageMs = age.minMs
  #adjustedMs: number
  #isReached = false

  constructor(perSecond: number, nowMs = Date.now(), ownBurstS = burstS) {
    this.#perSecond = perSecond
    this.#burst = ownBurstS * perSecond
    this.#tokens = this.#burst
    this.#atMs = nowMs
    this.#adjustedMs = nowMs
  }

  /** Whether a measurement of this age is replaced; without one the age is infinite. */
  take(ageMs: number, nowMs = Date.now()): boolean {
    if (!this.allows(ageMs, nowMs)) return false
    this.spend()
    return true
  }

  allows(ageMs: number, nowMs: number): boolean {
    const elapsedS = Math.max(0, nowMs - this.#atMs) / 1000
    this.#atMs = nowMs
    this.#tokens = Math.min(this.#burst, this.#tokens + elapsedS * this.#perSecond)
    this.#adjust(nowMs)
    if (ageMs < this.#ageMs) return false
    if (this.#tokens < 1) {
      this.#isReached = true
      return false
    }
    return true
  }

  spend(): void {
    this.#tokens -= 1
  }

  #adjust(nowMs: number): void {
    // The clock may have been set back.
    if (Math.abs(nowMs - this.#adjustedMs) < age.everyMs) return
    this.#adjustedMs = nowMs
    if (this.#isReached) this.#ageMs = Math.min(age.maxMs, this.#ageMs * age.factor)
    else if (this.#tokens > this.#burst / 2) this.#ageMs = Math.max(age.minMs, this.#ageMs / age.factor)
    this.#isReached = false
  }
}

/** The measurements of all agents, and of each of them at most a tenth. */
export class MeasurementRates {
  readonly #total: MeasurementRate
  readonly #perAgent: number
  readonly #agents = new LRUCache<string, MeasurementRate>({ max: maxAgents })

  constructor(perSecond: number, nowMs = Date.now()) {
    this.#total = new MeasurementRate(perSecond, nowMs)
    this.#perAgent = Math.max(1, perSecond * agentShare.share)
  }

  /** Whether a measurement of this age is replaced; without one the age is infinite. */
  take(apId: string, ageMs: number, nowMs = Date.now()): boolean {
    let own = this.#agents.get(apId)
    if (!own) {
      own = new MeasurementRate(this.#perAgent, nowMs, agentShare.burstS)
      this.#agents.set(apId, own)
    }
    // What the share refuses must not count as a reached limit for all.
    if (!own.allows(ageMs, nowMs) || !this.#total.allows(ageMs, nowMs)) return false
    own.spend()
    this.#total.spend()
    return true
  }
}

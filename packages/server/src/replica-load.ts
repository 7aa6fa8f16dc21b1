import { monitorEventLoopDelay } from 'node:perf_hooks'

const resolutionMs = 10
const sampleMs = 500
/** Beyond this mean delay of timers the replica is busy: the event loop or the processors of the machine. */
const maxDelayMs = 3
/** Added to the spare share with each sample that is not busy. */
const recovery = 0.005

/** How much of a replica's processing time may go to callers that use more than an equal share of it. */
export interface ReplicaLoad {
  /** From 0 (the replica is or was busy) to 1. */
  spare(): number
}

/**
 * Measures how late timers of the event loop fire. The spare share falls to 0 as soon as they fire late, and recovers
 * slowly: after a fast recovery the callers that made the replica busy would do so again within a second.
 */
export class EventLoopLoad implements ReplicaLoad {
  readonly #delay = monitorEventLoopDelay({ resolution: resolutionMs })
  #timer: NodeJS.Timeout | undefined
  #spare = 1

  start(): void {
    this.#delay.enable()
    this.#timer = setInterval(() => this.#sample(), sampleMs).unref()
  }

  spare(): number {
    return this.#spare
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#delay.disable()
  }

  #sample(): void {
    const delayMs = this.#delay.mean / 1e6 - resolutionMs
    this.#delay.reset()
    this.#spare = delayMs > maxDelayMs ? 0 : Math.min(1, this.#spare + recovery)
  }
}

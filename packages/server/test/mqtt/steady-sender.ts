import { setTimeout as sleep } from 'node:timers/promises'
import { agentTopic } from '@manc/contract'
import type { Device } from './device.ts'

const intervalMs = 200

/** An agent that sends a sample five times a second, until it is stopped. */
export class SteadySender {
  /** All acknowledged samples, in the order of sending. */
  readonly acknowledged: { ts: number; value: number }[] = []
  /** The longest time that an acknowledgement has taken. */
  slowestMs = 0
  readonly #device: Device
  readonly #work: Promise<void>
  #isStopped = false

  constructor(device: Device, apId: string) {
    this.#device = device
    this.#work = this.#send(agentTopic(apId, 'data'))
    // `stop` reports the error.
    this.#work.catch(() => {})
  }

  /** Rejects where a sample was not acknowledged. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#work
    await this.#device.leave()
  }

  async #send(topic: string): Promise<void> {
    for (let value = 0; !this.#isStopped; value++) {
      const ts = Date.now()
      const startedAt = performance.now()
      await this.#device.publish(topic, JSON.stringify({ ts, payload: { seq: value } }))
      this.slowestMs = Math.max(this.slowestMs, performance.now() - startedAt)
      this.acknowledged.push({ ts, value })
      await sleep(intervalMs)
    }
  }
}

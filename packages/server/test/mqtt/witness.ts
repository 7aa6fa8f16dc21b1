import { setTimeout as sleep } from 'node:timers/promises'
import { agentTopic } from '@manc/contract'
import type { Device } from './device.ts'

const everyMs = 200

/** An agent that sends a sample five times a second, whatever happens around it. */
export class Witness {
  /** In the order of sending: all that were acknowledged. */
  readonly acknowledged: { ts: number; value: number }[] = []
  /** Longest time that an acknowledgement has taken. */
  slowestMs = 0
  readonly #device: Device
  readonly #work: Promise<void>
  #isStopped = false

  constructor(device: Device, apId: string) {
    this.#device = device
    this.#work = this.#send(agentTopic(apId, 'data'))
    // Told by `stop`.
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
      await sleep(everyMs)
    }
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import { call } from '@manc/harness'

const intervalMs = 50

/** An agent that sends a sample over HTTP about twenty times a second, until it is stopped. */
export class UpdateSender {
  readonly #accepted: number[] = []
  readonly #work: Promise<void>
  #isStopped = false

  constructor(url: string, token: string) {
    this.#work = this.#send(url, token)
    // `stop` reports the error.
    this.#work.catch(() => {})
  }

  /** The times of the accepted samples, in milliseconds. */
  async stop(): Promise<number[]> {
    this.#isStopped = true
    await this.#work
    return this.#accepted
  }

  async #send(url: string, token: string): Promise<void> {
    while (!this.#isStopped) {
      const ts = Date.now()
      const body = { ts, payload: { clients: this.#accepted.length } }
      const { status } = await call(url, 'POST', '/api/v1/agent_update/update', { token, body })
      if (status !== 200) throw new Error(`an update was answered with ${status}`)
      this.#accepted.push(ts)
      await sleep(intervalMs)
    }
  }
}

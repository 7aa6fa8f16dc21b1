import { setTimeout as sleep } from 'node:timers/promises'
import { Manc } from '@manc/sdk'

interface Options {
  url: string
  credentials: { username: string; password: string }
  callers: number
  pauseMs: number
}

/** Callers that use the SDK with its own retries: log in, read, request a job and read its result. */
export class SdkCallers {
  readonly failures: string[] = []
  requests = 0
  slowestMs = 0
  readonly #options: Options
  #isStopping = false
  #done: Promise<unknown> = Promise.resolve()

  constructor(options: Options) {
    this.#options = options
  }

  start(): void {
    this.#done = Promise.all(Array.from({ length: this.#options.callers }, () => this.#run()))
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    await this.#done
  }

  async #run(): Promise<void> {
    const { url, credentials, pauseMs } = this.#options
    const manc = new Manc({ url, credentials })
    while (!this.#isStopping) {
      await this.#measure('login', () => new Manc({ url, credentials }).logIn())
      await this.#measure('read', () => manc.users.me())
      await this.#measure('job', async () => {
        let agents = 0
        for await (const _agent of manc.agents.report()) agents += 1
        if (agents === 0) throw new Error('the result of the job is empty')
      })
      await sleep(pauseMs * (0.5 + Math.random()))
    }
  }

  async #measure(name: string, request: () => Promise<unknown>): Promise<void> {
    const startedAt = performance.now()
    this.requests += 1
    try {
      await request()
    } catch (error) {
      this.failures.push(`${name}: ${(error as Error).message}`)
    }
    this.slowestMs = Math.max(this.slowestMs, Math.round(performance.now() - startedAt))
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import { call } from '@manc/harness'

interface ReadReport {
  requests: number
  /** Statuses of requests that failed. */
  failed: number[]
  longestMs: number
  /** The largest age of the newest point of a reply. */
  oldestMs: number
}

const intervalMs = 200

/** Reads the chart of one agent, again and again. */
export class Reader {
  readonly #url: string
  readonly #token: string
  readonly #agent: string
  readonly #stopping = new AbortController()
  #running: Promise<void> | undefined
  #report: ReadReport = { requests: 0, failed: [], longestMs: 0, oldestMs: 0 }

  constructor(url: string, token: string, agent: string) {
    this.#url = url
    this.#token = token
    this.#agent = agent
  }

  start(): void {
    this.#running = this.#run()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#running
  }

  /** Since the last call. */
  report(): ReadReport {
    const report = this.#report
    this.#report = { requests: 0, failed: [], longestMs: 0, oldestMs: 0 }
    return report
  }

  async #run(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      await this.#read()
      await sleep(intervalMs)
    }
  }

  async #read(): Promise<void> {
    const startedAt = Date.now()
    const { status, body } = await call(
      this.#url,
      'GET',
      `/api/v1/metrics/agent_multi_metric_data?agent=${this.#agent}&metrics=metric_0&window=1`,
      { token: this.#token },
    )
    const report = this.#report
    report.requests += 1
    report.longestMs = Math.max(report.longestMs, Date.now() - startedAt)
    if (status !== 200) report.failed.push(status)
    else {
      const newest = body.series[0]?.points.at(-1)?.ts ?? 0
      report.oldestMs = Math.max(report.oldestMs, Date.now() - new Date(newest).getTime())
    }
  }
}

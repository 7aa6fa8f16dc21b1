import { setTimeout as sleep } from 'node:timers/promises'
import type { PartMessage } from '@manc/contract/emulation-parts'
import { delayMs, type TlsOptions } from '@manc/sdk/agent'
import { tlsAdvice } from '@manc/sdk/tls'
import pLimit from 'p-limit'
import { EmulatedAccessPoint } from './emulated-access-point.ts'
import { PartReporter } from './part-reporter.ts'
import { PartWorld } from './part-world.ts'
import type { ReportClient } from './report-client.ts'

interface Options {
  message: PartMessage
  mqttUrl: string
  url: string
  tls: TlsOptions | undefined
  reports: ReportClient
  /** The id of this emulator. */
  emulator: string
  log: (line: string) => void
}

const sampleIntervalMs = 1000
const tickMs = 20
const maxConcurrentStarts = 20
const maxConcurrentStops = 50
const startJitterMs = 100

/** Runs the access points of one part for as long as this emulator holds its lease. */
export class PartRunner {
  readonly #name: string
  readonly #log: (line: string) => void
  readonly #world: PartWorld
  readonly #accessPoints: EmulatedAccessPoint[]
  readonly #reporter: PartReporter
  readonly #stopping = new AbortController()
  #isLeaseLost = false
  #isTroubleLogged = false

  constructor(options: Options) {
    const { message, mqttUrl, url, tls, reports, emulator, log } = options
    const { job_number: jobNumber, data } = message
    this.#name = `${jobNumber} part ${data.part}/${data.parts}`
    this.#log = log
    this.#world = new PartWorld(message)
    const emulation = {
      mqttUrl,
      url,
      tls,
      onTrouble: (error: unknown) => this.#logTrouble(error),
      startMs: Date.parse(data.begins_at),
      world: this.#world,
    }
    this.#accessPoints = data.agents.flatMap((agent) => {
      const spec = data.specs[agent.spec]
      return spec ? [new EmulatedAccessPoint(agent, spec, emulation)] : []
    })
    this.#reporter = new PartReporter({
      message,
      emulator,
      accessPoints: this.#accessPoints,
      reports,
      signal: this.#stopping.signal,
      log,
    })
  }

  get agents(): number {
    return this.#accessPoints.length
  }

  get isStopping(): boolean {
    return this.#stopping.signal.aborted
  }

  /** False when another emulator holds the part. */
  acquireLease(): Promise<boolean> {
    return this.#reporter.acquireLease()
  }

  /** Until the end of the part, or until the lease is lost, or until `stop`. */
  async run(): Promise<void> {
    this.#log(`${this.#name}: ${this.#accessPoints.length} agents`)
    const sending = this.#sendSamples()
    void this.#startAll()
    if (!(await this.#reporter.run())) this.#loseLease()
    this.stop()
    await sending
    await this.#stopAll()
    this.#log(`${this.#name}: ended`)
  }

  stop(): void {
    this.#stopping.abort()
  }

  async #startAll(): Promise<void> {
    const limit = pLimit(maxConcurrentStarts)
    await Promise.all(this.#accessPoints.map((each) => limit(() => this.#start(each))))
  }

  /** Retries until it succeeds: the controller may be busy or unreachable. */
  async #start(accessPoint: EmulatedAccessPoint): Promise<void> {
    await this.#sleep(Math.random() * startJitterMs)
    for (let attempt = 0; !this.isStopping && !accessPoint.isOver; attempt++)
      try {
        await accessPoint.start(this.#stopping.signal)
        accessPoint.hasFailedToStart = false
        return
      } catch (error) {
        accessPoint.hasFailedToStart = true
        await this.#sleep(delayMs(attempt, error))
      }
  }

  /** One sample of each access point a second, evenly spread over that second. */
  async #sendSamples(): Promise<void> {
    const all = this.#accessPoints
    const startedAt = Date.now()
    let sent = 0
    while (!this.isStopping) {
      await this.#sleep(tickMs)
      // The process may have been suspended: by now another emulator may run the part.
      if (this.#reporter.isLeaseExpiring) return this.#loseLease()
      if (!this.#world.advance(Date.now())) continue
      const due = Math.floor(((Date.now() - startedAt) * all.length) / sampleIntervalMs)
      // After a pause of more than a second the samples in between are skipped.
      sent = Math.max(sent, due - all.length)
      for (; sent < due; sent++) {
        const accessPoint = all[sent % all.length]
        if (accessPoint?.isLive && !this.isStopping && !accessPoint.isOver) accessPoint.send(Date.now())
      }
    }
  }

  /**
   * In groups; but all at once after the lease was lost: another emulator may run the part, and an agent that reconnected
   * here would disconnect the one there. Access points that are still starting are stopped too.
   */
  async #stopAll(): Promise<void> {
    const limit = pLimit(this.#isLeaseLost ? Number.POSITIVE_INFINITY : maxConcurrentStops)
    await Promise.all(this.#accessPoints.map((each) => limit(() => each.stop())))
  }

  /** Retrying does not help against a wrong certificate. Logged once, not for each of thousands of agents. */
  #logTrouble(error: unknown): void {
    const advice = tlsAdvice(error)
    if (advice === undefined || this.#isTroubleLogged) return
    this.#isTroubleLogged = true
    this.#log(`${this.#name}: agents cannot connect: ${(error as Error).message}. ${advice}`)
  }

  #loseLease(): void {
    this.#isLeaseLost = true
    this.stop()
  }

  async #sleep(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#stopping.signal }).catch(() => {})
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import { partLeaseS } from '@manc/contract'
import type { PartMessage, PartReport } from '@manc/contract/emulation-parts'
import type { EmulatedAccessPoint } from './emulated-access-point.ts'
import { AppRefused, type ReportClient } from './report-client.ts'

interface Options {
  message: PartMessage
  /** The id of this emulator. */
  emulator: string
  accessPoints: readonly EmulatedAccessPoint[]
  reports: ReportClient
  signal: AbortSignal
  log: (line: string) => void
}

/** An unchanged report is not repeated before the second of these has passed. A stopped emulation ends with the next one. */
const intervalMs = 2000
const maxIntervalMs = 4000
const retryMs = 1000
/** Agents must be gone before another emulator can start them. */
const leaseMarginMs = 5000

/** Reports the state of one part to the controller. Each accepted report renews the lease on the part. */
export class PartReporter {
  readonly #options: Options
  readonly #startedAt = Date.now()
  #mostLive = 0
  #fullAfterS: number | null = null
  /** When the last accepted report was sent: the lease counts from then, however late the answer came. */
  #acceptedAt = Date.now()
  #sentAt = 0
  #lastReport = ''

  constructor(options: Options) {
    this.#options = options
  }

  get isLeaseExpiring(): boolean {
    return Date.now() > this.#acceptedAt + partLeaseS * 1000 - leaseMarginMs
  }

  /** Waits for an answer of the controller. False when another emulator holds the part. */
  async acquireLease(): Promise<boolean> {
    const { reports, message, signal } = this.#options
    while (!signal.aborted)
      try {
        this.#acceptedAt = Date.now()
        return await reports.post(message.job_number, this.#report('starting'), signal)
      } catch (error) {
        if (error instanceof AppRefused) throw error
        this.#logFailure(error)
        await this.#sleep(retryMs)
      }
    return false
  }

  /** Until the final report is accepted, or the part is stopped. False when the lease is lost. */
  async run(): Promise<boolean> {
    while (!this.#options.signal.aborted) {
      const { accessPoints } = this.#options
      // Stopped first, so that all of their samples are counted.
      await Promise.all(accessPoints.filter((each) => each.isOver).map((each) => each.stop()))
      if (this.#options.signal.aborted) break
      const isFinal = accessPoints.every((each) => each.isOver)
      const report = this.#report(isFinal ? 'finished' : 'running')
      // Samples change all the time: they are reported along with other changes.
      const text = JSON.stringify({ ...report, samples: 0 })
      if (isFinal || text !== this.#lastReport || Date.now() > this.#sentAt + maxIntervalMs) {
        if (!(await this.#post(report))) return false
        if (isFinal && this.#acceptedAt === this.#sentAt) return true
        this.#lastReport = text
      }
      if (this.isLeaseExpiring) return false
      await this.#sleep(intervalMs)
    }
    return true
  }

  async #post(report: PartReport): Promise<boolean> {
    const { reports, message, signal } = this.#options
    const sentAt = Date.now()
    this.#sentAt = sentAt
    try {
      const isAccepted = await reports.post(message.job_number, report, signal)
      this.#acceptedAt = sentAt
      return isAccepted
    } catch (error) {
      this.#logFailure(error)
      return true
    }
  }

  #report(state: PartReport['state']): PartReport {
    const { message, emulator, accessPoints } = this.#options
    const live = accessPoints.filter((each) => each.isLive).length
    this.#mostLive = Math.max(this.#mostLive, live)
    if (live === accessPoints.length)
      this.#fullAfterS ??= Math.round((Date.now() - this.#startedAt) / 100) / 10
    return {
      part: message.data.part,
      emulator,
      state,
      agents: accessPoints.length,
      live,
      technologies: technologiesOf(accessPoints),
      most_live: this.#mostLive,
      failed: accessPoints.filter((each) => each.hasFailedToStart).length,
      time_to_full_s: this.#fullAfterS,
      samples: accessPoints.reduce((sum, each) => sum + each.samples, 0),
      commands: accessPoints.reduce((sum, each) => sum + each.commands, 0),
    }
  }

  #logFailure(error: unknown): void {
    const { log, message } = this.#options
    log(`the report on part ${message.data.part} was not delivered: ${(error as Error).message}`)
  }

  async #sleep(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#options.signal }).catch(() => {})
  }
}

function technologiesOf(accessPoints: readonly EmulatedAccessPoint[]): PartReport['technologies'] {
  const counts: PartReport['technologies'] = {}
  for (const { technology, isLive } of accessPoints) {
    const count = (counts[technology] ??= { agents: 0, live: 0 })
    count.agents += 1
    if (isLive) count.live += 1
  }
  return counts
}

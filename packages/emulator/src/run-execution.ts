import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { ExperimentRunReport, ExperimentRunResult } from '@manc/contract'
import type { ExperimentRunMessage } from '@manc/contract/experiment-messages'
import type { RunNews } from './experiment.worker.ts'
import { AppRefused, type ReportClient, type RunAnswer } from './report-client.ts'
import type { Delivery } from './work-queues.ts'

interface Options {
  message: ExperimentRunMessage
  delivery: Delivery
  /** The id of this emulator. */
  emulator: string
  reports: ReportClient
  log: (line: string) => void
}

type RunReport = Partial<ExperimentRunReport> & Pick<ExperimentRunReport, 'state'>
type Outcome = { result: ExperimentRunResult } | { error: unknown } | 'stopped'

/** The lease lasts for several of these. */
const reportIntervalMs = 3000
const retryMs = 1000
/** A world of the largest size takes a part of it. Less than a container has: a run that needs more fails alone. */
const maxMemoryMb = 512
const maxDetailLength = 500

/**
 * Executes one run of an experiment. Its message is acknowledged when the controller has stored the result, or does not want it
 * any more: until then the broker delivers it again when this process ends.
 */
export class RunExecution {
  readonly #options: Options
  readonly #stopping = new AbortController()
  #acknowledge: () => void
  #progressPct = 0
  #isTroubleLogged = false

  constructor(options: Options) {
    this.#options = options
    this.#acknowledge = options.delivery.acknowledge
  }

  /** The message was delivered again, because the connection was lost: the first delivery cannot be acknowledged any more. */
  adopt({ acknowledge }: Delivery): void {
    this.#acknowledge = acknowledge
  }

  /** Throws when the controller refuses the app of the emulators. */
  async execute(): Promise<void> {
    const { delivery, message, log } = this.#options
    const name = `run ${message.run_id}`
    const start = await this.#report({ state: 'started', redelivered: delivery.isRedelivered })
    if (!start.isWanted) {
      if (start.problem !== undefined) log(`${name} cannot be started: ${start.problem}`)
      if (!this.#isStopping) this.#acknowledge()
      return
    }
    log(`${name}: started`)
    const outcome = await this.#simulate()
    if (outcome === 'stopped') return log(`${name}: stopped`)
    const end = await this.#reportEnd(outcome)
    if (this.#isStopping && !end.isWanted) return
    this.#acknowledge()
    log(`${name}: ${end.isWanted ? end.text : 'its result is not wanted any more'}`)
  }

  /** A result that the controller does not accept is a failure, since any emulator would compute it again. */
  async #reportEnd(outcome: Exclude<Outcome, 'stopped'>): Promise<RunAnswer & { text: string }> {
    if ('result' in outcome) {
      const answer = await this.#report({ state: 'finished', progress_pct: 100, result: outcome.result })
      if (answer.problem === undefined) return { ...answer, text: 'finished' }
      return this.#reportEnd({
        error: new Error(`The controller does not accept the result: ${answer.problem}`),
      })
    }
    const detail = textOf(outcome.error)
    return { ...(await this.#report({ state: 'failed', detail })), text: `failed: ${detail}` }
  }

  /** Without an acknowledgement: another emulator executes the run. */
  stop(): void {
    this.#stopping.abort()
  }

  get #isStopping(): boolean {
    return this.#stopping.signal.aborted
  }

  async #simulate(): Promise<Outcome> {
    const worker = new Worker(new URL('./experiment.worker.ts', import.meta.url), {
      workerData: this.#options.message,
      resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb },
    })
    const ended = new AbortController()
    try {
      return await Promise.race([this.#outcomeOf(worker), this.#keepLease(ended.signal)])
    } finally {
      ended.abort()
      await worker.terminate()
    }
  }

  #outcomeOf(worker: Worker): Promise<Outcome> {
    return new Promise((resolve) => {
      worker.on('message', ({ progressPct, result }: RunNews) => {
        this.#progressPct = progressPct
        if (result) resolve({ result })
      })
      worker.once('error', (error: unknown) => resolve({ error }))
      worker.once('exit', () =>
        resolve({ error: new Error('The thread of the run ended without a result.') }),
      )
    })
  }

  /** Until the run has ended, this emulator stops, or the controller does not want the run any more. */
  async #keepLease(ended: AbortSignal): Promise<Outcome> {
    const signal = AbortSignal.any([ended, this.#stopping.signal])
    while (!signal.aborted) {
      await sleep(reportIntervalMs, undefined, { signal }).catch(() => {})
      if (signal.aborted) break
      const { isWanted } = await this.#post(
        { state: 'running', progress_pct: this.#progressPct },
        signal,
      ).catch((error: unknown) => {
        if (error instanceof AppRefused) throw error
        // The next one may arrive within the lease. If not, another emulator computes the same result.
        if (!signal.aborted) this.#logTrouble(error)
        return { isWanted: true }
      })
      if (isWanted) continue
      if (!signal.aborted) this.#acknowledge()
      break
    }
    return 'stopped'
  }

  /** Repeats a report until the controller has answered. Not wanted when this process stops. */
  async #report(report: RunReport): Promise<RunAnswer> {
    const { signal } = this.#stopping
    while (!signal.aborted)
      try {
        return await this.#post(report, signal)
      } catch (error) {
        if (error instanceof AppRefused) throw error
        if (signal.aborted) break
        this.#logTrouble(error)
        await sleep(retryMs, undefined, { signal }).catch(() => {})
      }
    return { isWanted: false }
  }

  #post(report: RunReport, signal: AbortSignal): Promise<RunAnswer> {
    const { message, emulator, reports } = this.#options
    return reports.postRun({ ...report, run_id: message.run_id, emulator }, signal)
  }

  /** Once for each run. */
  #logTrouble(error: unknown): void {
    if (this.#isTroubleLogged) return
    this.#isTroubleLogged = true
    this.#options.log(`a report on run ${this.#options.message.run_id} was not delivered: ${textOf(error)}`)
  }
}

const textOf = (error: unknown) =>
  (error instanceof Error ? error.message : String(error)).replaceAll('\0', '').slice(0, maxDetailLength)

import { createHash } from 'node:crypto'
import type { ExperimentRunReport, ExperimentRunResult } from '@manc/contract'
import type { Logger } from 'pino'
import type { Postgres, Tx } from '../../engines/postgres.ts'
import { invalid, notFound, Refused } from '../../errors.ts'
import type { ExperimentChangeStore } from './experiment-changes.store.ts'
import type { LockedRun } from './experiments.types.ts'
import { isComplete, knownResult } from './results.rules.ts'

export const runOutcomes = ['finished', 'failed', 'repeated', 'different', 'lapsed'] as const
type RunOutcome = (typeof runOutcomes)[number]

interface Deps {
  postgres: Postgres
  changes: ExperimentChangeStore
  log: Logger
  countOutcome: (labels: { outcome: RunOutcome }, by?: number) => void
}

/** A run that ends its emulator each time is not tried without end. */
const maxAttempts = 5
const tooManyAttempts = `${maxAttempts} emulators have stopped reporting before the run ended. Read the logs of the emulators, then start the experiment again.`
const expiredDetail = 'No emulator has finished it in time. Start more emulators: npm run emulator.'
const batchSize = 50

/** Records what emulators report about runs, and takes runs back from emulators that do not report any more. */
export class ExperimentRunService {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Refuses an emulator whose run is not wanted any more. */
  async handleReport(report: ExperimentRunReport): Promise<void> {
    const { run_id: id, emulator } = report
    switch (report.state) {
      case 'started':
        return this.#start(id, emulator, report.redelivered ?? false)
      case 'running':
        if (await this.#deps.changes.renew(id, emulator, report.progress_pct ?? 0)) return
        throw notWanted()
      case 'finished':
        if (!report.result) throw missingResult()
        if (!isComplete(report.result.series)) throw unequalColumns()
        return this.#finish(id, report.result)
      case 'failed':
        return this.#fail(id, emulator, report.detail ?? 'The emulator gave no reason.')
    }
  }

  /** Runs of emulators that were killed or are unreachable wait again. */
  async takeBackLapsed(): Promise<void> {
    const { postgres, changes, countOutcome } = this.#deps
    for (const id of await changes.lapsedRuns(batchSize))
      await postgres.transaction(async (tx) => {
        const run = await changes.lockRun(tx, id)
        if (run?.state !== 'running' || run.isLeased) return
        if (run.attempts >= maxAttempts) await this.#setFailed(tx, run, tooManyAttempts)
        else await changes.setWaiting(tx, run)
        postgres.afterCommit(tx, () => countOutcome({ outcome: 'lapsed' }))
      })
  }

  /** Of experiments whose time is over. */
  async failExpired(): Promise<void> {
    const { postgres, changes, countOutcome } = this.#deps
    for (const { id } of await changes.expired(batchSize))
      await postgres.transaction(async (tx) => {
        const failed = await changes.expire(tx, id, expiredDetail)
        if (failed !== undefined) postgres.afterCommit(tx, () => countOutcome({ outcome: 'failed' }, failed))
      })
  }

  async #start(id: string, emulator: string, isRedelivered: boolean): Promise<void> {
    const { postgres, changes } = this.#deps
    const isStarted = await postgres.transaction(async (tx) => {
      const run = await this.#locked(tx, id)
      if (!isOpen(run)) return false
      const isHeld = run.isLeased && run.emulator !== emulator
      // The broker delivers a message again only after its receiver has disconnected.
      if (isHeld && !isRedelivered) return false
      if (run.emulator !== emulator && run.attempts >= maxAttempts) {
        await this.#setFailed(tx, run, tooManyAttempts)
        return false
      }
      await changes.setStarted(tx, run, emulator)
      return true
    })
    if (!isStarted) throw notWanted()
  }

  /** From any emulator, since the result does not depend on which one has computed it. */
  async #finish(id: string, result: ExperimentRunResult): Promise<void> {
    const { postgres, changes, log, countOutcome } = this.#deps
    const { figures, series } = knownResult(result)
    const texts = { figures: JSON.stringify(figures), series: JSON.stringify(series) }
    const digest = createHash('sha256').update(`${texts.figures}\n${texts.series}`).digest('hex')
    await postgres.transaction(async (tx) => {
      const run = await this.#locked(tx, id)
      const counts = (outcome: RunOutcome) => postgres.afterCommit(tx, () => countOutcome({ outcome }))
      if (run.state === 'finished') {
        const isSame = run.digest === digest
        // The first result stays. Emulators of different versions may differ.
        if (!isSame) log.warn({ run: id }, 'a run of an experiment was repeated with another result')
        return counts(isSame ? 'repeated' : 'different')
      }
      if (!isOpen(run)) throw notWanted()
      await changes.setFinished(tx, run, { ...texts, digest })
      counts('finished')
    })
  }

  /** From the emulator with the lease only: another one may execute it without failure. */
  async #fail(id: string, emulator: string, detail: string): Promise<void> {
    await this.#deps.postgres.transaction(async (tx) => {
      const run = await this.#locked(tx, id)
      if (run.state !== 'running' || run.emulator !== emulator) throw notWanted()
      await this.#setFailed(tx, run, detail)
    })
  }

  async #setFailed(tx: Tx, run: LockedRun, detail: string): Promise<void> {
    const { postgres, changes, countOutcome } = this.#deps
    await changes.setFailed(tx, run, detail)
    postgres.afterCommit(tx, () => countOutcome({ outcome: 'failed' }))
  }

  async #locked(tx: Tx, id: string): Promise<LockedRun> {
    const run = await this.#deps.changes.lockRun(tx, id)
    if (!run) throw notFound('Run')
    return run
  }
}

const isOpen = ({ state }: LockedRun) => state === 'waiting' || state === 'running'

const notWanted = () =>
  new Refused('conflict', 'Another emulator executes this run, or it has ended. Stop it.')

const missingResult = () => invalid([{ loc: ['body', 'result'], msg: 'Field required', type: 'missing' }])

const unequalColumns = () => {
  const msg = 'Value error, all columns of a series need the same length'
  return invalid([{ loc: ['body', 'result', 'series'], msg, type: 'value_error' }])
}

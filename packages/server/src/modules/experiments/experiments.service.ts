import type { ExperimentCreate } from '@manc/contract'
import { type Caller, idOf } from '../../access.ts'
import type { Executor, Postgres, Tx } from '../../engines/postgres.ts'
import { invalid, notFound, Refused } from '../../errors.ts'
import { isUuid, newId } from '../../ids.ts'
import type { Limits } from '../../limits.ts'
import { type Actor, recordAudit } from '../audit/index.ts'
import type { ExperimentChangeStore } from './experiment-changes.store.ts'
import { policyNamesOf, wrongMembers } from './experiment-members.rules.ts'
import type { ExperimentCsv } from './experiments.format.ts'
import type { ExperimentStore } from './experiments.store.ts'
import type {
  ExperimentFilter,
  ExperimentRow,
  ExperimentView,
  NewExperiment,
  NewRun,
  RunRow,
  RunSeriesRow,
} from './experiments.types.ts'

interface Deps {
  postgres: Postgres
  store: ExperimentStore
  changes: ExperimentChangeStore
  limits: Limits
  maxActive: number
  maxKept: number
  perHour: number
  maxOpenRuns: number
  /** Runs without a result fail after this time. */
  withinHours: number
  retentionDays: number
}

export interface ExperimentRequest {
  caller: Caller
  by: Actor
  /** Idempotency key. */
  key: string | undefined
}

/** As in the contract. */
const defaults = { seed: 'run', repetitions: 5 }
const retryAfterS = 60
const sweepSize = 100
/** Series are large: a few runs at once. */
const exportPageSize = 10

/** Creates, reads, cancels and deletes experiments. Emulators execute them. */
export class ExperimentService {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  page(filter: ExperimentFilter, after: string | undefined, limit: number): Promise<ExperimentRow[]> {
    return this.#deps.store.page(filter, after, limit)
  }

  get(view: ExperimentView, id: string): Promise<ExperimentRow> {
    return this.#find(this.#deps.postgres.db, view, id)
  }

  async getWithRuns(
    view: ExperimentView,
    id: string,
  ): Promise<{ experiment: ExperimentRow; runs: RunRow[] }> {
    const experiment = await this.get(view, id)
    return { experiment, runs: await this.#deps.store.runs(experiment.id) }
  }

  async getRun(view: ExperimentView, id: string, number: number): Promise<RunSeriesRow> {
    const experiment = await this.get(view, id)
    const run = await this.#deps.store.run(experiment.id, number)
    if (!run) throw notFound('Run')
    return run
  }

  async *csv({ id }: ExperimentRow, { header, linesOf }: ExperimentCsv): AsyncGenerator<string> {
    yield header
    for (let after = 0; ; ) {
      const page = await this.#deps.store.runsAfter(id, after, exportPageSize)
      const text = page.map(linesOf).join('')
      if (text !== '') yield text
      if (page.length < exportPageSize) return
      after = page.at(-1)?.run ?? 0
    }
  }

  async create(given: ExperimentCreate, { caller, by, key }: ExperimentRequest): Promise<ExperimentRow> {
    const problems = wrongMembers(given)
    if (problems.length > 0) throw invalid(problems)
    return this.start(experimentOf(given, caller, key), by)
  }

  /** The experiment that an earlier request with the same key has created, if there is one. */
  async ofRequest(owner: string, key: string | undefined): Promise<ExperimentRow | undefined> {
    const { postgres, store } = this.#deps
    const id = key === undefined ? undefined : await store.ofKey(postgres.db, owner, key)
    return id === undefined ? undefined : this.get({ owner: undefined }, id)
  }

  /** Returns the one of an earlier request with the same key, if there is one. */
  async start(experiment: NewExperiment, by: Actor): Promise<ExperimentRow> {
    const { postgres, store, changes, withinHours } = this.#deps
    const { owner, key } = experiment
    // A repeated request does not count.
    const created = await this.ofRequest(owner, key)
    if (created) return created
    const id = await postgres.transaction(async (tx) => {
      // Requests of the same owner wait here for each other.
      const recent = await changes.countStart(tx, owner, this.#deps.perHour)
      const createdMeanwhile = key === undefined ? undefined : await store.ofKey(tx, owner, key)
      if (createdMeanwhile !== undefined) return createdMeanwhile
      await this.#admit(tx, experiment, recent)
      await changes.insert(tx, experiment, withinHours * 3600)
      const detail = { name: experiment.name, runs: experiment.runs.length }
      await recordAudit(tx, by, { action: 'experiment.create', target: experiment.id, detail })
      // At the end, since requests of all owners wait for each other from here on.
      await this.#checkTotal(tx)
      return experiment.id
    })
    return this.get({ owner: undefined }, id)
  }

  /** One that has ended stays as it is. */
  async cancel(caller: Caller, id: string, by: Actor): Promise<ExperimentRow> {
    const { postgres, changes } = this.#deps
    return postgres.transaction(async (tx) => {
      const experiment = await this.#findOwn(tx, caller, id)
      if (await changes.cancel(tx, experiment.id))
        await recordAudit(tx, by, {
          action: 'experiment.cancel',
          target: experiment.id,
          detail: { name: experiment.name },
        })
      return this.#find(tx, { owner: undefined }, experiment.id)
    })
  }

  async delete(caller: Caller, id: string, by: Actor): Promise<void> {
    const { postgres, changes } = this.#deps
    await postgres.transaction(async (tx) => {
      const experiment = await this.#findOwn(tx, caller, id)
      await changes.delete(tx, experiment.id)
      const detail = { name: experiment.name, runs: experiment.runs }
      await recordAudit(tx, by, { action: 'experiment.delete', target: experiment.id, detail })
    })
  }

  sweep(): Promise<void> {
    return this.#deps.changes.deleteOld(this.#deps.retentionDays, sweepSize)
  }

  /** Refuses what exceeds a limit of the owner. */
  async #admit(tx: Tx, { owner }: NewExperiment, recent: number): Promise<void> {
    const { changes, limits, maxActive, maxKept, perHour } = this.#deps
    if (recent > perHour) {
      const waitS = Math.ceil(((recent - perHour) * 3600) / perHour)
      throw limits.refusal(
        'MANC_EXPERIMENTS_PER_HOUR',
        `At most ${perHour} experiments of yours in an hour. Try again in ${waitS} s.`,
        waitS,
      )
    }
    const { active, kept } = await changes.usage(tx, owner)
    if (active >= maxActive) {
      limits.count('MANC_EXPERIMENTS')
      throw new Refused(
        'conflict',
        `${active} of your experiments are in progress. Wait until one has ended, or cancel one.`,
      )
    }
    // What-ifs are looked at once: they do not stop their owner from starting others.
    if (kept >= maxKept && !(await changes.deleteOldestWhatIf(tx, owner))) {
      limits.count('MANC_EXPERIMENTS_KEPT')
      throw new Refused('conflict', `${kept} of your experiments are stored. Export and delete one first.`)
    }
  }

  async #checkTotal(tx: Tx): Promise<void> {
    const { changes, limits, maxOpenRuns } = this.#deps
    if ((await changes.openRuns(tx)) <= maxOpenRuns) return
    throw limits.refusal(
      'MANC_EXPERIMENT_RUNS_TOTAL',
      `At most ${maxOpenRuns} runs of all experiments may wait. Use fewer policies or repetitions, or try again later.`,
      retryAfterS,
    )
  }

  /** One that the caller may change. */
  async #findOwn(tx: Tx, caller: Caller, id: string): Promise<ExperimentRow> {
    const experiment = await this.#find(tx, viewOf(caller), id)
    const isAdmin = caller.kind === 'user' && caller.rank === 'admin'
    if (experiment.owner !== idOf(caller) && !isAdmin)
      throw new Refused('forbidden', 'Only its owner or an administrator can cancel or delete an experiment.')
    return experiment
  }

  async #find(db: Executor, view: ExperimentView, id: string): Promise<ExperimentRow> {
    const experiment = isUuid(id) ? await this.#deps.store.find(db, view, id) : undefined
    if (!experiment) throw notFound('Experiment')
    return experiment
  }
}

/** Of a new experiment: whose it is. */
export const ownerOf = (caller: Caller): Pick<NewExperiment, 'owner' | 'ownerKind' | 'ownerName'> => ({
  owner: idOf(caller),
  ownerKind: caller.kind === 'third_party_app' ? 'app' : 'user',
  ownerName: 'name' in caller ? caller.name : '',
})

/** Seed by seed: comparisons of the first seeds are there early. */
export const runsOf = (policies: readonly string[], seed: string, repetitions: number): NewRun[] =>
  Array.from({ length: repetitions }, (_, n) =>
    policies.map((policy) => ({ id: newId(), policy, seed: `${seed}-${n + 1}` })),
  ).flat()

/** An app gets the experiments that it has created; users get all. */
export const viewOf = (caller: Caller): ExperimentView => ({
  owner: caller.kind === 'third_party_app' ? caller.id : undefined,
})

function experimentOf(given: ExperimentCreate, caller: Caller, key: string | undefined): NewExperiment {
  const { name, world, documents = [], seed = defaults.seed, repetitions = defaults.repetitions } = given
  const policies = policyNamesOf(given)
  return {
    id: newId(),
    ...ownerOf(caller),
    key,
    name,
    kind: 'comparison',
    world,
    places: null,
    command: null,
    policies,
    documents,
    seed,
    repetitions,
    durationS: given.duration_s ?? null,
    runs: runsOf(policies, seed, repetitions),
  }
}

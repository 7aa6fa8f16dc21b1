import type { RolloutAgentState, RolloutCreate, RolloutSelection } from '@manc/contract'
import { type Caller, idOf } from '../../access.ts'
import type { Postgres, Tx } from '../../engines/postgres.ts'
import { notFound, Refused } from '../../errors.ts'
import { isUuid, newId } from '../../ids.ts'
import type { Limits } from '../../limits.ts'
import { type Actor, recordAudit } from '../audit/index.ts'
import type { FleetService } from '../fleet/index.ts'
import type { SelectionService } from './rollout-selection.service.ts'
import type { RolloutStore } from './rollouts.store.ts'
import type { Rollout, RolloutAgent } from './rollouts.types.ts'
import { stageOf } from './stages.rules.ts'

interface Deps {
  postgres: Postgres
  store: RolloutStore
  selection: SelectionService
  fleet: FleetService
  limits: Limits
  maxInProgress: number
}

const maxTitleLength = 200

/** Requests about rollouts. `RolloutWorker` does the changes. */
export class RolloutService {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  preview(body: RolloutSelection, caller: Caller) {
    return this.#deps.selection.preview(body, caller)
  }

  async create(body: RolloutCreate, caller: Caller, by: Actor): Promise<Rollout> {
    const { postgres, store, selection } = this.#deps
    const { apIds } = await selection.select(body, caller)
    const agents = await this.#staged(apIds, body.change)
    // Validation fills in the defaults of the contract.
    const { change, wait_s: waitS = Number.NaN, max_failures: maxFailures = Number.NaN } = body
    const title = body.title ?? `Change ${Object.keys(change).join(', ')}`.slice(0, maxTitleLength)
    const rollout = {
      id: newId(),
      owner: idOf(caller),
      ownerName: by.name,
      title: title.replaceAll('\0', ''),
      change: JSON.stringify(change),
      waitS,
      maxFailures,
    }
    return postgres.transaction(async (tx) => {
      await this.#refuseTooMany(tx, caller)
      await store.insert(tx, rollout, agents)
      const detail = { title: rollout.title, agents: agents.length }
      await recordAudit(tx, by, { action: 'rollout.create', target: rollout.id, detail })
      return this.#found(await store.find(rollout.id, tx))
    })
  }

  async get(id: string): Promise<Rollout> {
    return this.#found(isUuid(id) ? await this.#deps.store.find(id) : undefined)
  }

  async page(after: string | undefined, limit: number): Promise<Rollout[]> {
    return after === undefined || isUuid(after) ? this.#deps.store.page(after, limit) : []
  }

  async agents(
    id: string,
    page: { state: RolloutAgentState | undefined; after: string; limit: number },
  ): Promise<RolloutAgent[]> {
    const rollout = await this.get(id)
    return this.#deps.store.agents(rollout.id, page)
  }

  async pause(id: string, by: Actor): Promise<void> {
    const { id: known, title } = await this.get(id)
    const { postgres, store } = this.#deps
    await postgres.transaction(async (tx) => {
      const detail = `Paused by ${by.name}.`
      if (!(await store.setState(tx, known, ['running'], { state: 'paused', detail })))
        throw new Refused('conflict', 'The rollout is not running. Read its state.')
      await recordAudit(tx, by, { action: 'rollout.pause', target: known, detail: { title } })
    })
  }

  async resume(id: string, caller: Caller, by: Actor): Promise<void> {
    const { id: known, title } = await this.get(id)
    const { postgres, store } = this.#deps
    const owner = { id: idOf(caller), name: by.name }
    await postgres.transaction(async (tx) => {
      await this.#refuseTooMany(tx, caller)
      const next = { state: 'running', detail: null, owner } as const
      if (!(await store.setState(tx, known, ['paused', 'stopped'], next)))
        throw new Refused(
          'conflict',
          'Only a rollout that has paused or stopped can be resumed. Read its state.',
        )
      await store.forgive(tx, known)
      await recordAudit(tx, by, { action: 'rollout.resume', target: known, detail: { title } })
    })
  }

  async undo(id: string, caller: Caller, by: Actor): Promise<void> {
    const { id: known, title, state, owner: previous } = await this.get(id)
    const { postgres, store } = this.#deps
    const owner = { id: idOf(caller), name: by.name }
    await postgres.transaction(async (tx) => {
      // The caller's own running rollout is counted already.
      if (state !== 'running' || previous !== owner.id) await this.#refuseTooMany(tx, caller)
      const from = ['running', 'paused', 'stopped', 'completed'] as const
      if (!(await store.setState(tx, known, from, { state: 'undoing', detail: null, owner })))
        throw new Refused('conflict', 'The rollout is undone already, or is being undone. Read its state.')
      await recordAudit(tx, by, { action: 'rollout.undo', target: known, detail: { title } })
    })
  }

  /**
   * Those that work first, and those that have the values already last: of others the first stages would show nothing.
   */
  async #staged(
    apIds: readonly string[],
    change: RolloutCreate['change'],
  ): Promise<{ apId: string; stage: number }[]> {
    const conditions = await this.#deps.fleet.conditions(apIds)
    const changing = await this.#deps.selection.changing(apIds, change)
    const rank = (apId: string) => (changing.has(apId) ? 0 : 2) + (conditions.get(apId) === 'well' ? 0 : 1)
    const ordered = apIds.toSorted((a, b) => rank(a) - rank(b))
    return ordered.map((apId, position) => ({ apId, stage: stageOf(position, ordered.length) }))
  }

  async #refuseTooMany(tx: Tx, caller: Caller): Promise<void> {
    const { store, limits, maxInProgress } = this.#deps
    if ((await store.countInProgress(tx, idOf(caller))) < maxInProgress) return
    limits.count('MANC_ROLLOUTS')
    throw new Refused(
      'conflict',
      `You have ${maxInProgress} rollouts in progress. Wait until one has ended, or pause one.`,
    )
  }

  #found(rollout: Rollout | undefined): Rollout {
    if (!rollout) throw notFound('Rollout')
    return rollout
  }
}

import type { Decision, DecisionCreate, DecisionState } from '@manc/contract'
import { type Caller, idOf } from '../../access.ts'
import type { Postgres, Tx } from '../../engines/postgres.ts'
import { invalid, notFound, Refused } from '../../errors.ts'
import { isUuid, newId } from '../../ids.ts'
import type { Limits } from '../../limits.ts'
import { type Actor, recordAudit } from '../audit/index.ts'
import { type CommandSetService, steeredClient, type Verdict } from '../commands/index.ts'
import type { EventService } from '../events/index.ts'
import { jobTitles } from '../jobs/index.ts'
import type { DecisionChangeStore } from './decision-changes.store.ts'
import { affectedAgents, namedAgents, wrongMembers } from './decision-members.rules.ts'
import { commandsText, eventsOf, toRecord } from './decisions.format.ts'
import type { DecisionStore } from './decisions.store.ts'
import type { DecisionFilter, DecisionRow, DecisionView, NewDecision } from './decisions.types.ts'

interface Deps {
  postgres: Postgres
  store: DecisionStore
  changes: DecisionChangeStore
  commandSets: CommandSetService
  events: EventService
  limits: Limits
  perHour: number
  maxOpen: number
  kept: number
  retentionDays: number
  countChange: (labels: { state: DecisionState }) => void
}

interface Request {
  caller: Caller
  by: Actor
  /** Idempotency key. */
  key: string | undefined
}

/** Rolls the transaction back: the decision exists. */
class Repeated extends Error {
  readonly id: string

  constructor(id: string) {
    super('the decision was created by an earlier request with the same key')
    this.id = id
  }
}

/** As in the contract. */
const defaultExpiryS = 600
const exportPageSize = 500
const sweepSize = 5000

/** Records decisions, and executes those of mode `act`. */
export class DecisionService {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  page(filter: DecisionFilter, after: string | undefined, limit: number): Promise<DecisionRow[]> {
    return this.#deps.store.page(filter, after, limit)
  }

  async *all(filter: DecisionFilter): AsyncGenerator<Decision[]> {
    for (let after: string | undefined; ; ) {
      const page = await this.#deps.store.page(filter, after, exportPageSize)
      yield page.map(toRecord)
      if (page.length < exportPageSize) return
      after = page.at(-1)?.id
    }
  }

  async get(view: DecisionView, id: string): Promise<DecisionRow> {
    const { postgres, store } = this.#deps
    const decision = isUuid(id) ? await store.find(postgres.db, view, id) : undefined
    if (!decision) throw notFound('Decision')
    return decision
  }

  async create(given: DecisionCreate, { caller, by, key }: Request): Promise<DecisionRow> {
    const { postgres, store } = this.#deps
    const apIds = namedAgents(given)
    refuseOthers(caller, given, apIds)
    const problems = wrongMembers(given)
    if (problems.length > 0) throw invalid(problems)
    const decision = decisionOf(given, caller, key)
    this.#deps.commandSets.checkTargets(caller, decision.commands)
    const known = key === undefined ? undefined : await store.ofKey(postgres.db, decision.owner, key)
    if (known !== undefined) return this.#created(known)
    try {
      if (given.mode === 'act') await this.#act(decision, apIds, { caller, by })
      else
        await postgres.transaction((tx) =>
          this.#insert(tx, decision, { apIds, state: given.mode === 'watch' ? 'recorded' : 'proposed' }),
        )
      return await this.#created(decision.id)
    } catch (error) {
      if (error instanceof Repeated) return this.#created(error.id)
      throw error
    }
  }

  sweep(): Promise<void> {
    return this.#deps.changes.deleteOld(this.#deps.retentionDays, sweepSize)
  }

  #created(id: string): Promise<DecisionRow> {
    return this.get({ app: undefined }, id)
  }

  /** The record and its commands are committed together. A refusal of the arbiter is recorded as well. */
  async #act(
    decision: NewDecision,
    apIds: readonly string[],
    { caller, by }: { caller: Caller; by: Actor },
  ): Promise<void> {
    const { postgres, changes, commandSets } = this.#deps
    const record = async (tx: Tx, state: 'executed' | 'refused', verdicts: readonly Verdict[]) => {
      await this.#insert(tx, decision, { apIds, state })
      await changes.setVerdicts(tx, decision.id, verdicts)
    }
    const verdicts = await commandSets.send({
      commands: decision.commands,
      title: jobTitles.decision(decision.policy, affectedAgents(decision).length),
      caller,
      // Limits and the key first: of two requests with the same key, the second reserves no access point.
      before: async (tx) => {
        await this.#admit(tx, decision)
      },
      sent: async (tx, jobNumber, granted) => {
        await record(tx, 'executed', granted)
        await changes.setExecuted(tx, decision.id, jobNumber, null)
        if (decision.reverts !== null) await changes.setReverted(tx, decision.reverts, decision.id)
        const detail = { command: commandsText(granted), agents: granted.length, decision: decision.id }
        await recordAudit(tx, by, { action: 'agents.command', target: jobNumber, detail })
      },
    })
    if (verdicts.some(({ verdict }) => verdict !== 'granted'))
      await postgres.transaction((tx) => record(tx, 'refused', verdicts))
  }

  async #insert(
    tx: Tx,
    decision: NewDecision,
    { apIds, state }: { apIds: readonly string[]; state: DecisionState },
  ): Promise<void> {
    const { postgres, changes, events, kept, countChange } = this.#deps
    const lastSeq = await this.#admit(tx, decision)
    const ownerSeq = lastSeq + 1
    await changes.insert(tx, decision, { state, ownerSeq, apIds })
    await changes.deleteOldest(tx, decision.owner, ownerSeq, kept)
    const commands = decision.commands.map((each) => ({ ...each, ...undecided }))
    await events.append(tx, eventsOf({ ...decision, commands }, state))
    postgres.afterCommit(tx, () => countChange({ state }))
  }

  /** Refuses what exists or exceeds a limit. Returns the number of the owner's last decision. */
  async #admit(tx: Tx, decision: NewDecision): Promise<number> {
    const { store, changes, limits, perHour, maxOpen } = this.#deps
    const { owner, key, mode } = decision
    await changes.lockOwner(tx, owner)
    const known = key === undefined ? undefined : await store.ofKey(tx, owner, key)
    if (known !== undefined) throw new Repeated(known)
    const { lastSeq, open, lately, freeInS } = await changes.usage(tx, owner)
    if (lately >= perHour)
      throw limits.refusal(
        'MANC_DECISIONS_PER_HOUR',
        `At most ${perHour} decisions of one caller are recorded within an hour. Wait, or decide less often.`,
        Math.max(1, Math.ceil(freeInS)),
      )
    if (mode === 'advise' && open >= maxOpen) {
      limits.count('MANC_OPEN_PROPOSALS')
      throw new Refused(
        'conflict',
        `${maxOpen} of your proposals are open. Wait until some are confirmed, rejected or expired.`,
      )
    }
    await this.#checkReverted(tx, decision)
    return lastSeq
  }

  async #checkReverted(tx: Tx, { owner, reverts }: NewDecision): Promise<void> {
    if (reverts === null) return
    const reverted = await this.#deps.store.find(tx, { app: undefined }, reverts)
    if (reverted?.owner !== owner)
      throw new Refused('not-found', 'You have no decision with the id in `reverts`. Leave it out.')
    if (reverted.state !== 'executed' && reverted.state !== 'measured')
      throw new Refused(
        'conflict',
        `The decision in \`reverts\` is ${reverted.state}. Only one that was executed and not reverted can be undone.`,
      )
  }
}

const undecided = { verdict: null, detail: null, jobNumber: null, state: null, result: null, endedAt: null }

function refuseOthers(caller: Caller, { mode }: DecisionCreate, apIds: readonly string[]): void {
  if (caller.kind !== 'third_party_app') return
  const others = apIds.filter((apId) => !caller.sees(apId))
  if (others.length > 0)
    throw new Refused(
      'forbidden',
      `The permissions of the app do not cover ${others.slice(0, 5).join(', ')}. Name access points that they cover.`,
    )
  if (mode === 'act' && !caller.may('sendCommands', 'commands:send'))
    throw new Refused(
      'forbidden',
      'The app may not send commands. Use the mode advise, or have an administrator add the scope commands:send.',
    )
}

const decisionOf = (given: DecisionCreate, caller: Caller, key: string | undefined): NewDecision => ({
  id: newId(),
  owner: idOf(caller),
  ownerKind: caller.kind === 'third_party_app' ? 'app' : 'user',
  ownerName: 'name' in caller ? caller.name : '',
  key,
  policy: given.policy,
  mode: given.mode,
  reason: given.reason,
  client: given.client ?? null,
  observed: (given.observed ?? []).map((each) => ({ ...each, at: each.at.toISOString() })),
  expected: given.expected,
  commands: (given.commands ?? []).map(({ ap_id: apId, command }) => ({
    apId,
    command,
    client: steeredClient(command),
  })),
  expiresInS: given.expires_in_s ?? defaultExpiryS,
  reverts: given.reverts ?? null,
})

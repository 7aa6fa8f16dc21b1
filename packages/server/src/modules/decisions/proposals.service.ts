import type { DecisionState } from '@manc/contract'
import type { Caller } from '../../access.ts'
import type { Postgres, Tx } from '../../engines/postgres.ts'
import { notFound, Refused } from '../../errors.ts'
import type { AppService } from '../apps/index.ts'
import { type Actor, recordAudit } from '../audit/index.ts'
import type { CommandSetService, Verdict } from '../commands/index.ts'
import type { EventService } from '../events/index.ts'
import { jobTitles } from '../jobs/index.ts'
import type { DecisionChangeStore } from './decision-changes.store.ts'
import { affectedAgents } from './decision-members.rules.ts'
import { commandsText, eventsOf } from './decisions.format.ts'
import type { DecisionService } from './decisions.service.ts'
import type { DecisionRow } from './decisions.types.ts'

interface Deps {
  postgres: Postgres
  decisions: DecisionService
  changes: DecisionChangeStore
  apps: AppService
  commandSets: CommandSetService
  events: EventService
  countChange: (labels: { state: DecisionState }) => void
}

/** Rolls the transaction back: the same user has done this before. */
class Repeated extends Error {}

const all = { app: undefined }
/** States of a proposal that was confirmed. */
const confirmedStates: readonly DecisionState[] = ['executed', 'measured', 'reverted']

/** A person confirms or rejects what an app proposes. */
export class ProposalService {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  async confirm(id: string, caller: Caller, by: Actor): Promise<DecisionRow> {
    const { decisions } = this.#deps
    const proposal = await decisions.get(all, id)
    try {
      refuseClosed(proposal, { isOpen: canBeAnswered(proposal), repeated: confirmedStates, by })
      const verdicts = await this.#execute(proposal, await this.#executorOf(proposal, caller), by)
      if (verdicts.some(({ verdict }) => verdict !== 'granted')) await this.#refuse(proposal.id, verdicts)
    } catch (error) {
      if (!(error instanceof Repeated)) throw error
    }
    return decisions.get(all, id)
  }

  async reject(id: string, by: Actor): Promise<DecisionRow> {
    const { postgres, decisions, changes, events, countChange } = this.#deps
    const proposal = await decisions.get(all, id)
    try {
      await postgres.transaction(async (tx) => {
        await this.#lockOpen(tx, proposal.id, { repeated: ['rejected'], by })
        await changes.setRejected(tx, proposal.id, by.name)
        await recordAudit(tx, by, {
          action: 'decision.reject',
          target: proposal.id,
          detail: detailOf(proposal),
        })
        await events.append(tx, eventsOf(proposal, 'rejected'))
        postgres.afterCommit(tx, () => countChange({ state: 'rejected' }))
      })
    } catch (error) {
      if (!(error instanceof Repeated)) throw error
    }
    return decisions.get(all, id)
  }

  #execute(proposal: DecisionRow, executor: Caller, by: Actor): Promise<readonly Verdict[]> {
    const { postgres, changes, commandSets, events, countChange } = this.#deps
    const { id, policy, commands, reverts } = proposal
    return commandSets.send({
      commands: commands.map(({ apId, command }) => ({ apId, command })),
      title: jobTitles.decision(policy, affectedAgents(proposal).length),
      caller: executor,
      before: (tx) => this.#lockOpen(tx, id, { repeated: confirmedStates, by }),
      sent: async (tx, jobNumber, verdicts) => {
        await changes.setVerdicts(tx, id, verdicts)
        await changes.setExecuted(tx, id, jobNumber, by.name)
        if (reverts !== null && !(await changes.setReverted(tx, reverts, id)))
          throw new Refused(
            'conflict',
            'The decision that it reverts was reverted before. Reject the proposal.',
          )
        const detail = { ...detailOf(proposal), job_number: jobNumber, command: commandsText(commands) }
        await recordAudit(tx, by, { action: 'decision.confirm', target: id, detail })
        await events.append(tx, eventsOf(proposal, 'executed'))
        postgres.afterCommit(tx, () => countChange({ state: 'executed' }))
      },
    })
  }

  /** The proposal stays open, with the verdicts of this attempt. */
  async #refuse(id: string, verdicts: readonly Verdict[]): Promise<never> {
    const { postgres, changes } = this.#deps
    await postgres.transaction(async (tx) => {
      const locked = await changes.lock(tx, id)
      if (locked?.isOpen) await changes.setVerdicts(tx, id, verdicts)
    })
    const refused = verdicts.filter(({ verdict }) => verdict !== 'granted' && verdict !== 'not_sent')
    const reasons = refused.slice(0, 3).map(({ apId, detail }) => `${apId}: ${detail}`)
    throw new Refused(
      'conflict',
      `No command was sent. ${reasons.join(' ')} Confirm again later, or reject it.`,
    )
  }

  /** Commands of an app are sent with the permissions and the priority that it has now. */
  async #executorOf({ owner, ownerKind, commands }: DecisionRow, confirming: Caller): Promise<Caller> {
    if (ownerKind === 'user') return confirming
    const app = await this.#deps.apps.callerOf(owner)
    if (!app) throw new Refused('conflict', 'The app was deleted. Reject its proposal.')
    const others = commands.filter(({ apId }) => !app.sees(apId)).map(({ apId }) => apId)
    if (others.length > 0 || !app.may('createDecision', 'decisions:write'))
      throw new Refused(
        'conflict',
        `The permissions of the app do not allow this any more${others.length > 0 ? ` for ${others.slice(0, 5).join(', ')}` : ''}. Reject its proposal, or change its permissions.`,
      )
    return app
  }

  async #lockOpen(
    tx: Tx,
    id: string,
    closed: { repeated: readonly DecisionState[]; by: Actor },
  ): Promise<void> {
    const locked = await this.#deps.changes.lock(tx, id)
    if (!locked) throw notFound('Decision')
    refuseClosed(locked, { isOpen: locked.isOpen, ...closed })
  }
}

const canBeAnswered = ({ state, expiresAt }: DecisionRow): boolean =>
  state === 'proposed' && expiresAt !== null && expiresAt.getTime() > Date.now()

function refuseClosed(
  { state, decidedBy }: { state: DecisionState; decidedBy: string | null },
  { isOpen, repeated, by }: { isOpen: boolean; repeated: readonly DecisionState[]; by: Actor },
): void {
  if (isOpen) return
  if (repeated.includes(state) && decidedBy === by.name) throw new Repeated()
  const found = state === 'proposed' ? 'has expired' : `is ${state}`
  throw new Refused('conflict', `The decision ${found}. Only an open proposal can be confirmed or rejected.`)
}

const detailOf = ({ ownerName, policy }: DecisionRow) => ({ owner: ownerName, policy })

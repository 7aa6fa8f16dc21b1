import type { CommandForAgent, JobState } from '@manc/contract'
import { type Caller, idOf } from '../../access.ts'
import type { Postgres, Tx } from '../../engines/postgres.ts'
import { Refused } from '../../errors.ts'
import type { AgentService } from '../agents/index.ts'
import { type Actor, recordAudit } from '../audit/index.ts'
import type { JobService, JobUpdate, MessageService } from '../jobs/index.ts'
import { endStates } from './command-states.rules.ts'
import type { Change, Changed, Command, CommandStore } from './commands.store.ts'
import type { HoldStore } from './holds.store.ts'
import type { PartStore } from './parts.store.ts'

export interface CommandTimes {
  /** Seconds that a command waits for its agent. */
  livesForS: number
  /** Seconds for an agent to say that it has it, before it is sent again. */
  deliveredWithinS: number
  /** Seconds for its result, from then on. */
  resultWithinS: number
  /** Seconds that an app holds an agent after a command. */
  holdS: number
}

interface Parts {
  postgres: Postgres
  store: CommandStore
  holds: HoldStore
  parts: PartStore
  agents: AgentService
  jobs: JobService
  messages: MessageService
  times: CommandTimes
}

/** People who may send at all come before every app. */
const priorityOfPeople = 1_000_000

/** Commands on their way to agents, and what becomes of them. */
export class CommandService {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  get times(): CommandTimes {
    return this.#parts.times
  }

  async send(wish: { apId: string; command: string; caller: Caller; by: Actor; key: string | undefined }) {
    const { apId, command, caller, by, key } = wish
    const { agents, jobs, store, times } = this.#parts
    const agent = await agents.get(apId)
    if (!knows(agent.configuration, command))
      throw new Refused(
        'bad-request',
        `The agent does not know this command. It lists its commands in its configuration.`,
      )
    const owner = idOf(caller)
    const request = { agent_id: apId, command }
    return jobs.create({ kind: 'send_command', request, owner, key }, async (tx, number) => {
      const taken = await this.takeOver(tx, [apId], caller)
      if (taken.apIds.length === 0)
        throw new Refused('conflict', 'Another application holds this agent. Try again shortly.', {
          retryAfterS: Math.max(1, Math.ceil(taken.leftS)),
        })
      await store.insert(tx, { jobNumber: number, apId, owner, command, livesForS: times.livesForS })
      await recordAudit(tx, by, { action: 'agent.command', target: apId, detail: { command } })
    })
  }

  /** What waits for an agent that asks: from now on it counts as sent. */
  async take(apId: string): Promise<CommandForAgent[]> {
    const { store, times } = this.#parts
    const waiting = await store.pendingFor(apId)
    await this.change(
      waiting.map(({ jobNumber }) => ({ jobNumber, state: 'sent' as const })),
      times.deliveredWithinS,
    )
    return waiting.map(forAgent)
  }

  /**
   * What agents say of commands, in order. Late and repeated news change nothing. Tells of each whether it was news of a
   * command of that agent at all.
   */
  async heard(news: readonly { apId: string; said: Record<string, unknown> }[]): Promise<boolean[]> {
    const changes = news.map(({ said }) => changeOf(said))
    const ids = changes.flatMap((change) => change?.jobNumber ?? [])
    if (ids.length === 0) return changes.map(() => false)
    const agents = await this.#parts.store.agentsOf(ids)
    const isNews = changes.map(
      (change, n) => change !== undefined && agents.get(change.jobNumber) === news[n]?.apId,
    )
    let left = changes.filter((change, n) => change !== undefined && isNews[n] === true) as Change[]
    // One state after the other: the caller hears of each.
    while (left.length > 0) {
      const next = new Map<string, Change>()
      for (const change of left) if (!next.has(change.jobNumber)) next.set(change.jobNumber, change)
      await this.change([...next.values()], this.#parts.times.resultWithinS)
      left = left.filter((change) => next.get(change.jobNumber) !== change)
    }
    return isNews
  }

  /** The commands, their jobs and the messages for the callers change in one transaction. */
  async change(changes: readonly Change[], dueInS: number, tx?: Tx): Promise<void> {
    if (changes.length === 0) return
    const { postgres, store, messages } = this.#parts
    if (!tx) return postgres.transaction((own) => this.change(changes, dueInS, own))
    const changed = await store.change(tx, changes, dueInS)
    if (changed.length > 0) await messages.update(tx, changed.map(toUpdate))
  }

  /** Posts the progress of commands to many to their callers, where it has changed. */
  async updateProgress(): Promise<void> {
    const { parts, messages } = this.#parts
    const changed = await parts.changedProgress()
    if (changed.length > 0) await messages.updateProgress(changed)
  }

  /**
   * Agents are this caller's for a while, but for those that another app holds against it. Where it takes one over, what
   * that app has not had delivered is over.
   */
  async takeOver(tx: Tx, apIds: string[], caller: Caller): Promise<{ apIds: string[]; leftS: number }> {
    const { store, holds, times } = this.#parts
    const owner = idOf(caller)
    const heldByOthers = await holds.heldByOthers(tx, apIds, owner)
    const isPerson = caller.kind !== 'third_party_app'
    const priority = priorityOf(caller)
    const taken = await holds.take(tx, apIds, { holder: owner, priority, isPerson, forS: times.holdS })
    const fromOthers = taken.filter((apId) => heldByOthers.some((hold) => hold.apId === apId))
    const supersededJobs = await store.undeliveredOfOthers(tx, fromOthers, owner)
    const detail = 'Another caller has taken this agent over.'
    await this.change(
      supersededJobs.map((jobNumber) => ({ jobNumber, state: 'superseded' as const, detail })),
      0,
      tx,
    )
    return { apIds: taken, leftS: heldByOthers[0]?.leftS ?? times.holdS }
  }
}

/** The last message is the result of the job; the result of the agent is passed on as its JSON text. */
function toUpdate({ jobNumber, apId, command, state, result, detail }: Changed): JobUpdate {
  const known = JSON.stringify({ job_number: jobNumber, agent_id: apId, command, state }).slice(0, -1)
  const data = `${known},"result":${result ?? 'null'},"detail":${JSON.stringify(detail)}}`
  const final = endStates.includes(state)
  return { jobNumber, state, detail, final, data: final ? `[${data}]` : data }
}

const priorityOf = (caller: Caller) =>
  caller.kind === 'third_party_app' ? caller.priority : priorityOfPeople

/** An agent that lists its commands is sent no others. One that lists `set_power` takes `set_power 20`. */
export function knows(configuration: string, command: string): boolean {
  const { commands } = JSON.parse(configuration) as Record<string, unknown>
  const [word] = command.trim().split(/\s/, 1)
  return !Array.isArray(commands) || commands.includes(command) || commands.includes(word)
}

export const forAgent = ({ jobNumber, command, expiresAt }: Command): CommandForAgent => ({
  id: jobNumber,
  command,
  expires_at: expiresAt.toISOString(),
})

function changeOf({ id, state, status, result, detail }: Record<string, unknown>): Change | undefined {
  const word = wordOf(state ?? status)
  if (typeof id !== 'string' || !isId.test(id) || !word) return undefined
  return {
    jobNumber: id,
    state: word,
    result: result === undefined ? undefined : JSON.stringify(result),
    // PostgreSQL stores any text but this.
    detail: typeof detail === 'string' ? detail.slice(0, 1000).replaceAll('\0', '\ufffd') : undefined,
  }
}

const isId = /^[\da-f-]{36}$/

const words: [RegExp, JobState][] = [
  [/^(delivered|received|accepted|ack|acknowledged|running)$/i, 'delivered'],
  [/^(succeeded|success|ok|done|completed)$/i, 'succeeded'],
  [/^(failed|failure|error|refused|rejected)$/i, 'failed'],
]

const wordOf = (said: unknown): JobState | undefined =>
  typeof said === 'string' ? words.find(([pattern]) => pattern.test(said))?.[1] : undefined

import type { CommandForAgent, JobState } from '@manc/contract'
import { type Caller, idOf } from '../../access.ts'
import type { Postgres, Tx } from '../../engines/postgres.ts'
import { forbidden, Refused, tooMany } from '../../errors.ts'
import type { Limits } from '../../limits.ts'
import { currentTraceparent, type Tracing } from '../../tracing.ts'
import type { AgentService } from '../agents/index.ts'
import { type Actor, recordAudit } from '../audit/index.ts'
import type { ClientNames } from '../clients/index.ts'
import { commandEvent, type EventService } from '../events/index.ts'
import { type JobService, jobTitles, type MessageService } from '../jobs/index.ts'
import type { CommandRate } from './command-rate.rules.ts'
import {
  type CommandReport,
  hidden,
  readReport,
  steeringOf,
  toCommandForAgent,
  toJobUpdate,
} from './commands.format.ts'
import { acceptsCommand, endStates } from './commands.rules.ts'
import type { Change, Changed, Command, CommandStore } from './commands.store.ts'
import type { HoldStore } from './holds.store.ts'

export interface CommandTimes {
  /** Seconds that a command waits for its agent. */
  livesForS: number
  /** Seconds for an agent to acknowledge a command before it is sent again. */
  deliveredWithinS: number
  /** Seconds from then on to report the result. */
  resultWithinS: number
  /** Seconds that an agent stays reserved for an application after a command. */
  holdS: number
}

interface Options {
  postgres: Postgres
  store: CommandStore
  holds: HoldStore
  agents: AgentService
  clients: ClientNames
  events: EventService
  jobs: JobService
  messages: MessageService
  times: CommandTimes
  rate: CommandRate
  /** For one agent, of one caller. */
  maxWaiting: number
  /** Of the result of one command, as JSON text. */
  maxResultBytes: number
  limits: Limits
  countChanges: (labels: { state: JobState }, by?: number) => void
  tracing: Tracing
}

interface SendRequest {
  apId: string
  command: string
  caller: Caller
  by: Actor
  /** Idempotency key. */
  key: string | undefined
}

/** In the transaction in which parts of jobs end. */
type PartsEnded = (tx: Tx, parts: readonly Changed[]) => Promise<void>

/** Of a caller with too many commands for one agent, which is probably not connected. */
const retryAfterS = 60
/** Above the priority of every application. */
const priorityOfUsers = 1_000_000

/** The states of commands: from the request over delivery to the result that the agent reports. */
export class CommandService {
  readonly #options: Options
  readonly #partsEnded: PartsEnded[] = []

  constructor(options: Options) {
    this.#options = options
  }

  /** For modules that keep the outcome of commands that they have sent as parts of a job. */
  onPartsEnded(handler: PartsEnded): void {
    this.#partsEnded.push(handler)
  }

  get times(): CommandTimes {
    return this.#options.times
  }

  async send({ apId, command, caller, by, key }: SendRequest): Promise<string> {
    const { agents, jobs, store, times } = this.#options
    const agent = await agents.get(apId)
    if (!acceptsCommand(agent.configuration, command))
      throw new Refused(
        'bad-request',
        'The agent does not accept this command. Its configuration lists the commands that it accepts.',
      )
    this.checkTarget(caller, command)
    this.checkRate(caller, 1)
    const owner = idOf(caller)
    const request = { agent_id: apId, command }
    const title = jobTitles.command(command, apId)
    return jobs.create({ kind: 'send_command', title, request, caller, key }, async (tx, jobNumber) => {
      await this.checkWaiting(tx, [apId], caller)
      const reserved = await this.reserve(tx, [apId], caller)
      if (reserved.apIds.length === 0)
        throw new Refused('conflict', 'Another application holds this agent. Try again shortly.', {
          retryAfterS: Math.max(1, Math.ceil(reserved.leftS)),
        })
      const traceparent = currentTraceparent()
      await store.insert(tx, { jobNumber, apId, owner, command, livesForS: times.livesForS, traceparent })
      await recordAudit(tx, by, { action: 'agent.command', target: apId, detail: { command } })
    })
  }

  /** Throws the refusal if an app steers a client to an agent that its permissions do not cover. */
  checkTarget(caller: Caller, command: string): void {
    const to = steeringOf(command)?.to
    // Of `steer_client <ap_id> <count>` it is a number.
    if (caller.kind !== 'third_party_app' || to === undefined || /^\d+$/.test(to)) return
    if (!caller.sees(to)) throw forbidden()
  }

  /** As their agents receive them: with the names of clients instead of their ids. */
  async forAgents(commands: readonly Command[]): Promise<CommandForAgent[]> {
    const names = await this.#namesIn(commands)
    return commands.map((command) => toCommandForAgent(command, names))
  }

  /** Throws the refusal if the caller has sent too many commands. */
  checkRate(caller: Caller, commands: number): void {
    const waitS = this.#options.rate.take(idOf(caller), commands)
    if (waitS > 0)
      throw this.#options.limits.refusal(
        'MANC_COMMANDS_PER_HOUR',
        'You have sent too many commands. Wait, or send the command to fewer agents.',
        waitS,
      )
  }

  /** The agents for which too many commands of the caller wait. Counts that the limit was reached. */
  async withTooManyWaiting(tx: Tx, apIds: readonly string[], caller: Caller): Promise<string[]> {
    const { store, limits, maxWaiting } = this.#options
    const full = await store.withTooMany(tx, apIds, idOf(caller), maxWaiting)
    if (full.length > 0) limits.count('MANC_WAITING_COMMANDS')
    return full
  }

  /**
   * Throws the refusal if too many commands of the caller wait for one of these agents. Concurrent requests do not see each
   * other's commands, and may exceed the limit.
   */
  async checkWaiting(tx: Tx, apIds: readonly string[], caller: Caller): Promise<void> {
    const [full] = await this.withTooManyWaiting(tx, apIds, caller)
    if (full !== undefined)
      throw tooMany(
        `${this.#options.maxWaiting} commands of the same caller wait for ${full} already. Wait until it has received them, or cancel some.`,
        retryAfterS,
      )
  }

  /** The pending commands of an agent, which count as sent from now on. */
  async takePending(apId: string): Promise<CommandForAgent[]> {
    const { store, times } = this.#options
    const pending = await store.pendingFor(apId)
    await this.change(
      pending.map(({ jobNumber }) => ({ jobNumber, state: 'sent' as const })),
      times.deliveredWithinS,
    )
    return this.forAgents(pending)
  }

  /** The commands that wait for an agent that has connected are sent with the next poll. */
  agentConnected(apId: string): Promise<void> {
    return this.#options.store.makeDue(apId)
  }

  /**
   * Handles reports of agents in order. Late and repeated ones change nothing. Returns for each whether it is a report
   * about a command of that agent.
   */
  async handleReports(reports: readonly { apId: string; report: CommandReport }[]): Promise<boolean[]> {
    const changes = reports.map(({ report }) => readReport(report))
    const ids = changes.flatMap((change) => change?.jobNumber ?? [])
    if (ids.length === 0) return changes.map(() => false)
    const commands = await this.#options.store.find(ids)
    const names = await this.#namesIn([...commands.values()])
    const isOwn = changes.map(
      (change, n) => change !== undefined && commands.get(change.jobNumber)?.apId === reports[n]?.apId,
    )
    const reported = changes.flatMap((change, n) => {
      const report = reports[n]?.report
      if (!change || !report || isOwn[n] !== true) return []
      const client = steeringOf(commands.get(change.jobNumber)?.command ?? '')?.client ?? ''
      const name = names.get(client)
      const own = name === undefined ? change : readReport(report, hidden(name, client))
      return own ? this.#bounded(own) : []
    })
    // An agent may report before the dispatcher has stored that the command was sent. The caller sees every state.
    const unsent = new Set(
      reported.map(({ jobNumber }) => jobNumber).filter((each) => commands.get(each)?.state === 'queued'),
    )
    const sent = [...unsent].map((jobNumber) => ({ jobNumber, state: 'sent' as const }))
    await this.#changeInOrder([...sent, ...reported])
    return isOwn
  }

  /** One state of a command at a time, so that the caller gets a message for each; all of them with one commit. */
  async #changeInOrder(changes: readonly Change[]): Promise<void> {
    if (changes.length === 0) return
    const { postgres, store } = this.#options
    const jobNumbers = [...new Set(changes.map(({ jobNumber }) => jobNumber))]
    await postgres.transaction(async (tx) => {
      // A state that is not possible locks no row: a later one would lock it while others wait for the rows of this batch.
      if (jobNumbers.length > 1) await store.lock(tx, jobNumbers)
      for (let left = changes; left.length > 0; ) {
        const next = new Map<string, Change>()
        for (const change of left) if (!next.has(change.jobNumber)) next.set(change.jobNumber, change)
        await this.change([...next.values()], this.#options.times.resultWithinS, tx)
        left = left.filter((change) => next.get(change.jobNumber) !== change)
      }
    })
  }

  /** Without a result that is too large: each is stored twice, and no mailbox is too full for it. */
  #bounded(change: Change): Change {
    const { maxResultBytes, limits } = this.#options
    const bytes = Buffer.byteLength(change.result ?? '')
    if (bytes <= maxResultBytes) return change
    limits.count('MANC_COMMAND_RESULT_BYTES')
    const detail = `The result was not stored: it has ${bytes} bytes, and ${maxResultBytes} are allowed. Report less, or raise MANC_COMMAND_RESULT_BYTES.`
    return { ...change, result: undefined, detail: change.detail ? `${detail} ${change.detail}` : detail }
  }

  #namesIn(commands: readonly { command: string }[]): Promise<Map<string, string>> {
    return this.#options.clients.namesOf(commands.flatMap(({ command }) => steeringOf(command)?.client ?? []))
  }

  /** Changes commands, their jobs, and the messages for the callers in one transaction. Returns how many have changed. */
  async change(changes: readonly Change[], dueInS: number, tx?: Tx): Promise<number> {
    if (changes.length === 0) return 0
    const { postgres, store, messages, events, countChanges } = this.#options
    if (!tx) return postgres.transaction((own) => this.change(changes, dueInS, own))
    // In one order: transactions that change the same commands must not wait for each other.
    const ordered = changes.toSorted((a, b) => (a.jobNumber < b.jobNumber ? -1 : 1))
    const changed = await store.change(tx, ordered, dueInS)
    if (changed.length === 0) return 0
    await messages.update(tx, changed.map(toJobUpdate))
    const ended = changed.filter(({ state }) => endStates.includes(state))
    await events.append(tx, ended.map(commandEvent))
    const endedParts = ended.filter(({ parent }) => parent !== null)
    if (endedParts.length > 0) for (const handle of this.#partsEnded) await handle(tx, endedParts)
    postgres.afterCommit(tx, () => {
      for (const each of changed) {
        countChanges({ state: each.state })
        if (each.tracedSince && endStates.includes(each.state)) this.#recordEnd(each, each.tracedSince)
      }
    })
    return changed.length
  }

  /** One span from the request to the end, recorded by the process that handled the result. */
  #recordEnd({ jobNumber, apId, state, traceparent }: Changed, startedAt: Date): void {
    this.#options.tracing.record(
      {
        name: 'command',
        kind: 'internal',
        parent: traceparent,
        startedAt,
        attributes: { 'manc.job.number': jobNumber, 'manc.agent.id': apId, 'manc.command.state': state },
      },
      state === 'succeeded' ? undefined : state,
    )
  }

  /**
   * Reserves agents for the caller, except those that another application holds with the same or a higher priority.
   * Commands of other applications that were not yet delivered to these agents are superseded.
   */
  async reserve(tx: Tx, apIds: string[], caller: Caller): Promise<{ apIds: string[]; leftS: number }> {
    const { store, holds, times } = this.#options
    const owner = idOf(caller)
    const heldByOthers = await holds.heldByOthers(tx, apIds, owner)
    const isUser = caller.kind !== 'third_party_app'
    const priority = isUser ? priorityOfUsers : caller.priority
    const taken = await holds.take(tx, apIds, { holder: owner, priority, isUser, forS: times.holdS })
    const fromOthers = taken.filter((apId) => heldByOthers.some((hold) => hold.apId === apId))
    if (fromOthers.length > 0) {
      const supersededJobs = await store.undeliveredOfOthers(tx, fromOthers, owner)
      const detail = 'Another caller has taken this agent over.'
      await this.change(
        supersededJobs.map((jobNumber) => ({ jobNumber, state: 'superseded' as const, detail })),
        0,
        tx,
      )
    }
    return { apIds: taken, leftS: heldByOthers[0]?.leftS ?? times.holdS }
  }
}

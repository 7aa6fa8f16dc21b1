import { agentRoutingKey, type CommandForAgent, exchanges, jobNumberOfTask, jobQueue } from '@manc/contract'
import type { Logger } from 'pino'
import {
  type Delivery,
  type Inbox,
  type RabbitMq,
  type Subscriber,
  Unroutable,
} from '../../engines/rabbitmq/index.ts'
import { Refused } from '../../errors.ts'
import { Loop } from '../../loop.ts'
import type { Span, Tracing } from '../../tracing.ts'
import type { BulkCommandService } from './bulk-commands.service.ts'
import type { CommandService, CommandTimes } from './commands.service.ts'
import type { Change, CommandStore, DueCommand } from './commands.store.ts'

interface Options {
  store: CommandStore
  commands: CommandService
  bulkCommands: BulkCommandService
  rabbitMq: RabbitMq
  times: CommandTimes
  log: Logger
  tracing: Tracing
}

const pollIntervalMs = 1000
const batchSize = 500
/** Of one owner in a batch: what a command of another owner may have to wait for. */
const maxPerOwner = 50
/** The same, of the commands that were just announced. */
const maxAnnouncedPerOwner = 10
/** The progress of bulk commands is published in between. */
const dispatchForMs = 1000
/** After a start: reports that arrived while no server was running are handled before commands time out. */
const graceS = 5
/** For an agent that is not connected, or after a crash. An agent that connects is sent its commands at once. */
const retry = { minS: 3, maxS: 60 }

/**
 * Sends commands to connected agents, and ends those that got no answer in time. Every process polls for commands that are
 * due, so that the commands of a process that crashed are continued.
 */
export class CommandDispatcher implements Subscriber {
  readonly queue = jobQueue('send_command')
  readonly prefetch = 100
  readonly #options: Options
  readonly #polling: Loop
  readonly #announcing: Loop
  /** Not yet acknowledged, therefore at most `prefetch`. */
  #announced: Delivery[] = []
  #inbox: Inbox | undefined
  #hasGrace = false

  constructor(options: Options) {
    this.#options = options
    const { log } = options
    this.#polling = new Loop({
      name: 'dispatching commands',
      intervalMs: pollIntervalMs,
      log,
      run: () => this.#poll(),
    })
    this.#announcing = new Loop({
      name: 'dispatching announced commands',
      intervalMs: pollIntervalMs,
      log,
      run: () => this.#dispatchAnnounced(),
    })
  }

  start(): void {
    this.#options.rabbitMq.subscribe(this)
    this.#polling.start()
    this.#announcing.start()
  }

  async stop(): Promise<void> {
    await Promise.all([this.#polling.stop(), this.#announcing.stop()])
  }

  opened(inbox: Inbox): void {
    this.#inbox = inbox
  }

  closed(): void {
    this.#inbox = undefined
    this.#announced = []
  }

  /** A message announces a new command. Without it a poll would find the command. */
  received(delivery: Delivery): void {
    this.#announced.push(delivery)
    this.#announcing.runNow()
  }

  /** Not in the batches of the poll: a command of a user would wait for a batch with those of all others. */
  async #dispatchAnnounced(): Promise<void> {
    const { store } = this.#options
    const announced = this.#announced
    const inbox = this.#inbox
    this.#announced = []
    if (announced.length === 0) return
    for (const { tag } of announced) inbox?.acknowledge(tag)
    const jobNumbers = announced.flatMap(({ content }) => jobNumberOfTask(content.toString()) ?? [])
    let due: DueCommand[] = []
    try {
      due = await store.takeAnnounced(jobNumbers, maxAnnouncedPerOwner, this.#attempts)
      await this.#dispatchBatch(due)
    } finally {
      if (due.length < announced.length) this.#polling.runNow()
    }
  }

  get #attempts() {
    return { retry, livesForS: this.#options.times.livesForS }
  }

  async #poll(): Promise<void> {
    const { store, bulkCommands } = this.#options
    if (!this.#hasGrace) await store.postpone(graceS)
    this.#hasGrace = true
    const endsAt = performance.now() + dispatchForMs
    let batch: DueCommand[] = []
    do {
      const afterOwner = batch.length === batchSize ? lastOwnerOf(batch) : undefined
      batch = await store.takeDue({ afterOwner, limit: batchSize, maxPerOwner }, this.#attempts)
      await this.#dispatchBatch(batch)
    } while (batch.length > 0 && performance.now() < endsAt)
    await bulkCommands.updateProgress()
    if (batch.length > 0) this.#polling.runNow()
  }

  async #dispatchBatch(due: readonly DueCommand[]): Promise<void> {
    const { commands, times } = this.#options
    const texts = await commands.forAgents(due)
    const changes = (
      await Promise.all(due.map((command, n) => this.#dispatch(command, texts[n] as CommandForAgent)))
    ).flat()
    await commands.change(
      changes.filter(({ state }) => state === 'sent'),
      times.deliveredWithinS,
    )
    await commands.change(
      changes.filter(({ state }) => state !== 'sent'),
      retry.minS,
    )
  }

  async #dispatch(command: DueCommand, message: CommandForAgent): Promise<Change[]> {
    const { jobNumber, state, wasSent, hasExpired, isAgentDeleted } = command
    const timedOut = (detail: string) => [{ jobNumber, state: 'timed_out' as const, detail }]
    if (state === 'delivered') return timedOut('The agent received it, but reported no result in time.')
    if (isAgentDeleted && wasSent) return timedOut('It was sent, and then the agent was deleted.')
    if (isAgentDeleted) return [{ jobNumber, state: 'expired', detail: 'The agent was deleted.' }]
    if (hasExpired && wasSent) return timedOut('It was sent, but the agent did not acknowledge it in time.')
    if (hasExpired) return [{ jobNumber, state: 'expired', detail: 'The agent did not connect in time.' }]
    return this.#options.tracing.withSpan(
      {
        name: 'send command',
        kind: 'producer',
        parent: command.traceparent,
        attributes: {
          'messaging.system': 'rabbitmq',
          'messaging.destination.name': exchanges.agents,
          'messaging.operation.type': 'send',
          'manc.job.number': jobNumber,
          'manc.agent.id': command.apId,
        },
      },
      (span) => this.#send(command, message, span),
    )
  }

  /** To the agent's clean session, which ends with its connection: no command waits there to be carried out late. */
  async #send(
    { jobNumber, apId, state, expiresAt }: DueCommand,
    message: CommandForAgent,
    span: Span | undefined,
  ): Promise<Change[]> {
    try {
      await this.#options.rabbitMq.publish({
        exchange: exchanges.agents,
        routingKey: agentRoutingKey(apId, 'command'),
        content: Buffer.from(JSON.stringify(message)),
        // For agents with a persistent session.
        expiresInMs: Math.max(1, expiresAt.getTime() - Date.now()),
      })
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      const isOffline = error instanceof Unroutable
      if (isOffline) span?.set({ 'manc.agent.is_offline': true })
      else span?.fail(error.kind)
      // The agent is not connected, or the broker is down: retried when the command is due again.
      return isOffline && state === 'sent' ? [{ jobNumber, state: 'queued' }] : []
    }
    return state === 'queued' ? [{ jobNumber, state: 'sent' }] : []
  }
}

/** Owners have their turns in this order. */
const lastOwnerOf = (batch: readonly DueCommand[]): string =>
  batch.reduce((last, { owner }) => (owner > last ? owner : last), '')

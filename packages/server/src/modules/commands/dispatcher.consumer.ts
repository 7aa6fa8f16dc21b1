import { agentRoutingKey, exchanges, jobQueue } from '@manc/contract'
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
import { toCommandForAgent } from './commands.format.ts'
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
/** After a start: reports that arrived while no server was running are handled before commands time out. */
const graceS = 5
/** For an agent that is not connected. */
const retryAfterS = 3

/**
 * Sends commands to connected agents, and ends those that got no answer in time. Every process polls for commands that are
 * due, so that the commands of a process that crashed are continued.
 */
export class CommandDispatcher implements Subscriber {
  readonly queue = jobQueue('send_command')
  readonly prefetch = 100
  readonly #options: Options
  readonly #loop: Loop
  #inbox: Inbox | undefined
  #hasGrace = false

  constructor(options: Options) {
    this.#options = options
    this.#loop = new Loop({
      name: 'dispatching commands',
      intervalMs: pollIntervalMs,
      log: options.log,
      run: () => this.#poll(),
    })
  }

  start(): void {
    this.#options.rabbitMq.subscribe(this)
    this.#loop.start()
  }

  stop(): Promise<void> {
    return this.#loop.stop()
  }

  opened(inbox: Inbox): void {
    this.#inbox = inbox
  }

  closed(): void {
    this.#inbox = undefined
  }

  /** A message announces a new command. Without it the next poll would find the command. */
  received({ tag }: Delivery): void {
    this.#inbox?.acknowledge(tag)
    this.#loop.runNow()
  }

  async #poll(): Promise<void> {
    const { store, bulkCommands } = this.#options
    if (!this.#hasGrace) await store.postpone(graceS)
    this.#hasGrace = true
    while ((await this.#dispatchBatch()) === batchSize);
    await bulkCommands.updateProgress()
  }

  async #dispatchBatch(): Promise<number> {
    const { store, commands, times } = this.#options
    const due = await store.takeDue(batchSize, retryAfterS)
    const changes = (await Promise.all(due.map((command) => this.#dispatch(command)))).flat()
    await commands.change(
      changes.filter(({ state }) => state === 'sent'),
      times.deliveredWithinS,
    )
    await commands.change(
      changes.filter(({ state }) => state !== 'sent'),
      retryAfterS,
    )
    return due.length
  }

  async #dispatch(command: DueCommand): Promise<Change[]> {
    const { jobNumber, state, wasSent, hasExpired } = command
    const timedOut = (detail: string) => [{ jobNumber, state: 'timed_out' as const, detail }]
    if (state === 'delivered') return timedOut('The agent received it, but reported no result in time.')
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
      (span) => this.#send(command, span),
    )
  }

  /** To the agent's clean session, which ends with its connection: no command waits there to be carried out late. */
  async #send(command: DueCommand, span: Span | undefined): Promise<Change[]> {
    const { jobNumber, apId, state, expiresAt } = command
    try {
      await this.#options.rabbitMq.publish({
        exchange: exchanges.agents,
        routingKey: agentRoutingKey(apId, 'command'),
        content: Buffer.from(JSON.stringify(toCommandForAgent(command))),
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

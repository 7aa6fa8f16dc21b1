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
import { type CommandService, type CommandTimes, forAgent } from './commands.service.ts'
import type { Change, Command, CommandStore, DueCommand } from './commands.store.ts'

interface Parts {
  store: CommandStore
  commands: CommandService
  rabbitMq: RabbitMq
  times: CommandTimes
  log: Logger
}

const sweepEveryMs = 1000
const atOnce = 500
/** After a start: what agents said while nobody listened waits in the broker, and is heard before their time is up. */
const graceS = 5
/** An agent that is away is tried again after this long. */
const againAfterS = 3

/**
 * Sends commands, and goes by the clock of the database for those that get no answer. One sweep for all: whatever
 * process dies, the next sweep of another goes on.
 */
export class Dispatcher implements Subscriber {
  readonly queue = jobQueue('send_command')
  readonly prefetch = 100
  readonly #parts: Parts
  readonly #loop: Loop
  #inbox: Inbox | undefined
  #isArmed = false

  constructor(parts: Parts) {
    this.#parts = parts
    this.#loop = new Loop({
      name: 'looking after commands',
      everyMs: sweepEveryMs,
      log: parts.log,
      round: () => this.#sweep(),
    })
  }

  start(): void {
    this.#parts.rabbitMq.subscribe(this)
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

  /** A new command: the sweep would find it a moment later all the same. */
  received({ tag }: Delivery): void {
    this.#inbox?.acknowledge(tag)
    this.#loop.hurry()
  }

  async #sweep(): Promise<void> {
    const { store, commands, times } = this.#parts
    if (!this.#isArmed) await store.postpone(graceS)
    this.#isArmed = true
    for (
      let due = await store.takeDue(atOnce, againAfterS);
      ;
      due = await store.takeDue(atOnce, againAfterS)
    ) {
      const changes = (await Promise.all(due.map((command) => this.#attend(command)))).flat()
      const sent = changes.filter(({ state }) => state === 'sent')
      await commands.change(sent, times.deliveredWithinS)
      await commands.change(
        changes.filter(({ state }) => state !== 'sent'),
        againAfterS,
      )
      if (due.length < atOnce) break
    }
    await commands.updateProgress()
  }

  async #attend(command: DueCommand): Promise<Change[]> {
    const { jobNumber, state, wasSent, hasExpired } = command
    if (state === 'delivered')
      return [{ jobNumber, state: 'timed_out', detail: 'The agent had it, and told no result in time.' }]
    if (hasExpired && wasSent)
      return [
        { jobNumber, state: 'timed_out', detail: 'It was sent, and the agent did not say that it came.' },
      ]
    if (hasExpired) return [{ jobNumber, state: 'expired', detail: 'The agent was not there in time.' }]
    return this.#send(command)
  }

  /** To the agent's own session, which is there while it is connected: nothing waits there to be carried out late. */
  async #send(command: Command & { state: string }): Promise<Change[]> {
    const { jobNumber, apId } = command
    try {
      await this.#parts.rabbitMq.publish({
        exchange: exchanges.agents,
        routingKey: agentRoutingKey(apId, 'command'),
        content: Buffer.from(JSON.stringify(forAgent(command))),
        // Also where an agent has a session that outlives its connection.
        expiresInMs: Math.max(1, command.expiresAt.getTime() - Date.now()),
      })
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      // Nobody is there to take it, or the broker is away: at its next turn it is tried again.
      return error instanceof Unroutable && command.state === 'sent' ? [{ jobNumber, state: 'queued' }] : []
    }
    return command.state === 'queued' ? [{ jobNumber, state: 'sent' }] : []
  }
}

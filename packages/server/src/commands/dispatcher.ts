import type { Logger } from 'pino'
import { type Delivery, type Inbox, type RabbitMq, type Subscriber, Unroutable } from '../engines/rabbitmq.ts'
import { Loop } from '../loop.ts'
import { type CommandService, type CommandTimes, forAgent } from './commands.service.ts'
import type { Command, CommandStore } from './commands.store.ts'

interface Parts {
  store: CommandStore
  commands: CommandService
  rabbitMq: RabbitMq
  times: CommandTimes
  log: Logger
}

type Due = Awaited<ReturnType<CommandStore['due']>>[number]

const sweepEveryMs = 1000
const atOnce = 500
/** An agent that is away is tried again after this long. */
const againAfterS = 3

/**
 * Sends commands, and goes by the clock of the database for those that get no answer. One sweep for all: whatever
 * process dies, the next sweep of another goes on.
 */
export class Dispatcher implements Subscriber {
  readonly queue = 'manc.jobs.send_command'
  readonly prefetch = 100
  readonly #parts: Parts
  readonly #loop: Loop
  #inbox: Inbox | undefined

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

  /** A new command: its turn has come, and the sweep would find it a moment later. */
  received({ tag }: Delivery): void {
    const inbox = this.#inbox
    this.#sweep()
      .catch((error: unknown) => this.#parts.log.warn({ err: error }, 'a command could not be sent at once'))
      .finally(() => {
        if (this.#inbox === inbox) inbox?.acknowledge(tag)
      })
  }

  async #sweep(): Promise<void> {
    const due = await this.#parts.store.due(atOnce, againAfterS)
    await Promise.all(due.map((command) => this.#attend(command)))
  }

  async #attend(command: Due): Promise<void> {
    const { commands } = this.#parts
    const { jobNumber, state, wasSent, isOver } = command
    if (state === 'delivered')
      return commands.change(
        [{ jobNumber, state: 'timed_out', detail: 'The agent had it, and told no result in time.' }],
        0,
      )
    if (isOver && wasSent)
      return commands.change(
        [{ jobNumber, state: 'timed_out', detail: 'It was sent, and the agent did not say that it came.' }],
        0,
      )
    if (isOver)
      return commands.change([{ jobNumber, state: 'expired', detail: 'The agent was not there in time.' }], 0)
    await this.#send(command)
  }

  /** To the agent's own session, which is there while it is connected: nothing waits there to be carried out late. */
  async #send(command: Command & { state: string }): Promise<void> {
    const { rabbitMq, commands, times } = this.#parts
    const { jobNumber, apId } = command
    try {
      await rabbitMq.publish({
        exchange: 'amq.topic',
        routingKey: `agent.${apId}.command`,
        content: Buffer.from(JSON.stringify(forAgent(command))),
        headers: {},
      })
    } catch (error) {
      if (!(error instanceof Unroutable)) throw error
      if (command.state === 'sent') await commands.change([{ jobNumber, state: 'queued' }], againAfterS)
      return
    }
    if (command.state === 'queued')
      await commands.change([{ jobNumber, state: 'sent' }], times.deliveredWithinS)
  }
}

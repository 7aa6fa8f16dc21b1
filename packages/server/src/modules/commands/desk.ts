import type { CommandForAgent } from '@manc/contract'
import type { Logger } from 'pino'
import { Loop } from '../../loop.ts'
import type { CommandService } from './commands.service.ts'
import type { CommandStore } from './commands.store.ts'

const followEveryMs = 500

/**
 * For agents that speak HTTP alone: what waits for them goes into the answer to their next update. Which agents that are
 * is known here, so that an update costs no question.
 */
export class CommandDesk {
  readonly #store: CommandStore
  readonly #commands: CommandService
  readonly #loop: Loop
  readonly #waiting = new Set<string>()
  #horizon = '0'

  constructor(parts: { store: CommandStore; commands: CommandService; log: Logger }) {
    this.#store = parts.store
    this.#commands = parts.commands
    this.#loop = new Loop({
      name: 'following commands',
      everyMs: followEveryMs,
      log: parts.log,
      round: () => this.#follow(),
    })
  }

  start(): void {
    this.#loop.start()
  }

  stop(): Promise<void> {
    return this.#loop.stop()
  }

  async take(apId: string): Promise<CommandForAgent[]> {
    if (!this.#waiting.has(apId)) return []
    // Before the read: what comes during it is noticed again.
    this.#waiting.delete(apId)
    const commands = await this.#commands.take(apId)
    if (commands.length > 0) this.#waiting.add(apId)
    return commands
  }

  async #follow(): Promise<void> {
    const { apIds, horizon } = await this.#store.pendingSince(this.#horizon)
    this.#horizon = horizon
    for (const apId of apIds) this.#waiting.add(apId)
  }
}

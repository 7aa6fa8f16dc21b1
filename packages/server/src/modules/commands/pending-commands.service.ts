import type { CommandForAgent } from '@manc/contract'
import type { Logger } from 'pino'
import { firstHorizon, type Horizon } from '../../engines/postgres.horizon.ts'
import { Loop } from '../../loop.ts'
import type { CommandService } from './commands.service.ts'
import type { CommandStore } from './commands.store.ts'

const pollIntervalMs = 500

/**
 * Commands for agents without MQTT: they are part of the response to the next update. The agents with pending commands are
 * kept in memory, so that an update of the others needs no query.
 */
export class PendingCommands {
  readonly #store: CommandStore
  readonly #commands: CommandService
  readonly #loop: Loop
  readonly #agents = new Set<string>()
  #horizon: Horizon = firstHorizon

  constructor(options: { store: CommandStore; commands: CommandService; log: Logger }) {
    this.#store = options.store
    this.#commands = options.commands
    this.#loop = new Loop({
      name: 'polling for pending commands',
      intervalMs: pollIntervalMs,
      log: options.log,
      run: () => this.#poll(),
    })
  }

  start(): void {
    this.#loop.start()
  }

  stop(): Promise<void> {
    return this.#loop.stop()
  }

  async take(apId: string): Promise<CommandForAgent[]> {
    if (!this.#agents.has(apId)) return []
    // Before the read: a command that is created meanwhile adds the agent again.
    this.#agents.delete(apId)
    const commands = await this.#commands.takePending(apId)
    if (commands.length > 0) this.#agents.add(apId)
    return commands
  }

  async #poll(): Promise<void> {
    const { apIds, horizon } = await this.#store.pendingSince(this.#horizon)
    this.#horizon = horizon
    for (const apId of apIds) this.#agents.add(apId)
  }
}

import type { Logger } from 'pino'
import { type EngineCheck, isUp } from '../../http/health.ts'
import { Loop } from '../../loop.ts'
import type { Background } from '../../module.ts'
import type { EngineState } from './parts.types.ts'

interface WatchedEngine extends Pick<EngineCheck, 'name' | 'ping'> {
  intervalMs: number
  timeoutMs: number
}

/** Checks the engines in the background: a request never waits for one of them, and the time of a change is known. */
export class EngineWatch implements Background {
  readonly #states: EngineState[]
  readonly #loops: Loop[]

  constructor(engines: readonly WatchedEngine[], log: Logger) {
    this.#states = engines.map(({ name }) => ({ name }))
    this.#loops = engines.map(({ name, ping, intervalMs, timeoutMs }, n) => {
      const state = this.#states[n]
      return new Loop({
        name: `watching ${name}`,
        intervalMs,
        log,
        run: async () => {
          const wasUp = await isUp(ping, timeoutMs)
          if (!state || state.isUp === wasUp) return
          state.isUp = wasUp
          state.since = new Date()
        },
      })
    })
  }

  get states(): readonly EngineState[] {
    return this.#states
  }

  start(): void {
    for (const loop of this.#loops) loop.start()
  }

  async stop(): Promise<void> {
    await Promise.all(this.#loops.map((loop) => loop.stop()))
  }
}

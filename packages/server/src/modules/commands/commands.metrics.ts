import type { Metrics } from '../../metrics.ts'
import type { Background } from '../../module.ts'
import type { CommandStore } from './commands.store.ts'

export const defineCommandCounter = (metrics: Metrics) =>
  metrics.counter({
    name: 'manc_command_changes_total',
    help: 'Commands that changed to a state, by state',
    labels: ['state'],
  })

/** Figures of all commands in the database. Only subscribers report them: every process would report the same. */
export class CommandGauges implements Background {
  readonly #store: CommandStore
  readonly #metrics: Metrics

  constructor(deps: { store: CommandStore; metrics: Metrics }) {
    this.#store = deps.store
    this.#metrics = deps.metrics
  }

  start(): void {
    this.#metrics.gauge({
      name: 'manc_commands',
      help: 'Commands of all replicas that have not ended, by state',
      labels: ['state'],
      keepMs: 5000,
      read: async () => {
        const counts = await this.#store.unfinished()
        return counts.map(({ state, commands }) => ({ labels: { state }, value: commands }))
      },
    })
  }
}

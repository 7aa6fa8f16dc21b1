import type { Logger } from 'pino'
import { Loop } from '../../loop.ts'
import type { Background } from '../../module.ts'
import type { AgentAttributesService } from './agent-attributes.service.ts'
import type { RejectedSamplesService } from './rejected-samples.service.ts'

interface Deps {
  attributes: AgentAttributesService
  rejected: RejectedSamplesService
  log: Logger
}

const intervalMs = 1000

/** Writes what was recorded of agents. Runs in every process that consumes their messages. */
export class AgentRecords implements Background {
  readonly #deps: Deps
  readonly #loop: Loop

  constructor(deps: Deps) {
    this.#deps = deps
    this.#loop = new Loop({
      name: 'storing attributes and counts of rejected samples',
      intervalMs,
      log: deps.log,
      run: () => this.#flush(),
    })
  }

  start(): void {
    this.#loop.start()
  }

  async stop(): Promise<void> {
    await this.#loop.stop()
    await this.#flush().catch(() => {})
  }

  async #flush(): Promise<void> {
    await this.#deps.attributes.flush()
    await this.#deps.rejected.flush()
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import { experimentQueue } from '@manc/contract/broker'
import { parseExperimentRun } from '@manc/contract/experiment-messages'
import type { ReportClient } from './report-client.ts'
import { RunExecution } from './run-execution.ts'
import type { Delivery, WorkQueues } from './work-queues.ts'

interface Options {
  queues: WorkQueues
  reports: ReportClient
  /** The id of this emulator. */
  emulator: string
  /** Runs at once, each in its own thread. */
  maxRuns: number
  log: (line: string) => void
}

/** A run waits longer than a network: seldom enough to cost nothing. */
const pollIntervalMs = 500

/** Takes runs of experiments off the queue, as many as it may execute at once. */
export class ExperimentRunner {
  readonly #options: Options
  /** By id. */
  readonly #running = new Map<string, RunExecution>()
  /** Until they are executed or not wanted. */
  readonly #taken = new Set<Promise<void>>()
  #isStopping = false
  #failure: unknown

  constructor(options: Options) {
    this.#options = options
  }

  /** Until `stop`. Throws when the controller refuses the app of the emulators. */
  async run(): Promise<void> {
    const { queues, maxRuns } = this.#options
    while (!this.#isStopping) {
      const delivery = this.#taken.size < maxRuns ? await queues.get(experimentQueue) : undefined
      if (delivery) this.#begin(delivery)
      // Of a run that is not wanted any more the place is free at once.
      else await Promise.race([sleep(pollIntervalMs), ...this.#taken])
      if (this.#failure) throw this.#failure
    }
  }

  /** Runs that have not ended are executed again by another emulator. */
  async stop(): Promise<void> {
    this.#isStopping = true
    for (const execution of this.#running.values()) execution.stop()
    await Promise.all(this.#taken)
  }

  /** Never rejects: a failure ends the loop. */
  #begin(delivery: Delivery): void {
    const taken: Promise<void> = this.#take(delivery)
      .catch((error: unknown) => {
        this.#failure = error
      })
      .finally(() => this.#taken.delete(taken))
    this.#taken.add(taken)
  }

  async #take(delivery: Delivery): Promise<void> {
    const { log } = this.#options
    const message = parseExperimentRun(delivery.text)
    if (!message) {
      log('a message that is no run of an experiment was dropped')
      return delivery.acknowledge()
    }
    const { run_id: id } = message
    const known = this.#running.get(id)
    if (known) return known.adopt(delivery)
    const execution = new RunExecution({ ...this.#options, message, delivery })
    this.#running.set(id, execution)
    try {
      // Not acknowledged: another emulator receives it.
      if (!this.#isStopping) await execution.execute()
    } finally {
      this.#running.delete(id)
    }
  }
}

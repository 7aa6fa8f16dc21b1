import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { jobQueue } from '@manc/contract/broker'
import { parsePartMessage } from '@manc/contract/emulation-parts'
import { ExperimentRunner } from './experiment-runner.ts'
import { PartRunner } from './part-runner.ts'
import { ReportClient } from './report-client.ts'
import type { Settings } from './settings.ts'
import { type Delivery, WorkQueues } from './work-queues.ts'

interface Options extends Settings {
  log: (line: string) => void
}

const partQueue = jobQueue('emulator_spinup')
const pollIntervalMs = 200
const stopTimeoutMs = 10_000
/** With so many agents it takes no more parts: one thread is then nearly busy. */
const maxAgents = 10_000

/** Takes parts of emulations and runs of experiments off their queues, as many as it may run at once, and runs them. */
export class Emulator {
  readonly #id = randomUUID()
  readonly #options: Options
  readonly #queues: WorkQueues
  readonly #reports: ReportClient
  readonly #experiments: ExperimentRunner
  /** By job and part. */
  readonly #running = new Map<string, PartRunner>()
  #stopping: Promise<void> | undefined
  #failure: unknown

  constructor(options: Options) {
    this.#options = options
    this.#queues = new WorkQueues(options)
    this.#reports = new ReportClient(options)
    this.#experiments = new ExperimentRunner({
      queues: this.#queues,
      reports: this.#reports,
      emulator: this.#id,
      maxRuns: options.maxRuns,
      log: options.log,
    })
  }

  /** Until `stop`. Throws when the controller refuses the app of the emulators. */
  async run(): Promise<void> {
    const { url, log } = this.#options
    log(`emulator ${this.#id} for ${url}`)
    await this.#queues.start()
    if (this.#options.maxRuns > 0)
      void this.#experiments.run().catch((error: unknown) => {
        this.#failure = error
      })
    while (!this.#isStopping) {
      const delivery = this.#hasCapacity ? await this.#queues.get(partQueue) : undefined
      if (delivery)
        void this.#take(delivery).catch((error: unknown) => {
          this.#failure = error
        })
      else await sleep(pollIntervalMs)
      // The message is not acknowledged: another emulator receives it.
      if (this.#failure) throw this.#failure
    }
  }

  /** Disconnects the agents. Other emulators continue the parts when their leases have expired. */
  stop(): Promise<void> {
    this.#stopping ??= Promise.race([this.#stopAll(), sleep(stopTimeoutMs)])
    return this.#stopping
  }

  async #stopAll(): Promise<void> {
    this.#options.log('stopping …')
    for (const part of this.#running.values()) part.stop()
    await this.#experiments.stop()
    while (this.#running.size > 0) await sleep(100)
    await this.#queues.stop()
  }

  get #hasCapacity(): boolean {
    let agents = 0
    for (const part of this.#running.values()) agents += part.agents
    return this.#running.size < this.#options.maxParts && agents < maxAgents
  }

  get #isStopping(): boolean {
    return this.#stopping !== undefined
  }

  async #take({ text, acknowledge }: Delivery): Promise<void> {
    const message = parsePartMessage(text)
    if (!message) {
      this.#options.log('a message that is no part of an emulation was dropped')
      return acknowledge()
    }
    const key = `${message.job_number} ${message.data.part}`
    // A part that this process has lost is accepted again only when its agents are disconnected.
    while (this.#running.get(key)?.isStopping) await sleep(100)
    // Redelivered, because the acknowledgement was lost.
    if (this.#running.has(key)) return acknowledge()
    const part = new PartRunner({
      ...this.#options,
      message,
      emulator: this.#id,
      reports: this.#reports,
    })
    this.#running.set(key, part)
    try {
      const isAccepted = !this.#isStopping && (await part.acquireLease())
      // Not acknowledged: another emulator receives it.
      if (this.#isStopping) return
      acknowledge()
      if (isAccepted) await part.run()
    } finally {
      this.#running.delete(key)
    }
  }
}

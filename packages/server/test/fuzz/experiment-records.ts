import { randomUUID } from 'node:crypto'
import { experimentFigures } from '@manc/contract'
import { tokenOf } from '@manc/harness'
import { passwordMark, placeholders } from './names.ts'
import { keptToken, type Parties, send } from './parties.ts'
import { deletedAt, type Kind } from './record-kinds.ts'

/** Of its own: few experiments of one user may be in progress. */
const owner = { username: 'experimenter@fuzz.test', password: `${passwordMark}-of-experimenter` }

const newExperiment = {
  name: 'an experiment',
  world: { access_points: [{ technology: 'WiFi', count: 1, clients: 1 }] },
  policies: ['none', 'strongest'],
  repetitions: 2,
}

const result = {
  figures: Object.fromEntries(experimentFigures.map((name, n) => [name, n])),
  series: { step_s: 10, s: [10, 20], mean_mbps: [1, 2], p5_mbps: [1, 1], clients: [1, 1], handovers: [0, 1] },
}

/** The first one has finished. The runs of the second one are those that requests report on. */
export class ExperimentRecords {
  readonly #parties: Parties
  readonly #token = keptToken(() => tokenOf(this.#parties.url, 'user', owner.username, owner.password))

  constructor(parties: Parties) {
    this.#parties = parties
  }

  async create(): Promise<void> {
    await send(this.#parties, 'POST', 'users/', { ...owner, roles: ['operator'] })
  }

  get kind(): Kind {
    return {
      placeholders: placeholders.experiments,
      list: 'experiments?limit=1000',
      isUsable: ({ state, failed }, index) =>
        index === 0 ? state === 'finished' : failed === 0 && ['waiting', 'running'].includes(state),
      create: (index) => this.#start(index),
      remove: deletedAt('experiments'),
    }
  }

  async #start(index: number): Promise<string> {
    const { ids } = this.#parties
    const { id } = await send(this.#parties, 'POST', 'experiments', newExperiment, await this.#token())
    const runs = await this.#runsOf(id)
    if (index === 1)
      for (const [n, placeholder] of placeholders.runs.entries()) ids.set(placeholder, runs[n] ?? '')
    if (index === 0) for (const run of runs) await this.#finish(run)
    return id
  }

  /** The id of a run is only in the messages to emulators. */
  async #runsOf(experiment: string): Promise<string[]> {
    const rows = await this.#parties.base.sql(
      'select id from experiment_runs where experiment_id = $1 order by run',
      [experiment],
    )
    return rows.map(({ id }) => id)
  }

  async #finish(run: string): Promise<void> {
    const report = { run_id: run, emulator: randomUUID() }
    for (const more of [{ state: 'started' }, { state: 'finished', result }])
      await send(this.#parties, 'POST', 'callback/experiment_run', { ...report, ...more })
  }
}

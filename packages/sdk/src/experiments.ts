import type { ExperimentDetails, ExperimentRunDetails } from '@manc/contract'
import { ExperimentsMethods } from './generated/methods.ts'
import type { Stream } from './stream.ts'
import type { CallOptions } from './transport.ts'
import { wait } from './wait.ts'

const followIntervalMs = 1000

export class Experiments extends ExperimentsMethods {
  /** A run of an experiment with its time series. */
  getRun(id: string, run: number, options?: CallOptions): Promise<ExperimentRunDetails> {
    return this.transport.call('getExperimentRun', { params: { id, run } }, options)
  }

  /** The lines of a CSV document: one for each run, or with `series` one for each point in time of each run. */
  async *export(
    id: string,
    { what, ...options }: { what?: 'runs' | 'series' } & CallOptions = {},
  ): Stream<string> {
    const lines = this.transport.lines('exportExperiment', { params: { id }, query: { what } }, options)
    for await (const line of lines) yield line.replace(/\r$/, '')
  }

  /** The experiment now and whenever its runs have progressed, until it has ended. The last one has the results. */
  async *follow(
    id: string,
    { intervalMs = followIntervalMs, ...options }: { intervalMs?: number } & CallOptions = {},
  ): Stream<ExperimentDetails> {
    for (let before = ''; ; ) {
      const experiment = await this.get(id, options)
      const text = JSON.stringify(experiment.run_list)
      if (text !== before || hasEnded(experiment)) yield experiment
      if (hasEnded(experiment)) return
      before = text
      await wait(intervalMs, options.signal)
    }
  }
}

const hasEnded = ({ ended_at: endedAt }: ExperimentDetails) => endedAt !== null

import type { Metrics } from '../../metrics.ts'
import type { Background } from '../../module.ts'
import type { JobStore } from './jobs.store.ts'

export type JobMetrics = ReturnType<typeof defineJobMetrics>

export function defineJobMetrics(metrics: Metrics) {
  return {
    countCreated: metrics.counter({
      name: 'manc_jobs_created_total',
      help: 'Jobs that were created, by kind',
      labels: ['kind'],
    }),
    countEnded: metrics.counter({
      name: 'manc_jobs_ended_total',
      help: 'Jobs that have ended, by kind and state',
      labels: ['kind', 'state'],
    }),
  }
}

const keepMs = 5000

/** Figures of all jobs in the database. Only subscribers report them: every process would report the same. */
export class JobGauges implements Background {
  readonly #store: JobStore
  readonly #metrics: Metrics

  constructor(deps: { store: JobStore; metrics: Metrics }) {
    this.#store = deps.store
    this.#metrics = deps.metrics
  }

  start(): void {
    this.#metrics.gauge({
      name: 'manc_jobs',
      help: 'Jobs of all replicas that are not done, by kind and state',
      labels: ['kind', 'state'],
      keepMs,
      read: async () => {
        const counts = await this.#store.unfinished()
        return counts.map(({ kind, state, jobs }) => ({ labels: { kind, state }, value: jobs }))
      },
    })
    this.#metrics.gauge({
      name: 'manc_kept_results_bytes',
      help: 'Delivered results of all jobs that are kept to be read again, without those of single commands',
      keepMs,
      read: async () => [{ labels: {}, value: await this.#store.keptBytes() }],
    })
    this.#metrics.gauge({
      name: 'manc_outbox_oldest_seconds',
      help: 'Age of the oldest job that was not yet published to RabbitMQ; 0 without any',
      keepMs,
      read: async () => [{ labels: {}, value: await this.#store.oldestUnpublishedS() }],
    })
  }
}

import type { Metrics } from '../../metrics.ts'

export type IngestMetrics = ReturnType<typeof defineIngestMetrics>

export function defineIngestMetrics(metrics: Metrics) {
  return {
    countSamples: metrics.counter({
      name: 'manc_ingest_samples_total',
      help: 'Samples that were accepted for writing; a redelivered sample is counted again',
    }),
    countRejected: metrics.counter({
      name: 'manc_ingest_rejected_samples_total',
      help: 'Samples that were not stored, by reason',
      labels: ['reason'],
    }),
    observeBatch: metrics.duration({
      name: 'manc_ingest_batch_duration_seconds',
      help: 'Time to write a batch to VictoriaMetrics, by outcome',
      labels: ['outcome'],
      initial: [{ outcome: 'written' }, { outcome: 'failed' }],
    }),
    observeLag: metrics.duration({
      name: 'manc_ingest_lag_seconds',
      help: 'Time from the arrival of a message at the ingester until it was written, of the oldest message of each batch',
    }),
    countStoreRestarts: metrics.counter({
      name: 'manc_ingest_store_restarts_total',
      help: 'Restarts of VictoriaMetrics, after which held samples were written again',
    }),
  }
}

interface HeldQueue {
  queue: string
  held: { bytes: number; messages: number }
}

interface Held {
  intakes: () => readonly HeldQueue[]
  assigned: () => number
  /** Of one queue. */
  maxPendingBytes: () => number
}

/** What the ingester holds until it is durable. */
export function defineHeldMetrics(metrics: Metrics, { intakes, assigned, maxPendingBytes }: Held): void {
  metrics.gauge({
    name: 'manc_ingest_held_bytes',
    help: 'Telemetry in memory that is not yet acknowledged to RabbitMQ, by queue',
    labels: ['queue'],
    read: () => intakes().map(({ queue, held }) => ({ labels: { queue }, value: held.bytes })),
  })
  metrics.gauge({
    name: 'manc_ingest_held_messages',
    help: 'Messages that are not yet acknowledged to RabbitMQ, by queue',
    labels: ['queue'],
    read: () => intakes().map(({ queue, held }) => ({ labels: { queue }, value: held.messages })),
  })
  metrics.gauge({
    name: 'manc_ingest_held_bytes_limit',
    help: 'Held bytes of one queue beyond which the ingester stops consuming it',
    read: () => [{ labels: {}, value: maxPendingBytes() }],
  })
  metrics.gauge({
    name: 'manc_ingest_queues',
    help: 'Telemetry queues that are assigned to this ingester',
    read: () => [{ labels: {}, value: assigned() }],
  })
}

import { deadLetters, heldShare } from '../expressions.ts'
import type { Dashboard } from '../grafana.ts'
import { lagPanel, one, samples } from './panels.ts'

export const telemetry: Dashboard = {
  uid: 'manc-telemetry',
  title: 'MANC telemetry path',
  description: 'From the broker into the metrics store.',
  rows: [
    { title: 'Flow', panels: [samples, lagPanel] },
    {
      title: 'Writes',
      panels: [
        one({
          title: 'Time to write a batch',
          description: 'p99 of writes to VictoriaMetrics.',
          unit: 's',
          expr: 'histogram_quantile(0.99, sum by (le) (rate(manc_ingest_batch_duration_seconds_bucket{outcome="written"}[5m])))',
          legend: 'p99',
        }),
        one({
          title: 'Batches',
          description: 'Failed batches are retried; nothing is lost.',
          unit: 'cps',
          expr: 'sum by (outcome) (rate(manc_ingest_batch_duration_seconds_count[5m]))',
          legend: '{{outcome}}',
        }),
        one({
          title: 'Restarts of VictoriaMetrics',
          description: 'Held samples were written again.',
          unit: 'short',
          expr: 'max(increase(manc_ingest_store_restarts_total[1h]))',
          legend: 'restarts',
        }),
      ],
    },
    {
      title: 'Held and rejected',
      panels: [
        one({
          title: 'Held, share of the limit',
          description:
            'Telemetry in memory until it is durable, by queue. At 1 the queue is no longer consumed.',
          unit: 'percentunit',
          expr: heldShare('queue'),
          legend: '{{queue}}',
        }),
        one({
          title: 'Rejected samples',
          description: 'By reason. They are in the dead-letter queue.',
          unit: 'cps',
          expr: 'sum by (reason) (rate(manc_ingest_rejected_samples_total[5m])) or vector(0)',
          legend: '{{reason}}',
        }),
        one({
          title: 'Messages to dead-letter queues',
          description: 'Messages that could not be handled, of telemetry and of agents.',
          unit: 'cps',
          expr: deadLetters('rate', '5m'),
          legend: 'dead letters',
        }),
      ],
    },
    {
      title: 'Publishing over HTTP',
      panels: [
        one({
          title: 'Published messages',
          description: 'By exchange and outcome.',
          unit: 'cps',
          expr: 'sum by (exchange, outcome) (rate(manc_rabbitmq_published_total[5m]))',
          legend: '{{exchange}} {{outcome}}',
        }),
        one({
          title: 'Unconfirmed messages',
          description: 'Above 20,000, publishing is refused.',
          unit: 'short',
          expr: 'manc_rabbitmq_unconfirmed_messages',
          legend: '{{instance}}',
        }),
      ],
    },
  ],
}

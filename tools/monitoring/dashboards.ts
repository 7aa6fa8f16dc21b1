import type { Dashboard, Panel } from './grafana.ts'

const one = (panel: Omit<Panel, 'series'> & { expr: string; legend: string }): Panel => {
  const { expr, legend, ...rest } = panel
  return { ...rest, series: [{ expr, legend }] }
}

/** Node's metrics have common names: taken only from processes of MANC. */
const ofManc = (expr: string) => `${expr} * on (instance) group_left (roles) manc_build_info`

const errors =
  '(sum(rate(manc_http_request_duration_seconds_count{status=~"5.."}[5m])) or vector(0)) / sum(rate(manc_http_request_duration_seconds_count[5m]))'
const latency = (quantile: number) =>
  `histogram_quantile(${quantile}, sum by (le) (rate(manc_http_request_duration_seconds_bucket{operation!="health"}[5m])))`
const lag = (quantile: number) =>
  `histogram_quantile(${quantile}, sum by (le) (rate(manc_ingest_lag_seconds_bucket[5m])))`

const requestRate = one({
  title: 'Requests',
  description: 'Requests per second, by status.',
  unit: 'reqps',
  expr: 'sum by (status) (rate(manc_http_request_duration_seconds_count[5m]))',
  legend: '{{status}}',
})
const samples = one({
  title: 'Samples',
  description: 'Samples per second that were accepted for writing, by ingester.',
  unit: 'cps',
  expr: 'rate(manc_ingest_samples_total[5m])',
  legend: '{{instance}}',
})
const lagPanel: Panel = {
  title: 'Lag of telemetry',
  description:
    'From the arrival of a message until it was written. A growing lag means that ingesters or VictoriaMetrics are too slow; nothing is lost.',
  unit: 's',
  series: [
    { expr: lag(0.5), legend: 'median' },
    { expr: lag(0.99), legend: 'p99' },
  ],
}

const overview: Dashboard = {
  uid: 'manc-overview',
  title: 'MANC overview',
  description: 'Whether the controller works: engines, processes, requests, telemetry, jobs.',
  rows: [
    {
      title: 'State',
      panels: [
        one({
          title: 'Engines down',
          description: 'Engines that at least one process cannot reach.',
          unit: 'short',
          kind: 'stat',
          expr: 'count(min by (engine) (manc_engine_up) == 0) or vector(0)',
          legend: 'down',
        }),
        one({
          title: 'Processes',
          description: 'Running processes.',
          unit: 'short',
          kind: 'stat',
          expr: 'count(manc_build_info)',
          legend: 'processes',
        }),
        one({
          title: 'Failed requests',
          description: 'Share of requests with status 5xx in the last 5 minutes.',
          unit: 'percentunit',
          kind: 'stat',
          expr: errors,
          legend: '5xx',
        }),
        one({
          title: 'Jobs to do',
          description: 'Jobs that are queued or running.',
          unit: 'short',
          kind: 'stat',
          expr: 'max(sum by (instance) (manc_jobs)) or vector(0)',
          legend: 'jobs',
        }),
      ],
    },
    { title: 'Work', panels: [requestRate, samples, lagPanel] },
    {
      title: 'Processes',
      panels: [
        one({
          title: 'CPU',
          description: 'Cores in use. A process uses at most a little more than one.',
          unit: 'short',
          expr: ofManc('rate(process_cpu_seconds_total[5m])'),
          legend: '{{instance}} {{roles}}',
        }),
        one({
          title: 'Memory',
          description: 'Resident memory.',
          unit: 'bytes',
          expr: ofManc('process_resident_memory_bytes'),
          legend: '{{instance}} {{roles}}',
        }),
        one({
          title: 'Event loop lag',
          description:
            'p99 of the delay of the event loop. Above 0.2 s the process is overloaded: add a replica.',
          unit: 's',
          expr: ofManc('nodejs_eventloop_lag_p99_seconds'),
          legend: '{{instance}} {{roles}}',
        }),
      ],
    },
    {
      title: 'Versions and engines',
      panels: [
        one({
          title: 'Versions',
          description: 'Processes of each version. More than one version only during an upgrade.',
          unit: 'short',
          expr: 'count by (version) (manc_build_info)',
          legend: '{{version}}',
        }),
        one({
          title: 'Engines reached',
          description: '1 where every process reaches the engine.',
          unit: 'short',
          expr: 'min by (engine) (manc_engine_up)',
          legend: '{{engine}}',
        }),
      ],
    },
  ],
}

const api: Dashboard = {
  uid: 'manc-api',
  title: 'MANC API',
  description: 'Rate, errors and duration of requests, and what they wait for.',
  rows: [
    {
      title: 'Requests',
      panels: [
        requestRate,
        {
          title: 'Latency',
          description: 'Time from request to end of response, without health checks.',
          unit: 's',
          series: [
            { expr: latency(0.5), legend: 'median' },
            { expr: latency(0.99), legend: 'p99' },
          ],
        },
        one({
          title: 'Failed requests',
          description: 'Share of requests with status 5xx.',
          unit: 'percentunit',
          expr: errors,
          legend: '5xx',
        }),
      ],
    },
    {
      title: 'Operations',
      panels: [
        one({
          title: 'Busiest operations',
          description: 'Requests per second of the ten busiest operations.',
          unit: 'reqps',
          expr: 'topk(10, sum by (operation) (rate(manc_http_request_duration_seconds_count[5m])))',
          legend: '{{operation}}',
        }),
        one({
          title: 'Slowest operations',
          description: 'Mean time of the ten slowest operations.',
          unit: 's',
          expr: 'topk(10, sum by (operation) (rate(manc_http_request_duration_seconds_sum[5m])) / sum by (operation) (rate(manc_http_request_duration_seconds_count[5m]) > 0))',
          legend: '{{operation}}',
        }),
      ],
    },
    {
      title: 'What requests wait for',
      panels: [
        {
          title: 'PostgreSQL connections',
          description:
            'With many waiting requests, raise MANC_DATABASE_CONNECTIONS or look for slow queries.',
          unit: 'short',
          series: [
            {
              expr: 'sum by (instance) (manc_postgres_connections{state="used"})',
              legend: '{{instance}} used',
            },
            { expr: 'manc_postgres_waiting_requests', legend: '{{instance}} waiting' },
          ],
        },
        one({
          title: 'Password hashes',
          description: 'Logins that wait for a hash. Beyond the limit, logins get 503.',
          unit: 'short',
          expr: 'manc_password_hashes{state="queued"}',
          legend: '{{instance}}',
        }),
        one({
          title: 'Cache hits',
          description: 'Share of look-ups that were answered from memory.',
          unit: 'percentunit',
          expr: 'sum by (cache) (rate(manc_cache_lookups_total{outcome="hit"}[5m])) / sum by (cache) (rate(manc_cache_lookups_total[5m]) > 0)',
          legend: '{{cache}}',
        }),
      ],
    },
    {
      title: 'WebSockets and the broker',
      panels: [
        one({
          title: 'Open WebSockets',
          description: 'By use.',
          unit: 'short',
          expr: 'sum by (use) (manc_sockets)',
          legend: '{{use}}',
        }),
        one({
          title: 'Authentication requests of RabbitMQ',
          description: '"unavailable" means that the database did not answer: agents retry.',
          unit: 'reqps',
          expr: 'sum by (answer) (rate(manc_broker_auth_requests_total[5m]))',
          legend: '{{answer}}',
        }),
      ],
    },
  ],
}

const telemetry: Dashboard = {
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
          expr: 'max by (queue) (manc_ingest_held_bytes / on (instance) group_left () manc_ingest_held_bytes_limit)',
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
          expr: 'sum(rate(manc_rabbitmq_published_total{exchange="manc.dead"}[5m])) or vector(0)',
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

const jobs: Dashboard = {
  uid: 'manc-jobs',
  title: 'MANC jobs and commands',
  description: 'Work with results that are delivered later.',
  rows: [
    {
      title: 'Jobs',
      panels: [
        one({
          title: 'To do',
          description: 'Jobs of all replicas that are queued or running.',
          unit: 'short',
          expr: 'max by (kind, state) (manc_jobs) or vector(0)',
          legend: '{{kind}} {{state}}',
        }),
        one({
          title: 'Created',
          description: 'By kind.',
          unit: 'cps',
          expr: 'sum by (kind) (rate(manc_jobs_created_total[5m]))',
          legend: '{{kind}}',
        }),
        one({
          title: 'Ended',
          description: 'By kind and state.',
          unit: 'cps',
          expr: 'sum by (kind, state) (rate(manc_jobs_ended_total[5m]))',
          legend: '{{kind}} {{state}}',
        }),
      ],
    },
    {
      title: 'Delivery',
      panels: [
        one({
          title: 'Oldest unpublished job',
          description: 'More than some seconds: RabbitMQ is down, or no api process runs.',
          unit: 's',
          expr: 'max(manc_outbox_oldest_seconds)',
          legend: 'age',
        }),
        {
          title: 'Mailboxes on disk',
          description: 'Messages that wait for their clients.',
          unit: 'bytes',
          series: [
            { expr: 'max(manc_mailbox_bytes)', legend: 'used' },
            { expr: 'max(manc_mailbox_bytes_limit)', legend: 'limit' },
          ],
        },
      ],
    },
    {
      title: 'Commands',
      panels: [
        one({
          title: 'Not ended',
          description: 'Commands of all replicas that wait for their agent or its result.',
          unit: 'short',
          expr: 'max by (state) (manc_commands) or vector(0)',
          legend: '{{state}}',
        }),
        one({
          title: 'Changes',
          description: 'Commands that changed to a state.',
          unit: 'cps',
          expr: 'sum by (state) (rate(manc_command_changes_total[5m]))',
          legend: '{{state}}',
        }),
      ],
    },
  ],
}

export const dashboards: readonly Dashboard[] = [overview, api, telemetry, jobs]

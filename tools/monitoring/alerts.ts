import { deadLetters, failedRequests, heldShare, latency, ofManc, telemetryLag } from './expressions.ts'

export interface Alert {
  /** Also the name of its page in docs/operations/runbooks. */
  name: string
  severity: 'critical' | 'warning'
  /** PromQL expression of the figure … */
  expr: string
  /** … and the condition under which it fires. */
  fires: string
  /** How long the condition holds before it fires. */
  for: string
  summary: string
  description: string
}

export const alerts: readonly Alert[] = [
  {
    name: 'MancProcessDown',
    severity: 'critical',
    // `and` also fits while an instance has reported two versions within the day.
    expr: 'up and on (instance) last_over_time(manc_build_info[1d])',
    fires: '== 0',
    for: '1m',
    summary: 'A MANC process does not answer',
    description: '{{ $labels.instance }} has not answered for a minute.',
  },
  {
    name: 'MancEngineDown',
    severity: 'critical',
    expr: 'min by (engine) (manc_engine_up)',
    fires: '== 0',
    for: '1m',
    summary: 'An engine cannot be reached',
    description: 'At least one process has not reached {{ $labels.engine }} for a minute.',
  },
  {
    name: 'MancRequestsFail',
    severity: 'critical',
    expr: failedRequests,
    fires: '> 0.02',
    for: '2m',
    summary: 'Requests fail',
    description: '{{ $value | humanizePercentage }} of all requests were answered with 5xx.',
  },
  {
    name: 'MancRequestsSlow',
    severity: 'warning',
    expr: latency(0.99),
    fires: '> 2',
    for: '5m',
    summary: 'Requests are slow',
    description: '1 % of the requests take longer than {{ $value | humanizeDuration }}.',
  },
  {
    name: 'MancEventLoopBlocked',
    severity: 'warning',
    expr: ofManc('nodejs_eventloop_lag_p99_seconds'),
    fires: '> 0.2',
    for: '5m',
    summary: 'A MANC process is overloaded',
    description:
      'The event loop of {{ $labels.instance }} ({{ $labels.roles }}) lags by {{ $value | humanizeDuration }}.',
  },
  {
    name: 'MancTelemetryLag',
    severity: 'warning',
    expr: telemetryLag(0.9),
    fires: '> 5',
    for: '2m',
    summary: 'Telemetry is stored late',
    description:
      'A tenth of the batches are stored {{ $value | humanizeDuration }} or more after their arrival.',
  },
  {
    name: 'MancTelemetryPaused',
    severity: 'critical',
    expr: heldShare('instance'),
    fires: '>= 1',
    for: '1m',
    summary: 'An ingester has stopped consuming a queue',
    description:
      '{{ $labels.instance }} holds as much unstored telemetry as it may. Messages wait in RabbitMQ.',
  },
  {
    name: 'MancTelemetryWritesFail',
    severity: 'critical',
    expr: 'sum(rate(manc_ingest_batch_duration_seconds_count{outcome="failed"}[5m])) or vector(0)',
    fires: '> 0',
    for: '2m',
    summary: 'VictoriaMetrics refuses telemetry',
    description: 'Batches could not be written for two minutes. They are retried; nothing is lost.',
  },
  {
    name: 'MancDeadLetters',
    severity: 'warning',
    expr: deadLetters('increase', '15m'),
    fires: '> 0',
    for: '0m',
    summary: 'Messages of agents could not be handled',
    description: '{{ $value | humanize }} messages went to a dead-letter queue in 15 minutes.',
  },
  {
    name: 'MancOutboxStuck',
    severity: 'critical',
    expr: 'max(manc_outbox_oldest_seconds)',
    fires: '> 30',
    for: '1m',
    summary: 'Jobs are not published',
    description: 'A job has waited for {{ $value | humanizeDuration }} to be published to RabbitMQ.',
  },
  {
    name: 'MancJobsQueued',
    severity: 'warning',
    expr: 'max(sum by (instance) (manc_jobs{state="queued"}) or vector(0))',
    fires: '> 500',
    for: '5m',
    summary: 'Many jobs are queued',
    description: '{{ $value | humanize }} jobs wait for a worker.',
  },
  {
    name: 'MancDatabaseConnectionsShort',
    severity: 'warning',
    expr: 'max by (instance) (manc_postgres_waiting_requests)',
    fires: '> 0',
    for: '2m',
    summary: 'Requests wait for a PostgreSQL connection',
    description: '{{ $value | humanize }} requests of {{ $labels.instance }} wait for a connection.',
  },
  {
    name: 'MancLoginsQueued',
    severity: 'warning',
    expr: 'max by (instance) (manc_password_hashes{state="queued"} / on (instance) group_left () manc_password_hashes_limit)',
    fires: '> 0.8',
    for: '1m',
    summary: 'Logins are about to be refused',
    description:
      'The queue for password hashes of {{ $labels.instance }} is {{ $value | humanizePercentage }} full.',
  },
  {
    name: 'MancMailboxesFull',
    severity: 'warning',
    expr: 'max(manc_mailbox_bytes) / max(manc_mailbox_bytes_limit)',
    fires: '> 0.8',
    for: '5m',
    summary: 'The mailboxes of jobs are almost full',
    description: 'Messages that wait for their clients use {{ $value | humanizePercentage }} of their limit.',
  },
  {
    name: 'MancBrokerAuthUnavailable',
    severity: 'critical',
    expr: 'sum(rate(manc_broker_auth_requests_total{answer="unavailable"}[5m])) or vector(0)',
    fires: '> 0',
    for: '2m',
    summary: 'Agents cannot log in at the broker',
    description:
      'Requests of RabbitMQ about agents could not be answered, because the database did not answer.',
  },
]

import {
  deadLetters,
  failedRequestCount,
  failedRequests,
  heldShare,
  latency,
  ofManc,
  processesByRole,
  requestCount,
  telemetryLag,
} from './expressions.ts'

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
    expr: 'up and on (job, instance) last_over_time(manc_build_info[1d])',
    fires: '== 0',
    for: '1m',
    summary: 'A MANC process does not answer',
    description: '{{ $labels.instance }} has not answered for a minute.',
  },
  {
    name: 'MancRoleMissing',
    severity: 'critical',
    // Where targets are discovered, a process that does not run has no `up`.
    expr: processesByRole,
    fires: '== 0',
    for: '2m',
    summary: 'No process has a role',
    description: 'No {{ $labels.role }} has been running for two minutes.',
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
    // On a small installation a single failed request would be a large share.
    fires: `> 0.02 and ${failedRequestCount} >= 5`,
    for: '2m',
    summary: 'Requests fail',
    description: '{{ $value | humanizePercentage }} of all requests were answered with 5xx.',
  },
  {
    name: 'MancRequestsSlow',
    severity: 'warning',
    expr: latency(0.99),
    // Of fewer requests, one is more than 1 %.
    fires: `> 2 and ${requestCount} > 100`,
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
    // `for` is longer than the period, so that what an outage has delayed does not fire when it is over.
    expr: telemetryLag(0.9, '2m'),
    fires: '> 5',
    for: '3m',
    summary: 'Telemetry is stored late',
    description:
      'A tenth of the batches are stored {{ $value | humanizeDuration }} or more after their arrival.',
  },
  {
    name: 'MancTelemetryPaused',
    severity: 'critical',
    expr: heldShare('instance'),
    // The second limit is the prefetch of a queue, which small messages reach first.
    fires: '>= 1 or max by (instance) (manc_ingest_held_messages) >= 65535',
    for: '1m',
    summary: 'An ingester has stopped consuming a queue',
    description:
      '{{ $labels.instance }} holds as much unstored telemetry as it may. Messages wait in RabbitMQ.',
  },
  {
    name: 'MancTelemetryWritesFail',
    severity: 'critical',
    // `for` is longer than the period, so that a restart of VictoriaMetrics within a minute does not fire.
    expr: 'sum(rate(manc_ingest_batch_duration_seconds_count{outcome="failed"}[2m]))',
    fires: '> 0',
    for: '3m',
    summary: 'VictoriaMetrics refuses telemetry',
    description: 'Batches could not be written for a minute or longer. They are retried; nothing is lost.',
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
    name: 'MancAuditExportStuck',
    severity: 'warning',
    expr: 'max(manc_audit_export_pending)',
    fires: '> 0',
    for: '5m',
    summary: 'The audit is not exported',
    description: '{{ $value | humanize }} audit entries are not in the audit file or on the syslog server.',
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
    name: 'MancNotificationsStuck',
    severity: 'critical',
    expr: 'max by (queue) (manc_notification_overdue_seconds)',
    fires: '> 30',
    for: '1m',
    summary: 'Alarms are not notified',
    description:
      'Alarms have waited for {{ $value | humanizeDuration }} to be put into a message ({{ $labels.queue }}).',
  },
  {
    name: 'MancJobsQueued',
    severity: 'warning',
    // Commands wait for their agents, and emulations run for as long as they are needed. A job that is retried is `running`.
    expr: 'max(sum by (instance) (manc_jobs{kind=~"agent_data|agent_details"}) or vector(0))',
    fires: '> 500',
    for: '5m',
    summary: 'Many jobs are waiting',
    description: '{{ $value | humanize }} jobs wait for a worker, for a retry or for their client.',
  },
  {
    name: 'MancDatabaseConnectionsShort',
    severity: 'warning',
    // The average, because the number is 0 for a moment between two waves of requests.
    expr: 'max by (instance) (avg_over_time(manc_postgres_waiting_requests[2m]))',
    fires: '> 1',
    for: '2m',
    summary: 'Requests wait for a PostgreSQL connection',
    description:
      '{{ $value | humanize }} requests of {{ $labels.instance }} wait for a connection, on average.',
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
    expr: 'max(manc_mailbox_bytes / on (instance) manc_mailbox_bytes_limit)',
    fires: '> 0.8',
    for: '5m',
    summary: 'The mailboxes of jobs are almost full',
    description: 'Messages that wait for their clients use {{ $value | humanizePercentage }} of their limit.',
  },
  {
    name: 'MancBrokerAuthUnavailable',
    severity: 'critical',
    // `for` is longer than the period, so that a restart of PostgreSQL within a minute does not fire.
    expr: 'sum(rate(manc_broker_auth_requests_total{answer="unavailable"}[2m]))',
    fires: '> 0',
    for: '3m',
    summary: 'Agents cannot log in at the broker',
    description:
      'Requests of RabbitMQ about agents could not be answered: PostgreSQL did not answer, or too many agents logged in.',
  },
]

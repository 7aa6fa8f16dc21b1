import type {
  AgentState,
  AlarmMetric,
  AlarmOperator,
  AlarmSeverity,
  AttachmentEnd,
  CommandVerdict,
  DecisionMode,
  DecisionState,
  DeliveryKind,
  DeliveryStatus,
  EventKind,
  EventSeverity,
  ExperimentKind,
  ExperimentRunState,
  ExperimentState,
  Grouping,
  Health,
  HealthReason,
  JobKind,
  JobState,
  KpiHealth,
  QuietHours,
  ReceiverType,
  RolloutAgentState,
  RolloutState,
  SortOrder,
  TableColumn,
  TableSort,
  Technology,
} from '@manc/contract'
import type { ColumnType, Generated } from 'kysely'

/** Set by the database; never written. */
type Written<T> = ColumnType<T, never, never>
/** A timestamp with a default. */
type Timestamp = ColumnType<Date, Date | undefined, Date>
/** The driver returns bigint as text. */
type BigInt = ColumnType<string, number, number>
/** A bigint with a default. */
type Counter = ColumnType<string, number | undefined, number>
/** The driver returns xid8 as text. The default is the inserting transaction. */
type TransactionId = ColumnType<string, undefined, string>

/** The schema after all migrations. `npm run check:tables` fails where a table is missing. */
export interface Tables {
  users: UserTable
  password_recoveries: PasswordRecoveryTable
  reset_tokens: ResetTokenTable
  setup_tokens: { hash: string; created_at: Timestamp }
  agents: AgentTable
  enrolment_tokens: EnrolmentTokenTable
  third_party_apps: ThirdPartyAppTable
  configuration_versions: {
    agent_id: string
    version: number
    /** JSON text. */
    configuration: string
    author_kind: string | null
    author: string | null
    created_at: Timestamp
  }
  rollouts: RolloutTable
  rollout_agents: RolloutAgentTable
  agent_attributes: { ap_id: string; attributes: string; said_at: Date }
  refused_samples: { ap_id: string; reason: string; samples: BigInt; last_at: Date }
  agent_suspensions: {
    ap_id: string
    reason: string
    since: Timestamp
    pause_s: number
    until: Date
  }
  fleet: FleetTable
  fleet_keepers: { id: string; alive_at: Date; judged_at: Date }
  ingesters: { id: string; alive_at: Date; is_connected: boolean; received_at: Date | null }
  telemetry_queues: { name: string; ingester: string | null }
  fleet_counts: {
    technology: Technology
    state: AgentState
    emulated_by: string | null
    agents: string
    health: Health
  }
  fleet_trends: {
    at: Date
    technology: Technology
    emulated_by: string | null
    online: number
    degraded: number
    bad: number
    offline: number
    clients: number | null
    throughput_mbps: number | null
    power_w: number | null
  }
  metrics_stores: { name: string; repairer: string | null; leased_until: Timestamp }
  metrics_gaps: {
    id: Written<string>
    store: string
    source: string
    from_ms: BigInt
    to_ms: BigInt
    revision: Counter
    repair_after: Timestamp
  }
  fleet_gone: {
    ap_id: string
    emulated_by: string | null
    gone_at: Timestamp
    transaction_id: TransactionId
  }
  disconnections: { id: Written<string>; ap_id: string; next_attempt_at: Timestamp; is_urgent: boolean }
  revocations: RevocationTable
  login_failures: LoginFailureTable
  known_logins: { account: string; addresses: string[]; expires_at: Date }
  audit: AuditTable
  audit_exports: { name: string; holder: string; until: Date }
  jobs: JobTable
  job_keys: { owner: string; key: string; job_number: string; created_at: Timestamp }
  mailbox: MailboxTable
  /** Partition of `mailbox` for rows outside of all dated partitions. */
  mailbox_other: MailboxTable
  replicas: { id: string; alive_at: Date }
  events: EventTable
  /** Partition of `events` for rows outside of all dated partitions. */
  events_other: EventTable
  client_keys: { id: Generated<boolean>; sealed: Buffer }
  clients: ClientTable
  client_access_points: {
    ap_id: string
    clients: number
    reported_at: Date
    snapshot_at: Date | null
  }
  client_history: ClientHistoryTable
  /** Partition of `client_history` for rows outside of all dated partitions. */
  client_history_other: ClientHistoryTable
  alarm_rules: AlarmRuleTable
  alarms: AlarmTable
  silences: SilenceTable
  decisions: DecisionTable
  decision_agents: { ap_id: string; decision_id: string }
  decision_commands: DecisionCommandTable
  experiments: ExperimentTable
  experiment_runs: ExperimentRunTable
  experiment_starts: { owner: string; recent: number; counted_at: Timestamp }
  saved_views: SavedViewTable
  alarm_changes: { id: Written<string>; alarm_id: string; is_raised: boolean }
  notification_receivers: NotificationReceiverTable
  notification_routes: NotificationRouteTable
  notification_groups: {
    route_id: string
    group_key: string
    last_message_at: Date | null
    next_at: Date | null
  }
  notification_alarms: {
    route_id: string
    alarm_id: string
    group_key: string
    state: 'waiting' | 'notified' | 'cleared'
    due_at: Date | null
    escalated_to: string | null
  }
  notification_deliveries: NotificationDeliveryTable
  vmalert_contacts: { kind: string; at: Date }
  processes: {
    id: string
    host: string
    roles: string[]
    version: string
    started_at: Timestamp
    alive_at: Timestamp
    engines: unknown
    parts: unknown
  }
  commands: CommandTable
  command_holds: { ap_id: string; holder: string; priority: number; until: Date }
  emulations: EmulationTable
  emulation_parts: EmulationPartTable
  emulation_phases: { job_number: string; phase: string; scenario: string; begins_at: Date }
  emulation_starts: { owner: string; recent: number; counted_at: Timestamp }
}

interface UserTable {
  id: string
  username: string
  /** Lower case, for look-ups: names are compared case-insensitively. */
  username_key: string
  password_hash: string
  roles: string[]
  is_admin: boolean
  token_version: Generated<number>
  created_at: Timestamp
  /** Null if the user is confirmed. */
  confirm_by: Date | null
}

interface PasswordRecoveryTable {
  id: Written<string>
  username_key: string
  requested_at: Timestamp
  attempts: Generated<number>
  next_attempt_at: Timestamp | null
}

interface ResetTokenTable {
  user_id: string
  hash: string
  expires_at: Date
}

interface AgentTable {
  id: string
  ap_id: string
  password_hash: string
  /** JSON text, stored as it was sent. */
  configuration: string
  /** Whether the agent itself has sent anything yet. */
  onboard: Generated<boolean>
  /** The job number of the emulation that created the agent. */
  emulation: string | null
  token_version: Generated<number>
  created_at: Timestamp
}

interface RolloutTable {
  id: string
  owner: string
  owner_name: string
  created_by: string
  title: string
  /** JSON text. */
  change: string
  state: Generated<RolloutState>
  detail: string | null
  agents: number
  stage: Generated<number>
  is_observing: Generated<boolean>
  wait_s: number
  max_failures: number
  forgiven: Generated<number>
  pending: number
  applied: Generated<number>
  unchanged: Generated<number>
  failed: Generated<number>
  undone: Generated<number>
  skipped: Generated<number>
  due_at: Timestamp
  lease: Generated<number>
  created_at: Timestamp
  state_at: Timestamp
}

interface RolloutAgentTable {
  rollout_id: string
  ap_id: string
  stage: number
  state: Generated<RolloutAgentState>
  detail: string | null
  at: Date | null
  was_well: boolean | null
  agent_id: string | null
  version: number | null
}

interface FleetTable {
  ap_id: string
  name: string | null
  technology: Generated<Technology>
  latitude: number | null
  longitude: number | null
  interval_s: Generated<number>
  state: Generated<AgentState>
  since: Timestamp
  last_seen: Date | null
  connected_at: Date | null
  keeper: string | null
  /** The owner of its emulation; null for an agent that is not emulated. */
  emulated_by: string | null
  transaction_id: TransactionId
  /** Set by a trigger. */
  changed_in: Written<string | null>
  kpi_health: Generated<KpiHealth>
  health_since: Timestamp
  reasons: Generated<HealthReason[]>
  place: string | null
  version: string | null
  /** They order names, places and versions. */
  name_key: string | null
  place_key: string | null
  version_key: string | null
  /** False for a row of a release that does not have these columns. */
  is_described: Generated<boolean>
}

interface EnrolmentTokenTable {
  id: string
  hash: string
  /** Null for a token of version 1.0. */
  digest: string | null
  ap_id_pattern: string
  max_uses: number
  uses: Generated<number>
  created_by: string
  created_at: Timestamp
  expires_at: Date
}

interface ThirdPartyAppTable {
  id: string
  app_name: string
  api_key_hash: string
  api_key_sealed: Buffer
  /** JSON text, stored as it was sent. */
  permissions: string
  token_version: Generated<number>
  created_at: Timestamp
}

interface RevocationTable {
  subject: string
  version: number
  revoked_at: Timestamp
  transaction_id: TransactionId
}

interface LoginFailureTable {
  key: string
  failures: number
  counted_at: Date
  blocked_until: Date
  expires_at: Date
}

interface AuditTable {
  id: Written<string>
  at: Timestamp
  actor_kind: string
  actor: string
  action: string
  target: string
  /** Written as JSON text, read parsed: jsonb, unlike json, keeps the driver's parser. */
  detail: ColumnType<Record<string, unknown>, string, string>
  request_id: string | null
  /** Of a row that counts several events of one minute. */
  aggregation_key: Generated<string | null>
  exported: Generated<boolean>
}

interface JobTable {
  job_number: string
  kind: JobKind
  owner: string
  state: JobState
  detail: string | null
  /** JSON text. */
  request: string
  cursor: string | null
  lease: string | null
  work_after: Timestamp
  attempts: Generated<number>
  published: Generated<boolean>
  created_at: Timestamp
  ends_by: Date
  ended_at: Date | null
  last_seq: Counter
  read_seq: Counter
  waiting_bytes: Counter
  reader: string | null
  read_by: string | null
  parent: string | null
  /** JSON text. */
  progress: string | null
  recent_keys: Generated<string[]>
  traceparent: string | null
  reader_waits: Generated<number>
  owner_unread_limit: BigInt | null
  title: string | null
  cancelled: Generated<boolean>
  kept_bytes: Counter
}

interface MailboxTable {
  job_number: string
  seq: BigInt
  type: Generated<'result' | 'state'>
  final: boolean
  /** JSON text; null once delivered. */
  data: string | null
  /** JSON text that was delivered, to be read again. */
  kept: string | null
  bytes: number
  post_key: string | null
  created_at: Timestamp
  transaction_id: TransactionId
}

interface EventTable {
  at: Timestamp
  transaction_id: TransactionId
  seq: Counter
  kind: EventKind
  severity: EventSeverity
  ap_id: string | null
  emulated_by: string | null
  subject: string | null
  data: ColumnType<Record<string, unknown>, string, string>
}

interface AlarmRuleTable {
  id: string
  name: string
  severity: AlarmSeverity
  metric: AlarmMetric
  expr: string | null
  raise_op: AlarmOperator | null
  raise_threshold: number | null
  raise_for_s: number
  clear_threshold: number | null
  clear_for_s: number
  technologies: Technology[]
  ap_ids: string[]
  is_enabled: boolean
  is_builtin: boolean
  revision: Generated<number>
  updated_at: Timestamp
  updated_by: string | null
}

interface AlarmTable {
  id: Written<string>
  rule_id: string
  rule_name: string
  severity: AlarmSeverity
  metric: AlarmMetric
  ap_id: string
  technology: Technology
  emulated_by: string | null
  value: number | null
  raised_at: Timestamp
  cleared_at: Date | null
  clear_reason: string | null
  is_flapping: Generated<boolean>
  acknowledged_by: string | null
  acknowledged_at: Date | null
  comment: string | null
  assignee: string | null
}

interface DecisionTable {
  id: string
  owner: string
  owner_kind: 'app' | 'user'
  owner_name: string
  owner_seq: BigInt
  request_key: string | null
  policy: string
  mode: DecisionMode
  state: DecisionState
  reason: string
  client: string | null
  /** JSON text when written. */
  observed: ColumnType<unknown, string, string>
  expected: ColumnType<unknown, string, string>
  measured: ColumnType<unknown, string | null, string | null>
  job_number: string | null
  reverts: string | null
  reverted_by: string | null
  created_at: Timestamp
  expires_at: Date | null
  decided_by: string | null
  decided_at: Date | null
  executed_at: Date | null
  measure_at: Date | null
  measured_at: Date | null
  /** When a worker has something to do; null: nothing. */
  due_at: Date | null
}

interface ExperimentTable {
  id: string
  owner: string
  owner_kind: 'app' | 'user'
  owner_name: string
  request_key: string | null
  name: string
  kind: ExperimentKind
  /** JSON texts. */
  world: string
  places: string | null
  command: string | null
  policies: string
  documents: string
  seed: string
  repetitions: number
  duration_s: number | null
  state: Generated<ExperimentState>
  runs: number
  finished: Generated<number>
  failed: Generated<number>
  created_at: Timestamp
  ended_at: Date | null
  expires_at: Date
}

interface ExperimentRunTable {
  id: string
  experiment_id: string
  run: number
  policy: string
  seed: string
  state: Generated<ExperimentRunState>
  progress_pct: Generated<number>
  attempts: Generated<number>
  emulator: string | null
  due_at: ColumnType<Date | null, Date | null | undefined, Date | null>
  is_offered: Generated<boolean>
  detail: string | null
  /** JSON texts. */
  figures: string | null
  series: string | null
  digest: string | null
}

interface DecisionCommandTable {
  decision_id: string
  n: number
  ap_id: string
  command: string
  /** That it steers. */
  client: string | null
  verdict: CommandVerdict | null
  detail: string | null
  job_number: string | null
  /** Null until the command has ended. */
  state: JobState | null
  /** JSON text. */
  result: string | null
  ended_at: Date | null
}

interface SilenceTable {
  id: string
  comment: string
  rule_ids: string[]
  technologies: Technology[]
  ap_ids: string[]
  starts_at: Timestamp
  ends_at: Date | null
  /** ISO days of the week, Monday is 1. Null: it does not recur. */
  days: number[] | null
  /** Such as 02:00:00. */
  start_time: string | null
  duration_min: number | null
  time_zone: string | null
  owner: string
  created_by: string
  created_at: Timestamp
}

interface SavedViewTable {
  id: string
  owner: string
  name: string
  is_shared: boolean
  columns: TableColumn[]
  sort: TableSort
  sort_order: SortOrder
  filters: unknown
  created_at: Timestamp
  updated_at: Timestamp
}

interface CommandTable {
  job_number: string
  ap_id: string
  owner: string
  command: string
  state: Generated<JobState>
  expires_at: Date
  was_sent: Generated<boolean>
  due_at: Timestamp
  parent: string | null
  /** JSON text. */
  result: string | null
  detail: string | null
  transaction_id: TransactionId
  traceparent: string | null
}

interface EmulationTable {
  job_number: string
  owner: string
  agents: number
  nonce: string
  /** JSON text. */
  specs: string
  /** JSON text. */
  places: string
  begins_at: Timestamp
  ends_at: Date
  remove_at: Date
  is_told: Generated<boolean>
  of_standard_user: Generated<boolean>
  stopped_by: string | null
}

interface EmulationPartTable {
  job_number: string
  part: number
  state: Generated<'waiting' | 'running' | 'finished' | 'failed' | 'stopped'>
  detail: string | null
  emulator: string | null
  leased_until: Date | null
  offered_at: Timestamp
  ends_at: Date
  /** JSON text. */
  told: string | null
}

interface NotificationReceiverTable {
  id: string
  name: string
  type: ReceiverType
  addresses: string[]
  url: string | null
  secret_sealed: Buffer | null
  is_enabled: boolean
  updated_at: Timestamp
  updated_by: string
}

interface NotificationRouteTable {
  id: string
  name: string
  receiver_id: string
  severities: AlarmSeverity[]
  technologies: Technology[]
  ap_ids: string[]
  rule_ids: string[]
  emulated: 'none' | 'all'
  group_by: Grouping
  group_wait_s: number
  group_interval_s: number
  notify_cleared: boolean
  escalate_after_s: number | null
  escalate_to: string | null
  /** Written as JSON text. */
  quiet_hours: ColumnType<QuietHours | null, string | null, string | null>
  is_enabled: boolean
  updated_at: Timestamp
  updated_by: string
}

interface NotificationDeliveryTable {
  id: string
  kind: DeliveryKind
  receiver_id: string
  receiver_name: string
  type: ReceiverType
  route_id: string | null
  route_name: string | null
  group_key: string | null
  subject: string
  raised: number
  cleared: number
  /** Written as JSON text. */
  content: ColumnType<unknown, string, string>
  status: Generated<DeliveryStatus>
  attempts: Generated<number>
  created_at: Timestamp
  give_up_at: Date
  next_attempt_at: Date | null
  leased_until: Date | null
  sent_at: Date | null
  status_code: number | null
  error: string | null
  /** Of an e-mail that other addresses have got. */
  addresses_left: string[] | null
}

interface ClientLinkColumns {
  signal_dbm: number | null
  snr_db: number | null
  rate_mbps: number | null
}

interface ClientTable extends ClientLinkColumns {
  id: string
  sealed_name: Buffer | null
  ap_id: string
  is_attached: boolean
  technology: Technology
  emulated_by: string | null
  since: Date
  from_ap_id: string | null
  ended: AttachmentEnd | null
  claimed_at: Date
  measured_at: Date | null
  throughput_mbps: number | null
  /** Written by the database, from the values of `throughput_mbps`. */
  mean_throughput_mbps: number | null
  heard: Readonly<Record<string, number>> | null
}

interface ClientHistoryTable extends ClientLinkColumns {
  recorded_at: Timestamp
  seq: Counter
  client_id: string
  ap_id: string
  technology: Technology
  since: Date
  until: Date
  from_ap_id: string | null
  ended: AttachmentEnd
}

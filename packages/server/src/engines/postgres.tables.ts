import type { AgentState, Technology } from '@manc/contract'
import type { ColumnType, Generated } from 'kysely'

/** Set by the database; never written. */
type Written<T> = ColumnType<T, never, never>
type Moment = ColumnType<Date, Date | undefined, Date>

/** The tables as the migrations leave them. */
export interface Tables {
  users: UserTable
  password_recoveries: PasswordRecoveryTable
  reset_tokens: ResetTokenTable
  setup_tokens: { hash: string; created_at: Moment }
  agents: AgentTable
  enrolment_tokens: EnrolmentTokenTable
  third_party_apps: ThirdPartyAppTable
  agent_attributes: { ap_id: string; attributes: string; said_at: Date }
  refused_samples: { ap_id: string; reason: string; samples: number; last_at: Date }
  fleet: FleetTable
  fleet_keepers: { id: string; alive_at: Date; judged_at: Date }
  disconnections: { id: Written<string>; ap_id: string; next_attempt_at: Moment }
  revocations: RevocationTable
  login_failures: LoginFailureTable
  audit: AuditTable
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
  created_at: Moment
}

interface PasswordRecoveryTable {
  id: Written<string>
  username_key: string
  requested_at: Moment
  attempts: Generated<number>
  next_attempt_at: Moment | null
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
  /** JSON text, kept as it was sent. */
  configuration: string
  /** Whether the agent itself has sent anything yet. */
  onboard: Generated<boolean>
  token_version: Generated<number>
  created_at: Moment
}

interface FleetTable {
  ap_id: string
  name: string | null
  technology: Generated<Technology>
  latitude: number | null
  longitude: number | null
  interval_s: Generated<number>
  state: Generated<AgentState>
  since: Moment
  last_seen: Date | null
  connected_at: Date | null
  keeper: string | null
  transaction_id: Written<string>
}

interface EnrolmentTokenTable {
  id: string
  hash: string
  ap_id_pattern: string
  max_uses: number
  uses: Generated<number>
  created_by: string
  created_at: Moment
  expires_at: Date
}

interface ThirdPartyAppTable {
  id: string
  app_name: string
  api_key_hash: string
  api_key_sealed: Buffer
  /** JSON text, kept as it was sent. */
  permissions: string
  token_version: Generated<number>
  created_at: Moment
}

interface RevocationTable {
  subject: string
  version: number
  revoked_at: Moment
  transaction_id: Written<string>
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
  at: Moment
  actor_kind: string
  actor: string
  action: string
  target: string
  detail: string
  request_id: string | null
}

import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Logger } from 'pino'
import type { Tables } from './postgres.tables.ts'

/**
 * Indexes of tables that earlier releases have: built after the migrations and outside of a transaction, so that writers
 * do not wait. An index of a new table belongs into its migration. A released entry is never changed.
 */
const indexes = [
  {
    // Alarms of presence look for agents that have been offline for long enough.
    name: 'fleet_offline',
    kind: 'index',
    on: `fleet (since) where state = 'offline'`,
  },
  {
    name: 'enrolment_tokens_digest',
    kind: 'unique index',
    on: 'enrolment_tokens (digest) where digest is not null',
  },
  {
    name: 'audit_by_aggregation_key',
    kind: 'unique index',
    on: 'audit (aggregation_key) where aggregation_key is not null',
  },
  {
    name: 'audit_not_exported',
    kind: 'index',
    on: 'audit (id) where not exported',
  },
  {
    // The limits of emulated agents are sums over these columns.
    name: 'emulations_counted',
    kind: 'index',
    on: 'emulations (owner) include (agents, of_standard_user)',
  },
  {
    name: 'jobs_held',
    kind: 'index',
    on: `jobs (owner)
      where parent is null and (ended_at is null or (waiting_bytes > 0 and kind <> 'send_command'))`,
  },
  {
    name: 'jobs_unread',
    kind: 'index',
    on: `jobs (owner) include (waiting_bytes)
      where parent is null and waiting_bytes > 0 and kind <> 'send_command'`,
  },
  {
    // The newest jobs of an owner whose delivered results are kept.
    name: 'jobs_kept',
    kind: 'index',
    on: 'jobs (owner, created_at, job_number) include (kept_bytes) where kept_bytes > 0',
  },
  // Jobs and commands are taken in turns of their owners. `not in` is on purpose: from these conditions the planner cannot
  // conclude those of `jobs_to_do` and `commands_due`, which only version 1.1 uses. While it believes that few rows are due, it
  // would prefer them, and read and sort all rows for each owner.
  {
    name: 'jobs_by_owner_for_workers',
    kind: 'index',
    on: `jobs (owner, work_after)
      where state not in ('open', 'sent', 'delivered', 'succeeded', 'failed', 'timed_out', 'expired', 'superseded', 'skipped')
        and kind in ('agent_details', 'agent_data', 'send_commands')`,
  },
  {
    name: 'commands_by_owner',
    kind: 'index',
    on: `commands (owner, due_at)
      where state not in ('succeeded', 'failed', 'timed_out', 'expired', 'superseded', 'skipped')`,
  },
  {
    // Commands that wait for an agent. The condition is that of `isUndelivered` in commands.store.ts.
    name: 'commands_undelivered',
    kind: 'index',
    on: `commands (ap_id, owner) where coalesce(state in ('queued', 'sent'), false)`,
  },
  {
    name: 'fleet_by_change',
    kind: 'index',
    on: 'fleet (changed_in) where changed_in is not null',
  },
  {
    // The list by health, the worst first: the expression is that of `healthRank` in fleet-list.store.ts.
    name: 'fleet_by_health',
    kind: 'index',
    on: `fleet ((case when state = 'offline' then 2 when kpi_health = 'bad' then 0 when kpi_health = 'degraded' then 1
      when kpi_health = 'unknown' then 3 else 4 end), ap_id)`,
  },
  {
    name: 'fleet_undescribed',
    kind: 'index',
    on: 'fleet (ap_id) where not is_described',
  },
  {
    // Placed by a release without keys of places.
    name: 'fleet_without_place_key',
    kind: 'index',
    on: 'fleet (ap_id) where place is not null and place_key is null',
  },
  // Columns of the table of access points. The view of a caller is included, so that the rows themselves are not read.
  {
    name: 'fleet_by_name',
    kind: 'index',
    on: 'fleet (name_key, ap_id) include (emulated_by)',
  },
  {
    name: 'fleet_by_place',
    kind: 'index',
    on: 'fleet (place_key, ap_id) include (emulated_by)',
  },
  {
    name: 'fleet_by_version',
    kind: 'index',
    on: 'fleet (version_key, ap_id) include (emulated_by)',
  },
  {
    name: 'fleet_by_technology',
    kind: 'index',
    on: 'fleet (technology, ap_id) include (emulated_by)',
  },
  {
    // The expression is that of the key `state` in fleet-table.store.ts.
    name: 'fleet_by_state',
    kind: 'index',
    on: `fleet ((case state when 'online' then 0 when 'stale' then 1 else 2 end), ap_id)
      include (emulated_by, state)`,
  },
  {
    // The expression is that of `lastSeen` in fleet-table.store.ts.
    name: 'fleet_by_last_seen',
    kind: 'index',
    on: `fleet ((case when state = 'online' then 'infinity'::timestamptz else last_seen end), ap_id)
      include (emulated_by, state, last_seen)`,
  },
  {
    name: 'users_unconfirmed',
    kind: 'index',
    on: 'users (confirm_by) where confirm_by is not null',
  },
] as const

const lockPollMs = 200

/** Safe to run from many processes: one builds, the others wait until it has ended. */
export async function buildIndexes(db: Kysely<Tables>, log: Logger): Promise<void> {
  await db.connection().execute(async (connection) => {
    for (const { name, kind, on } of indexes) {
      while ((await stateOf(connection, name)) !== 'valid') {
        // Waiting for a lock inside of a statement would make the process that builds wait for this statement.
        if (!(await tryLock(connection))) {
          await sleep(lockPollMs)
          continue
        }
        try {
          const state = await stateOf(connection, name)
          if (state === 'valid') break
          log.info({ index: name }, 'building an index; writers do not wait')
          // Left over by a process that was stopped.
          if (state === 'invalid') await sql`drop index concurrently ${sql.id(name)}`.execute(connection)
          await sql`create ${sql.raw(kind)} concurrently ${sql.id(name)} on ${sql.raw(on)}`.execute(
            connection,
          )
        } finally {
          await sql`select pg_advisory_unlock(hashtext('indexes'))`.execute(connection)
        }
      }
    }
  })
}

async function stateOf(db: Kysely<Tables>, name: string): Promise<'valid' | 'invalid' | 'missing'> {
  const { rows } = await sql<{ isValid: boolean }>`
    select indisvalid as "isValid" from pg_index where indexrelid = to_regclass(${name})
  `.execute(db)
  return rows[0] === undefined ? 'missing' : rows[0].isValid ? 'valid' : 'invalid'
}

async function tryLock(db: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql<{ isLocked: boolean }>`
    select pg_try_advisory_lock(hashtext('indexes')) as "isLocked"
  `.execute(db)
  return rows[0]?.isLocked ?? false
}

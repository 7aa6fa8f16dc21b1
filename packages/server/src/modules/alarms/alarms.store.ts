import { type Executor, type Postgres, sql } from '../../engines/postgres.ts'
import { likeOfGlob } from '../../globs.ts'
import { silencedAlarmIds, silencedUntil } from '../silences/index.ts'
import type {
  Acknowledgement,
  AlarmCount,
  AlarmFilter,
  AlarmRow,
  AlarmView,
  ChangedAlarm,
  ClearedAlarm,
  FiringAlert,
  OpenAlarm,
  RuleRow,
} from './alarms.types.ts'
import { flappingClearS } from './expressions.format.ts'
import { hasWorse, inhibitedBy, isInhibited, rankOf } from './inhibition.store.ts'

const changedColumns = sql`alarms.id::text as id, rule_id as "ruleId", rule_name as "ruleName", severity, ap_id as "apId", value,
  is_flapping as "isFlapping", alarms.emulated_by as "emulatedBy"`

const alarmColumns = sql`alarms.id::text as id, rule_id as "ruleId", rule_name as "ruleName", severity, metric,
  alarms.ap_id as "apId", alarms.technology, value, raised_at as "raisedAt", cleared_at as "clearedAt",
  clear_reason as "clearReason", is_flapping as "isFlapping", alarms.emulated_by as "emulatedBy",
  ${inhibitedBy} as "inhibitedBy",
  case when cleared_at is null then ${silencedUntil()} end as "silencedUntil",
  acknowledged_by as "acknowledgedBy", acknowledged_at as "acknowledgedAt", comment, assignee`

/** Whether the agent `f` is in the scope of the rule `r`. Patterns have no other characters that LIKE knows. */
const isInScope = sql`(r.technologies = '{}' or f.technology = any(r.technologies))
  and (r.ap_ids = '{}' or exists (
    select from unnest(r.ap_ids) as pattern where f.ap_id like replace(replace(pattern, '_', '\\_'), '*', '%')))`

/** The only writer of the table `alarms`. */
export class AlarmStore {
  readonly #postgres: Postgres

  constructor(postgres: Postgres) {
    this.#postgres = postgres
  }

  /**
   * Opens alarms, one statement for any number of alerts. Those that are open already, of agents out of scope or offline,
   * of another revision of the rule, and of a KPI with a worse alarm or alert are left out. vmalert repeats them: the alarm
   * is opened when the worse one is cleared.
   */
  async raise(tx: Executor, alerts: readonly FiringAlert[], flapping: number): Promise<ChangedAlarm[]> {
    const metric = sql`r.metric`
    const severity = sql`r.severity`
    const alerted = sql`
      select r.*, f.ap_id as agent, f.technology as agent_technology, f.emulated_by as agent_owner, new.value,
        ${rankOf(severity)} < case when r.metric = 'expression' then 0
          else max(${rankOf(severity)}) over (partition by f.ap_id, r.metric) end as has_worse_alert
      from unnest(${alerts.map(({ ruleId }) => ruleId)}::text[], ${alerts.map(({ revision }) => revision)}::int[],
        ${alerts.map(({ apId }) => apId)}::text[], ${alerts.map(({ value }) => value)}::float8[])
        as new (rule_id, revision, ap_id, value)
      join alarm_rules as r on r.id = new.rule_id and r.revision = new.revision and r.is_enabled
      join fleet as f on f.ap_id = new.ap_id and f.state <> 'offline'
      where r.metric <> 'presence' and ${isInScope}`
    const candidates = sql`
      select r.* from (${alerted}) as r
      where not has_worse_alert and not ${hasWorse({ apId: sql`r.agent`, metric, severity })}`
    return this.#open(tx, candidates, flapping)
  }

  /** Opens alarms of agents that are offline. An agent that was never online is not expected to be. */
  async raiseOffline(tx: Executor, flapping: number, max: number): Promise<ChangedAlarm[]> {
    const candidates = sql`
      select r.*, f.ap_id as agent, f.technology as agent_technology, f.emulated_by as agent_owner,
        null::float8 as value
      from alarm_rules as r join fleet as f on f.state = 'offline' and f.last_seen is not null
        and f.since <= now() - make_interval(secs => r.raise_for_s)
      where r.metric = 'presence' and r.is_enabled and ${isInScope}
        and not exists (select from alarms where rule_id = r.id and ap_id = f.ap_id and cleared_at is null)
      limit ${max}`
    return this.#open(tx, candidates, flapping)
  }

  async #open(tx: Executor, candidates: ReturnType<typeof sql>, flapping: number): Promise<ChangedAlarm[]> {
    const { rows } = await sql<ChangedAlarm>`
      insert into alarms (rule_id, rule_name, severity, metric, ap_id, technology, emulated_by, value, is_flapping)
      select c.id, c.name, c.severity, c.metric, c.agent, c.agent_technology, c.agent_owner, c.value,
        (select count(*) from alarms as old where old.rule_id = c.id and old.ap_id = c.agent
          and old.raised_at > now() - interval '1 hour') >= ${flapping}
      from (${candidates}) as c
      where not exists (select from alarms where rule_id = c.id and ap_id = c.agent and cleared_at is null)
      -- In one order, so that concurrent statements do not wait for each other in a circle.
      order by c.id, c.agent
      on conflict (rule_id, ap_id) where cleared_at is null do nothing
      returning ${changedColumns}
    `.execute(tx)
    return rows
  }

  /** Closes alarms of agents that are online again, at most `max`. Those of an agent that is only stale stay as they are. */
  async clearOnline(tx: Executor, max: number): Promise<ClearedAlarm[]> {
    const since = sql`now() - make_interval(secs =>
      case when is_flapping then greatest(r.clear_for_s, ${flappingClearS}::int) else r.clear_for_s end)`
    return this.#clear(
      tx,
      sql`select alarms.id, 'recovered' as reason from alarms join alarm_rules as r on r.id = rule_id
        join fleet as f on f.ap_id = alarms.ap_id and f.state = 'online' and f.since <= ${since}
        where cleared_at is null and alarms.metric = 'presence'`,
      max,
    )
  }

  /** Closes alarms of agents that were removed in the last minute, at most `max`. */
  async clearGone(tx: Executor, max: number): Promise<ClearedAlarm[]> {
    return this.#clear(
      tx,
      sql`select id, 'agent_removed' as reason from alarms where cleared_at is null
        and ap_id = any(array(select ap_id from fleet_gone where gone_at > now() - interval '1 minute'))
        and not exists (select from fleet where fleet.ap_id = alarms.ap_id)`,
      max,
    )
  }

  /** The same of agents that were removed at any time: compares all open alarms. */
  async clearRemoved(tx: Executor, max: number): Promise<ClearedAlarm[]> {
    return this.#clear(
      tx,
      sql`select id, 'agent_removed' as reason from alarms
        where cleared_at is null and not exists (select from fleet where fleet.ap_id = alarms.ap_id)`,
      max,
    )
  }

  /** Closes alarms whose value is good. `rule` is the one with which that was found. */
  async clearRecovered(tx: Executor, rule: RuleRow, ids: readonly string[]): Promise<ClearedAlarm[]> {
    return this.#clear(
      tx,
      sql`select id, 'recovered' as reason from alarms
        where id = any(${ids}::int8[]) and cleared_at is null
        and exists (select from alarm_rules where id = rule_id and revision = ${rule.revision})
        and exists (select from fleet where fleet.ap_id = alarms.ap_id and state <> 'offline')`,
      ids.length,
    )
  }

  /**
   * Closes alarms that their rule cannot have any more, at most `max`: it is deleted, disabled, has another metric, or its
   * scope does not cover the agent. One that was raised while the rule changed is found here later.
   */
  async clearOrphans(tx: Executor, max: number, ruleId?: string): Promise<ClearedAlarm[]> {
    return this.#clear(
      tx,
      sql`select alarms.id, case when r.id is null then 'rule_deleted' else 'rule_disabled' end as reason
        from alarms left join alarm_rules as r on r.id = rule_id left join fleet as f on f.ap_id = alarms.ap_id
        where cleared_at is null and ${ruleId === undefined ? sql`true` : sql`rule_id = ${ruleId}`}
        and (r.id is null or not r.is_enabled or r.metric <> alarms.metric
          or (f.ap_id is not null and not (${isInScope})))`,
      max,
    )
  }

  /** `found` has the ids and reasons. Alarms that another replica is changing are left to it. */
  async #clear(tx: Executor, found: ReturnType<typeof sql>, max: number): Promise<ClearedAlarm[]> {
    const { rows } = await sql<ClearedAlarm>`
      with found as materialized (${found} order by alarms.id limit ${max} for update of alarms skip locked)
      update alarms set cleared_at = now(), clear_reason = found.reason from found where alarms.id = found.id
      returning ${changedColumns}, clear_reason as "clearReason"
    `.execute(tx)
    return rows
  }

  /** Open alarms by rule, of rules with a value. */
  async openByRule(): Promise<Map<string, OpenAlarm[]>> {
    const { rows } = await sql<OpenAlarm & { ruleId: string }>`
      select rule_id as "ruleId", id::text as id, ap_id as "apId", is_flapping as "isFlapping"
      from alarms where cleared_at is null and metric <> 'presence'
    `.execute(this.#postgres.db)
    return Map.groupBy(rows, ({ ruleId }) => ruleId)
  }

  /** The newest first. The columns that need other tables are evaluated for the rows of the page only. */
  async page(filter: AlarmFilter, after: string | undefined, limit: number): Promise<AlarmRow[]> {
    return this.#read(sql<AlarmRow>`
      with page as materialized (
        select * from alarms where ${after === undefined ? sql`true` : sql`id < ${after}::int8`} and ${matches(filter)}
        order by id desc limit ${limit})
      select ${alarmColumns} from page as alarms order by alarms.id desc
    `)
  }

  async find(view: AlarmView, id: string): Promise<AlarmRow | undefined> {
    const { rows } = await sql<AlarmRow>`
      select ${alarmColumns} from alarms where id = ${id}::int8 and ${isVisible(view)}
    `.execute(this.#postgres.db)
    return rows[0]
  }

  /** Open or cleared, some hundreds. Without compilation by the database, as in `#read`. */
  async byIds(tx: Executor, ids: readonly string[]): Promise<AlarmRow[]> {
    await sql`set local jit = off`.execute(tx)
    const { rows } = await sql<AlarmRow>`
      select ${alarmColumns} from alarms where id = any(${ids}::int8[])
    `.execute(tx)
    return rows
  }

  /** Of open alarms. */
  async counts(view: AlarmView): Promise<AlarmCount[]> {
    return this.#read(sql<AlarmCount>`
      select severity, case when id in ${silencedAlarmIds} then 'silenced' when ${isInhibited} then 'inhibited'
        when acknowledged_at is null then 'unacknowledged' else 'acknowledged' end as kind, count(*)::int as alarms
      from alarms where cleared_at is null and ${isVisible(view)} group by 1, 2
    `)
  }

  /** The estimated cost of silences is high enough for compilation by the database, which takes longer than the statement. */
  async #read<Row>(query: ReturnType<typeof sql<Row>>): Promise<Row[]> {
    return this.#postgres.transaction(async (tx) => {
      await sql`set local jit = off`.execute(tx)
      return (await query.execute(tx)).rows
    })
  }

  /**
   * The alarms that are open. Who acknowledged first stays, and so does the comment if there is no new one. In the order of
   * their ids, so that two requests do not wait for each other in a circle.
   */
  async acknowledge(
    tx: Executor,
    { view, ids, by, comment }: Acknowledgement,
  ): Promise<(ChangedAlarm & { isFirst: boolean })[]> {
    const { rows } = await sql<ChangedAlarm & { isFirst: boolean }>`
      with found as materialized (
        select id, acknowledged_at is null as is_first from alarms
        where id = any(${ids}::int8[]) and cleared_at is null and ${isVisible(view)}
        order by id for update)
      update alarms set acknowledged_by = coalesce(acknowledged_by, ${by}),
        acknowledged_at = coalesce(acknowledged_at, now()),
        comment = coalesce(${comment ?? null}::text, comment, '')
      from found where alarms.id = found.id
      returning ${changedColumns}, is_first as "isFirst"
    `.execute(tx)
    return rows
  }

  async assign(tx: Executor, id: string, username: string | null): Promise<boolean> {
    const { numAffectedRows = 0n } = await sql`
      update alarms set assignee = ${username} where id = ${id}::int8 and cleared_at is null
    `.execute(tx)
    return numAffectedRows > 0n
  }

  /** At most `max` alarms that were cleared long ago. */
  async deleteCleared(keepDays: number, max: number): Promise<void> {
    await sql`
      delete from alarms where id = any(array(
        select id from alarms where cleared_at < now() - make_interval(days => ${keepDays}) limit ${max}))
    `.execute(this.#postgres.db)
  }
}

function isVisible({ patterns, emulated, owner }: AlarmView) {
  const isOfAgents = patterns ? sql`alarms.ap_id like any(${patterns.map(likeOfGlob)}::text[])` : sql`true`
  const isShownEmulated =
    emulated === 'all'
      ? sql`true`
      : emulated === 'none'
        ? sql`alarms.emulated_by is null`
        : sql`(alarms.emulated_by is null or alarms.emulated_by = ${owner}::uuid)`
  return sql`(${isOfAgents} and ${isShownEmulated})`
}

const stateConditions = {
  open: sql`cleared_at is null`,
  cleared: sql`cleared_at is not null`,
  all: sql`true`,
}

function matches(filter: AlarmFilter) {
  const { view, state, severities, apId, ruleId, technologies, isAcknowledged, from, to } = filter
  const { isSilenced, isInhibited: inhibited } = filter
  return sql`(${isVisible(view)} and ${stateConditions[state]}
    and ${severities ? sql`severity = any(${severities}::text[])` : sql`true`}
    and ${apId === undefined ? sql`true` : sql`alarms.ap_id = ${apId}`}
    and ${ruleId === undefined ? sql`true` : sql`rule_id = ${ruleId}`}
    and ${technologies ? sql`alarms.technology = any(${technologies}::text[])` : sql`true`}
    and ${isAcknowledged === undefined ? sql`true` : sql`(acknowledged_at is not null) = ${isAcknowledged}`}
    and ${isSilenced === undefined ? sql`true` : sql`case when id in ${silencedAlarmIds} then ${isSilenced}::boolean else ${!isSilenced}::boolean end`}
    and ${inhibited === undefined ? sql`true` : sql`${isInhibited} = ${inhibited}::boolean`}
    and ${from ? sql`(cleared_at is null or cleared_at >= ${from})` : sql`true`}
    and ${to ? sql`raised_at <= ${to}` : sql`true`})`
}

import { type Executor, sql } from '../../engines/postgres.ts'
import type { Entry, GroupId } from './notifications.types.ts'

/** A group with something to do, whose row is locked. */
export interface DueGroup extends GroupId {
  /** Whether the interval since its last message has passed. */
  mayNotify: boolean
}

/** Rows of one statement. */
const addSize = 5000

/**
 * The only writer of the tables `notification_groups` and `notification_alarms`. Groups are locked before their alarms, and
 * several groups in one order, so that concurrent transactions do not wait for each other in a circle.
 */
export class GroupStore {
  /** Groups of these alarms. */
  async groupsOf(tx: Executor, alarmIds: readonly string[]): Promise<GroupId[]> {
    const { rows } = await sql<GroupId>`
      select distinct route_id as "routeId", group_key as "groupKey" from notification_alarms
      where alarm_id = any(${alarmIds}::int8[])
    `.execute(tx)
    return rows
  }

  /** Locks these groups, and schedules them after their wait, not before their interval has passed. */
  async schedule(tx: Executor, groups: readonly GroupId[]): Promise<void> {
    await sql`
      insert into notification_groups as g (route_id, group_key, next_at)
      select r.id, new.group_key, now() + make_interval(secs => r.group_wait_s)
      from (select distinct * from unnest(${groups.map(({ routeId }) => routeId)}::uuid[],
        ${groups.map(({ groupKey }) => groupKey)}::text[]) as given (route_id, group_key)) as new
      join notification_routes as r on r.id = new.route_id
      order by r.id, new.group_key collate "C"
      on conflict (route_id, group_key) do update set
        next_at = least(g.next_at, greatest(excluded.next_at, g.last_message_at + make_interval(secs =>
          (select group_interval_s from notification_routes where id = g.route_id))))
    `.execute(tx)
  }

  /** An alarm is added to a route once. */
  async add(tx: Executor, added: readonly (GroupId & { alarmId: string })[]): Promise<void> {
    for (let start = 0; start < added.length; start += addSize)
      await this.#add(tx, added.slice(start, start + addSize))
  }

  async #add(tx: Executor, added: readonly (GroupId & { alarmId: string })[]): Promise<void> {
    await sql`
      insert into notification_alarms (route_id, group_key, alarm_id, state, due_at)
      select route_id, group_key, alarm_id, 'waiting', now()
      from unnest(${added.map(({ routeId }) => routeId)}::uuid[], ${added.map(({ groupKey }) => groupKey)}::text[],
        ${added.map(({ alarmId }) => alarmId)}::int8[]) as new (route_id, group_key, alarm_id)
      order by route_id, alarm_id
      on conflict do nothing
    `.execute(tx)
  }

  /** Alarms that were not notified yet are removed: their message would say nothing. */
  async clear(tx: Executor, alarmIds: readonly string[]): Promise<void> {
    await sql`
      delete from notification_alarms as n using notification_routes as r
      where r.id = n.route_id and n.alarm_id = any(${alarmIds}::int8[])
        and (n.state = 'waiting' or not r.notify_cleared)
    `.execute(tx)
    await sql`
      update notification_alarms set state = 'cleared', due_at = now()
      where alarm_id = any(${alarmIds}::int8[]) and state = 'notified'
    `.execute(tx)
  }

  /** After its route has changed, alarms that are held back are looked at again. */
  async scheduleRoute(tx: Executor, routeId: string): Promise<void> {
    await sql`
      update notification_groups set next_at = now() where route_id = ${routeId}::uuid and next_at is not null
    `.execute(tx)
  }

  async takeDue(tx: Executor): Promise<DueGroup | undefined> {
    const { rows } = await sql<DueGroup>`
      select g.route_id as "routeId", g.group_key as "groupKey", coalesce(
        g.last_message_at + make_interval(secs => r.group_interval_s) <= now(), true) as "mayNotify"
      from notification_groups as g join notification_routes as r on r.id = g.route_id
      where g.next_at <= now() order by g.next_at limit 1 for update of g skip locked
    `.execute(tx)
    return rows[0]
  }

  /** Alarms that wait for a message, if there may be one, and those that are to be escalated now. */
  async entries(tx: Executor, { routeId, groupKey, mayNotify }: DueGroup, max: number): Promise<Entry[]> {
    const { rows } = await sql<Entry>`
      select alarm_id::text as "alarmId", state, escalated_to as "escalatedTo" from notification_alarms
      where route_id = ${routeId}::uuid and group_key = ${groupKey} and due_at <= now()
        and (${mayNotify}::boolean or state = 'notified')
      order by due_at limit ${max}
    `.execute(tx)
    return rows
  }

  /** Alarms of the group with something to do, now or later. */
  async countDue(tx: Executor, { routeId, groupKey }: GroupId): Promise<number> {
    const { rows } = await sql<{ alarms: number }>`
      select count(*)::int as alarms from notification_alarms
      where route_id = ${routeId}::uuid and group_key = ${groupKey} and due_at is not null
    `.execute(tx)
    return rows[0]?.alarms ?? 0
  }

  async setNotified(
    tx: Executor,
    { routeId }: GroupId,
    ids: readonly string[],
    escalateAfterS: number | null,
  ): Promise<void> {
    const dueAt = escalateAfterS === null ? sql`null` : sql`now() + make_interval(secs => ${escalateAfterS})`
    await sql`
      update notification_alarms set state = 'notified', due_at = ${dueAt}
      where route_id = ${routeId}::uuid and alarm_id = any(${ids}::int8[])
    `.execute(tx)
  }

  /** `escalatedTo`: null if it needs no escalation. */
  async endEscalation(
    tx: Executor,
    { routeId }: GroupId,
    ids: readonly string[],
    escalatedTo: string | null,
  ): Promise<void> {
    await sql`
      update notification_alarms set due_at = null, escalated_to = ${escalatedTo}::uuid
      where route_id = ${routeId}::uuid and alarm_id = any(${ids}::int8[])
    `.execute(tx)
  }

  /** So that others of a large group are looked at before these are again. */
  async hold(tx: Executor, { routeId }: GroupId, ids: readonly string[], forS: number): Promise<void> {
    await sql`
      update notification_alarms set due_at = now() + make_interval(secs => ${forS})
      where route_id = ${routeId}::uuid and alarm_id = any(${ids}::int8[])
    `.execute(tx)
  }

  async remove(tx: Executor, { routeId }: GroupId, ids: readonly string[]): Promise<void> {
    await sql`
      delete from notification_alarms where route_id = ${routeId}::uuid and alarm_id = any(${ids}::int8[])
    `.execute(tx)
  }

  /** A group that is due. */
  async postpone(tx: Executor, { routeId, groupKey }: GroupId, forS: number): Promise<void> {
    await sql`
      update notification_groups set next_at = now() + make_interval(secs => ${forS})
      where route_id = ${routeId}::uuid and group_key = ${groupKey} and next_at <= now()
    `.execute(tx)
  }

  /** When there is something to do next. Alarms that are due and were left as they are: in `restS` seconds. */
  async finish(
    tx: Executor,
    { routeId, groupKey }: GroupId,
    { isNotified, intervalS, restS }: { isNotified: boolean; intervalS: number; restS: number },
  ): Promise<void> {
    const last = isNotified ? sql`now()` : sql`g.last_message_at`
    await sql`
      update notification_groups as g set last_message_at = ${last}, next_at = (
        select min(greatest(
          case when n.due_at > now() then n.due_at else now() + make_interval(secs => ${restS}) end,
          case when n.state <> 'notified' then ${last} + make_interval(secs => ${intervalS}) end))
        from notification_alarms as n
        where n.route_id = g.route_id and n.group_key = g.group_key and n.due_at is not null)
      where g.route_id = ${routeId}::uuid and g.group_key = ${groupKey}
    `.execute(tx)
  }

  /** For how long the group that is due first has been due; 0 if none is. */
  async overdueS(db: Executor): Promise<number> {
    const { rows } = await sql<{ s: number }>`
      select greatest(extract(epoch from now() - min(next_at)), 0)::float8 as s
      from notification_groups where next_at is not null
    `.execute(db)
    return rows[0]?.s ?? 0
  }

  /** Groups without alarms whose interval has passed, which is at most a day. */
  async deleteEmpty(db: Executor, max: number): Promise<void> {
    await sql`
      delete from notification_groups where (route_id, group_key) in (
        select g.route_id, g.group_key from notification_groups as g
        where g.next_at is null and coalesce(g.last_message_at, '-infinity') < now() - interval '2 days'
          and not exists (select from notification_alarms as n
            where n.route_id = g.route_id and n.group_key = g.group_key)
        limit ${max} for update skip locked)
    `.execute(db)
  }
}

import { type Executor, sql } from '../../engines/postgres.ts'
import type { AlarmChange } from './alarms.types.ts'

/** The only writer of the table `alarm_changes`: a queue of alarms that were raised or cleared. */
export class ChangeStore {
  /** In the transaction that changes the alarms. */
  async add(tx: Executor, alarmIds: readonly string[], isRaised: boolean): Promise<void> {
    if (alarmIds.length === 0) return
    await sql`
      insert into alarm_changes (alarm_id, is_raised) select unnest(${alarmIds}::int8[]), ${isRaised}
    `.execute(tx)
  }

  /**
   * Removes the oldest changes except for some, with the alarms as they are now. Concurrent transactions take different
   * ones.
   */
  async take(tx: Executor, max: number, except: readonly string[]): Promise<AlarmChange[]> {
    const { rows } = await sql<AlarmChange['alarm'] & { isRaised: boolean; changeId: string }>`
      with taken as (
        delete from alarm_changes where id = any(array(
          select id from alarm_changes where id <> all(${except}::int8[]) order by id limit ${max}
          for update skip locked))
        returning alarm_id, is_raised, id as change_id)
      select taken.change_id::text as "changeId", alarms.id::text as id, rule_id as "ruleId", severity, ap_id as "apId", technology,
        emulated_by as "emulatedBy", cleared_at as "clearedAt", taken.is_raised as "isRaised"
      from taken join alarms on alarms.id = taken.alarm_id order by taken.change_id
    `.execute(tx)
    return rows.map(({ changeId, isRaised, ...alarm }) => ({ id: changeId, isRaised, alarm }))
  }

  /** Age of the oldest change; 0 if there is none. */
  async oldestS(db: Executor): Promise<number> {
    const { rows } = await sql<{ s: number }>`
      select coalesce(extract(epoch from now() - case when is_raised then raised_at else cleared_at end), 0)::float8 as s
      from (select alarm_id, is_raised from alarm_changes order by id limit 1) as oldest
      join alarms on alarms.id = oldest.alarm_id
    `.execute(db)
    return rows[0]?.s ?? 0
  }
}

import { type Executor, sql } from '../../engines/postgres.ts'
import { alarmColumns } from './alarms.store.ts'
import type { AlarmChange, AlarmRow } from './alarms.types.ts'

/** The only writer of the table `alarm_changes`: a queue of alarms that were raised or cleared. */
export class ChangeStore {
  /** In the transaction that changes the alarms. */
  async add(tx: Executor, alarmIds: readonly string[], isRaised: boolean): Promise<void> {
    if (alarmIds.length === 0) return
    await sql`
      insert into alarm_changes (alarm_id, is_raised) select unnest(${alarmIds}::int8[]), ${isRaised}
    `.execute(tx)
  }

  /** Removes the oldest changes, with the alarms as they are now. Concurrent transactions take different ones. */
  async take(tx: Executor, max: number): Promise<AlarmChange[]> {
    // The columns of silences make the database compile the statement, which takes longer than to run it.
    await sql`set local jit = off`.execute(tx)
    const { rows } = await sql<AlarmRow & { isRaised: boolean }>`
      with taken as (
        delete from alarm_changes where id = any(array(
          select id from alarm_changes order by id limit ${max} for update skip locked))
        returning alarm_id, is_raised, id as change_id)
      select ${alarmColumns}, taken.is_raised as "isRaised"
      from taken join alarms on alarms.id = taken.alarm_id order by taken.change_id
    `.execute(tx)
    return rows.map(({ isRaised, ...alarm }) => ({ isRaised, alarm }))
  }
}

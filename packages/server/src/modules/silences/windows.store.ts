import { sql } from '../../engines/postgres.ts'

/** A point in time in SQL. */
export type At = ReturnType<typeof sql>

const windowLength = sql`make_interval(mins => s.duration_min)`

/**
 * Starts of windows of the silence `s`, by the days `from` to `to` after the local date of `base`. A local time that the
 * clock skips is the time after the change; of one that occurs twice the second counts.
 */
const windowStarts = (base: At, from: number, to: number) => sql`
  select (day + s.start_time) at time zone s.time_zone as start
  from generate_series(${from}::int, ${to}::int) as n,
    lateral (select (${base} at time zone s.time_zone)::date + n as day) as days
  where extract(isodow from day)::int = any(s.days)`

/**
 * When the silence `s`, or its window, that is active at a time ends; null if none is. A window of 24 hours that started
 * before midnight, and before a day of 23 hours, lasts until the second day after its start.
 */
export const activeUntil = (at: At) => sql`
  case when s.starts_at > ${at} or s.ends_at <= ${at} then null
    when s.days is null then s.ends_at
    when is_time_zone(s.time_zone) then (
      select max(least(start + ${windowLength}, s.ends_at)) from (${windowStarts(at, -2, 0)}) as windows
      where start <= ${at} and start + ${windowLength} > ${at})
  end`

/** When the silence `s`, or its next window, starts after a time; null if none does. */
export function nextStart(at: At) {
  const base = sql`greatest(${at}, s.starts_at)`
  return sql`
    case when s.days is null then case when s.starts_at > ${at} then s.starts_at end
      when is_time_zone(s.time_zone) then (
        select min(greatest(start, s.starts_at)) from (${windowStarts(base, -2, 8)}) as windows
        where greatest(start, s.starts_at) > ${at} and start + ${windowLength} > s.starts_at
          and (s.ends_at is null or greatest(start, s.starts_at) < s.ends_at))
    end`
}

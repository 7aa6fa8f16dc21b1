import { sql } from '../../engines/postgres.ts'
import { type At, activeUntil } from './windows.store.ts'

const now = sql`now()`

/** Silences that are active at a time. `likes` are their id patterns in the syntax of LIKE. */
const activeSilences = (at: At) => sql`
  select * from (
    select s.rule_ids, s.technologies, ${activeUntil(at)} as until,
      string_to_array(replace(replace(array_to_string(s.ap_ids, ','), '_', '\\_'), '*', '%'), ',') as likes
    from silences as s where s.starts_at <= ${at} and (s.ends_at is null or s.ends_at > ${at})
  ) as current where until is not null`

/** What the ids that match a pattern begin with. No id has a character beyond '~'. */
const prefixOf = (pattern: ReturnType<typeof sql>) => sql`replace(split_part(${pattern}, '%', 1), '\\_', '_')`

const fitsRule = sql`(s.rule_ids = '{}' or alarms.rule_id = any(s.rule_ids))
  and (s.technologies = '{}' or alarms.technology = any(s.technologies))`

/**
 * When the last of the silences ends that are active at a time and have the row of `alarms` in their scope; null if none
 * has. For some rows: each is compared with all active silences, which are determined once per statement.
 */
export const silencedUntil = (at: At = now) => sql<Date | null>`(
  with active as materialized (${activeSilences(at)}),
  patterns as materialized (
    select coalesce(pattern, '%') as pattern, ${prefixOf(sql`coalesce(pattern, '')`)} as prefix,
      ${prefixOf(sql`coalesce(pattern, '')`)} || '~' as beyond, s.rule_ids, s.technologies, max(s.until) as until
    from active as s left join lateral unnest(s.likes) as pattern on true group by 1, 2, 3, 4, 5)
  select max(s.until) from patterns as s
  -- Two comparisons of texts exclude most patterns; LIKE takes longer.
  where alarms.ap_id >= s.prefix and alarms.ap_id < s.beyond and alarms.ap_id like s.pattern and ${fitsRule})`

/**
 * Ids of all open alarms that are silenced now. Its cost is that of a look-up for each alarm and each id pattern, not for
 * each pair of them: patterns use the index of ids, scopes without patterns are compared as a set.
 */
export const silencedAlarmIds = sql`(
  with active as materialized (${activeSilences(now)}),
  scopes as materialized (
    select distinct coalesce(rule, '') as rule, coalesce(technology, '') as technology
    from active as s left join lateral unnest(s.rule_ids) as rule on true
      left join lateral unnest(s.technologies) as technology on true
    where s.likes = '{}'),
  patterns as materialized (
    select distinct pattern, ${prefixOf(sql`pattern`)} as prefix, s.rule_ids, s.technologies
    from active as s, unnest(s.likes) as pattern)
  select alarms.id from alarms
  where alarms.cleared_at is null and exists (select from scopes)
    and (('', '') in (select rule, technology from scopes)
      or (alarms.rule_id, '') in (select rule, technology from scopes)
      or ('', alarms.technology) in (select rule, technology from scopes)
      or (alarms.rule_id, alarms.technology) in (select rule, technology from scopes))
  union all
  select found.id from patterns as s cross join lateral (
    select alarms.id from alarms where alarms.cleared_at is null
      and alarms.ap_id >= s.prefix and alarms.ap_id < s.prefix || '~' and alarms.ap_id like s.pattern
      and ${fitsRule}
    -- Not merged into one join: without statistics that would compare all alarms with all patterns.
    offset 0) as found)`

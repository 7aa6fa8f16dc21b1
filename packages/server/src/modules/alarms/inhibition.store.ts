import { sql } from '../../engines/postgres.ts'

type Fragment = ReturnType<typeof sql>

/** Severities in the table `alarms` and in that of the rules, as numbers. */
export const rankOf = (severity: Fragment) =>
  sql`array_position('{info,warning,critical}'::text[], ${severity})`

/** Expressions have no value in common, and presence is not a value. */
const isOfKpi = (metric: Fragment) => sql`${metric} not in ('expression', 'presence')`

/** Whether an alarm of this agent and KPI is open whose severity is higher. */
export const hasWorse = (of: { apId: Fragment; metric: Fragment; severity: Fragment }) => sql`(
  ${isOfKpi(of.metric)} and ${of.severity} <> 'critical' and exists (
    select from alarms as worse where worse.ap_id = ${of.apId} and worse.cleared_at is null
      and worse.metric = ${of.metric} and ${rankOf(sql`worse.severity`)} > ${rankOf(of.severity)}))`

/** Why the row of `alarms` is inhibited; null if it is not, or not open. For some rows: each needs two look-ups. */
export const inhibitedBy = sql`case when alarms.cleared_at is not null or alarms.metric = 'presence' then null
  when exists (select from fleet where fleet.ap_id = alarms.ap_id and fleet.state = 'offline') then 'offline'
  when ${hasWorse({ apId: sql`alarms.ap_id`, metric: sql`alarms.metric`, severity: sql`alarms.severity` })}
    then 'worse_alarm' end`

const openOf = (severity: string) => sql`(
  select worse.ap_id, worse.metric from alarms as worse
  where worse.cleared_at is null and worse.severity = ${sql.lit(severity)})`

/**
 * The same for all open alarms, as a condition. Alarms are compared as a set. The state of an agent is a look-up for each
 * alarm: a set would be that of all agents that are offline.
 */
export const isInhibited = sql`(alarms.cleared_at is null and alarms.metric <> 'presence' and (
  (${isOfKpi(sql`alarms.metric`)} and (
    (alarms.severity <> 'critical' and (alarms.ap_id, alarms.metric) in ${openOf('critical')})
    or (alarms.severity = 'info' and (alarms.ap_id, alarms.metric) in ${openOf('warning')})))
  or exists (select from fleet where fleet.ap_id = alarms.ap_id and fleet.state = 'offline' offset 0)))`

import type { BenchEnvironment } from '../environment.ts'
import type { Telemetry } from './telemetry.ts'

export interface Size {
  agents: number
  bad: number
  /** Within this time they turn bad. */
  withinS: number
  intervalS: number
  raiseForS: number
  steadyRounds: number
  turns: number
  /** Times of the route of the notifications, if they are not the default ones. */
  route: { group_wait_s?: number; group_interval_s?: number }
  /** After this time an alarm counts as not notified. */
  notifiedWithinS: number
}

/** Rows of agents that are online. No ingester runs that would change that. */
export async function register({ sql }: BenchEnvironment, agents: number): Promise<void> {
  await sql(
    `insert into agents (id, ap_id, password_hash, configuration)
     select gen_random_uuid(), 'alarmed-' || n, 'x', '{}' from generate_series(0, $1::int - 1) as n`,
    [agents],
  )
  await sql(
    `insert into fleet (ap_id, technology, state, last_seen)
     select 'alarmed-' || n, (array['5G', 'WiFi', 'LiFi'])[1 + n % 3], 'online', now()
     from generate_series(0, $1::int - 1) as n`,
    [agents],
  )
  await sql('vacuum analyze agents')
  await sql('vacuum analyze fleet')
}

/** In one metric, as by one cause; spread over the agents and over the time. */
export function turnBad(
  telemetry: Telemetry,
  { agents, bad }: Size,
  { value, withinS }: { value: number; withinS: number },
): void {
  const now = Date.now()
  for (let n = 0; n < bad; n++)
    telemetry.turnBad(Math.floor((n * agents) / bad), {
      metric: 'packet_loss_pct',
      value,
      fromMs: now + (n * withinS * 1000) / bad,
    })
}

/** How many alarms are open. */
export async function openAlarms({ sql }: BenchEnvironment): Promise<number> {
  const [row] = await sql('select count(*)::int as alarms from alarms where cleared_at is null')
  return row?.alarms ?? 0
}

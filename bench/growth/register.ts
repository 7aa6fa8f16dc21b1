import type { BenchEnvironment } from '../environment.ts'
import { prefix } from './load.ts'

const rowsPerInsert = 50_000

/** Rows of agents in the database, without those that exist. They cannot log in. As complete as those that the server inserts. */
export async function register(
  { sql }: BenchEnvironment,
  agents: number,
  log: (line: string) => void,
): Promise<void> {
  log(`registering ${agents} agents …`)
  for (let from = 0; from < agents; from += rowsPerInsert) {
    const range = [from, Math.min(agents, from + rowsPerInsert) - 1]
    await sql(
      `insert into agents (id, ap_id, password_hash, configuration)
       select gen_random_uuid(), '${prefix}-' || n, 'x', '{}' from generate_series($1::int, $2::int) as n
       on conflict do nothing`,
      range,
    )
    await sql(
      `insert into fleet (ap_id, name, technology, latitude, longitude, interval_s, is_described)
       select '${prefix}-' || n, 'Room ' || n, (array['5G', 'WiFi', 'LiFi'])[1 + n % 3],
         51.4 + (n % 1000) / 1e4, -2.6 + (n / 1000) / 1e3, 60, true
       from generate_series($1::int, $2::int) as n
       on conflict do nothing`,
      range,
    )
  }
  await sql('vacuum analyze agents')
  await sql('vacuum analyze fleet')
}

/** For each registered agent. */
export async function databaseKib({ sql }: BenchEnvironment, agents: number): Promise<number> {
  const [row] = await sql(
    `select (pg_total_relation_size('agents') + pg_total_relation_size('fleet')) / 1024.0 / $1::int as kib`,
    [agents],
  )
  return Number(row?.kib)
}

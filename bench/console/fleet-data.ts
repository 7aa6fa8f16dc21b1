import { setTimeout as sleep } from 'node:timers/promises'
import { measurementOf } from '@manc/contract'
import { sqlAt } from '@manc/harness'
import type { BenchEnvironment } from '../environment.ts'

const everyChangeMs = 1000
const changes = 50
/** Of one request to the metrics store. */
const linesPerWrite = 20_000

/** Agents spread around Bristol. No ingester tracks their presence, so that their state does not change. */
export async function insertAgents(environment: BenchEnvironment, from: number, to: number): Promise<void> {
  const database = environment.databaseUrl
  await sqlAt(
    database,
    `insert into agents (id, ap_id, password_hash, configuration)
     select gen_random_uuid(), 'ap-' || n, 'x', '{}' from generate_series($1::int, $2::int - 1) as n`,
    [from, to],
  )
  await sqlAt(
    database,
    `insert into fleet (ap_id, technology, state, latitude, longitude, name, name_key, place, place_key, version,
       version_key,
       kpi_health, last_seen, is_described)
     select 'ap-' || n, (array['5G', 'WiFi', 'LiFi'])[1 + n % 3], case when n % 50 = 0 then 'stale' else 'online' end,
       51.45 + 0.3 * (random() - 0.5), -2.6 + 0.5 * (random() - 0.5),
       'Hall ' || n * 7919 % 100003, 'hall ' || lpad((n * 7919 % 100003)::text, 10, '0'), 'Building ' || n % 200,
       'building ' || lpad((n % 200)::text, 10, '0'),
       '1.' || n % 12 || '.0', lpad('1', 10, '0') || '.' || lpad((n % 12)::text, 10, '0') || '.' || lpad('0', 10, '0'),
       case when n % 100 = 1 then 'bad' when n % 100 < 5 then 'degraded' else 'good' end,
       case when n % 50 = 0 then now() - make_interval(secs => n % 86400) end, true
     from generate_series($1::int, $2::int - 1) as n`,
    [from, to],
  )
  await sqlAt(database, 'vacuum analyze fleet')
}

/** The newest values of each agent, as the ingester would store them. */
export async function sendSamples(environment: BenchEnvironment, agents: number): Promise<void> {
  for (let from = 0; from < agents; from += linesPerWrite) {
    let lines = ''
    for (let n = from; n < Math.min(agents, from + linesPerWrite); n++) {
      const load = Math.round(Math.random() * 100)
      lines += `${measurementOf(`ap-${n}`)},ap_id=ap-${n} clients=${load % 40},throughput_mbps=${load * 3},throughput_down_mbps=${load * 2},throughput_up_mbps=${load},packet_loss_pct=${load / 50},power_w=${8 + load / 10},load_pct=${load},latency_ms=${2 + load / 9},signal_quality=${load / 100} ${Date.now()}\n`
    }
    const answer = await fetch(`${environment.engines.urls.victoria}/write?precision=ms`, {
      method: 'POST',
      body: lines,
    })
    if (!answer.ok) throw new Error(`The metrics store answered ${answer.status}.`)
  }
}

/** Some agents change state each second, as in a network of this size, and all send every 10 s. Runs until aborted. */
export async function keepAlive(
  environment: BenchEnvironment,
  agents: number,
  over: AbortSignal,
): Promise<never> {
  for (let second = 1; !over.aborted; second++) {
    const ids = Array.from({ length: changes }, () => `ap-${Math.floor(Math.random() * agents)}`)
    await sqlAt(
      environment.databaseUrl,
      // In the order of all writers: two of them could lock each other's rows.
      `with changed as (select ap_id from fleet where ap_id = any($1) order by ap_id for update)
       update fleet set state = case when state = 'online' then 'offline' else 'online' end, since = now(),
         last_seen = case when state = 'online' then now() end
       from changed where fleet.ap_id = changed.ap_id`,
      [ids],
    )
    if (second % 10 === 0) await sendSamples(environment, agents)
    await sleep(everyChangeMs)
  }
  return new Promise<never>(() => {})
}

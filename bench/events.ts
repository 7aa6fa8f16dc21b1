import { setTimeout as sleep } from 'node:timers/promises'
import { isQuick } from '@manc/harness/load'
import pg from 'pg'
import { Postgres } from '../packages/server/src/engines/postgres.ts'
import { Limits } from '../packages/server/src/limits.ts'
import { createLog } from '../packages/server/src/log.ts'
import { Metrics } from '../packages/server/src/metrics.ts'
import {
  createEventsModule,
  type EventService,
  type NewEvent,
} from '../packages/server/src/modules/events/index.ts'
import { type Bench, percentile, rounded, takeTurns } from './bench.ts'
import { type BenchEnvironment, createBenchEnvironment } from './environment.ts'
import { CutFollower } from './events/follower.ts'
import { storeMonth } from './events/month.ts'

const agents = 10_000
const perSecond = 1000
/** Events of one transaction, as a monitor writes them. */
const perTransaction = 50
const cutEveryMs = 3000
const pageSize = 100

/**
 * 1,000 events/s with a follower that is cut off and resumes; then the newest 100 events of one agent among millions. The ratio
 * is the rate at which events are appended, against the bare insert of the same rows.
 */
export const events: Bench = async ({ quick: isFlagged, minutes, log }) => {
  const quick = isFlagged || isQuick
  const environment = await createBenchEnvironment(log)
  const serverLog = createLog('warn')
  const metrics = new Metrics(serverLog)
  const postgres = new Postgres({ url: environment.databaseUrl, connections: 4, log: serverLog, metrics })
  const config = { MANC_AGENT_EVENTS_PER_HOUR: 1_000_000_000, MANC_EVENT_DAYS: 30 }
  const service = createEventsModule({
    config,
    log: serverLog,
    postgres,
    limits: new Limits(metrics),
    metrics,
  }).events
  const bare = new pg.Client({ connectionString: environment.databaseUrl })
  await bare.connect()
  try {
    await bare.query(
      `insert into agents (id, ap_id, password_hash, configuration)
       select gen_random_uuid(), 'ap-' || n, 'x', '{}' from generate_series(0, ${agents - 1}) as n`,
    )
    await bare.query(
      `insert into fleet (ap_id) select 'ap-' || n from generate_series(0, ${agents - 1}) as n`,
    )
    const following = await follow(environment, {
      postgres,
      service,
      seconds: quick ? 20 : (minutes ?? 5) * 60,
      log,
    })
    const appended = await takeTurns({
      rounds: quick ? 3 : 7,
      ours: () => rateOf((batch) => postgres.transaction((tx) => service.append(tx, batch))),
      bare: () => rateOf((batch) => insert(bare, batch)),
      log,
    })
    const rows = quick ? 200_000 : 10_000_000
    log(`storing ${rows} events …`)
    const startedAt = performance.now()
    const bytes = await storeMonth({ databaseUrl: environment.databaseUrl, rows, agents, log })
    const storedS = rounded((performance.now() - startedAt) / 1000, 0)
    log(`stored in ${storedS} s; reading …`)
    const latencies = await read(environment, quick ? 100 : 1000)
    return {
      ...appended,
      ...following,
      rows,
      stored_s: storedS,
      bytes_per_event: Math.round(bytes / rows),
      newest_100_p50_ms: rounded(percentile(latencies, 0.5), 1),
      newest_100_p99_ms: rounded(percentile(latencies, 0.99), 1),
    }
  } finally {
    await bare.end()
    await postgres.stop()
    await environment.end()
  }
}

interface Following {
  postgres: Postgres
  service: EventService
  seconds: number
  log: (line: string) => void
}

async function follow(environment: BenchEnvironment, { postgres, service, seconds, log }: Following) {
  log(
    `${perSecond} events/s for ${seconds} s, with a follower that is cut off every ${cutEveryMs / 1000} s …`,
  )
  const follower = new CutFollower(environment.server.url, environment.token)
  await follower.start()
  const cutting = setInterval(() => follower.cut(), cutEveryMs)
  const startedAt = performance.now()
  let appended = 0
  while (appended < seconds * perSecond) {
    const batch = batchOf(perTransaction, appended)
    await postgres.transaction((tx) => service.append(tx, batch))
    appended += perTransaction
    await sleep(Math.max(0, startedAt + (appended / perSecond) * 1000 - performance.now()))
  }
  const tookS = (performance.now() - startedAt) / 1000
  clearInterval(cutting)
  const deadline = Date.now() + 60_000
  while (follower.received < appended && Date.now() < deadline) await sleep(100)
  await follower.stop()
  return {
    followed_appended_per_s: Math.round(appended / tookS),
    followed_events: appended,
    followed_cuts: follower.cuts,
    followed_lost: appended - follower.received + follower.incomplete,
    followed_repeated: follower.repeated,
  }
}

/** Events that look like those of presence. */
const batchOf = (size: number, from = 0): NewEvent[] =>
  Array.from({ length: size }, (_, n) => ({
    kind: 'online',
    severity: 'info',
    apId: `ap-${(from + n) % agents}`,
    subject: null,
    data: { n: from + n },
  }))

/** Events/s with transactions of 1,000. */
async function rateOf(append: (batch: NewEvent[]) => Promise<unknown>): Promise<number> {
  const batch = batchOf(1000)
  const startedAt = performance.now()
  let appended = 0
  for (; performance.now() - startedAt < 3000; appended += batch.length) await append(batch)
  return (appended / (performance.now() - startedAt)) * 1000
}

async function insert(client: pg.Client, batch: readonly NewEvent[]): Promise<void> {
  await client.query('begin')
  await client.query(
    `insert into events (kind, severity, ap_id, data)
     select * from unnest($1::text[], $2::text[], $3::text[], $4::jsonb[])`,
    [
      batch.map(({ kind }) => kind),
      batch.map(({ severity }) => severity),
      batch.map(({ apId }) => apId),
      batch.map(({ data }) => JSON.stringify(data)),
    ],
  )
  await client.query('commit')
}

async function read(environment: BenchEnvironment, times: number): Promise<number[]> {
  const latencies: number[] = []
  const warmUp = 20
  for (let n = 0; n < times + warmUp; n++) {
    const apId = `ap-${(n * 7907) % agents}`
    const startedAt = performance.now()
    const response = await fetch(`${environment.server.url}/api/v1/events?ap_id=${apId}&limit=${pageSize}`, {
      headers: { authorization: `Bearer ${environment.token}` },
    })
    const found = (await response.json()) as unknown[]
    if (n >= warmUp) latencies.push(performance.now() - startedAt)
    if (response.status !== 200 || found.length === 0)
      throw new Error(`the events of ${apId}: ${response.status}, ${found.length} of them`)
  }
  return latencies
}

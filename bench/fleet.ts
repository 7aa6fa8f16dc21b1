import { setTimeout as sleep } from 'node:timers/promises'
import { measurementOf } from '@manc/contract'
import { sqlAt } from '@manc/harness'
import pg from 'pg'
import { Postgres } from '../packages/server/src/engines/postgres.ts'
import { Limits } from '../packages/server/src/limits.ts'
import { createLog } from '../packages/server/src/log.ts'
import { Metrics } from '../packages/server/src/metrics.ts'
import { AgentStore } from '../packages/server/src/modules/agents/agents.store.ts'
import { createEventsModule } from '../packages/server/src/modules/events/index.ts'
import { FleetStore } from '../packages/server/src/modules/fleet/fleet.store.ts'
import { MonitorStore } from '../packages/server/src/modules/fleet/monitors.store.ts'
import { PresenceService } from '../packages/server/src/modules/fleet/presence.service.ts'
import { type Bench, median, percentile, rounded } from './bench.ts'
import { type BenchEnvironment, createBenchEnvironment } from './environment.ts'

const agents = 100_000
const intervalS = 10
/** Number of agents that change within a few seconds in a busy network. */
const changedAtOnce = 200
/** Short, so that all agents become stale soon. */
const watchedIntervalS = 1

/**
 * Presence of 100,000 agents: from state transitions written in batches, as the product does it, and from the newest
 * samples in the metrics store as the alternative. The ratio is the bare summary query against our HTTP response.
 */
export const fleet: Bench = async ({ quick, log }) => {
  const times = quick ? 10 : 50
  const environment = await createBenchEnvironment(log)
  const databaseUrl = environment.databaseUrl
  const bare = new pg.Client({ connectionString: databaseUrl })
  await bare.connect()
  try {
    log(`storing ${agents} agents …`)
    await furnish(databaseUrl)
    const transitions = await watch(databaseUrl, log)
    log('reading …')
    const ask = (query: string) => timed(times, () => get(environment, query))
    const summary = await ask('summary')
    const query = await timed(times, () =>
      bare.query('select technology, state, count(*) from fleet group by technology, state'),
    )
    const box = await ask('agents?bbox=-2.59,51.45,-2.57,51.46&limit=1000')
    const search = await ask('agents?q=9876')
    const nothing = await ask('agents?q=no-such-agent')
    const silent = await ask('agents?state=stale&technology=LiFi')
    const following = await follow(environment, databaseUrl, times)
    const fromStore = await askStore(environment, log, times)
    return {
      ratio: rounded(median(query) / median(summary), 3),
      agents,
      summary_p50_ms: rounded(median(summary), 1),
      summary_p99_ms: rounded(percentile(summary, 0.99), 1),
      summary_query_p50_ms: rounded(median(query), 1),
      list_in_box_p50_ms: rounded(median(box), 1),
      list_by_text_p50_ms: rounded(median(search), 1),
      list_without_match_p50_ms: rounded(median(nothing), 1),
      list_by_state_p50_ms: rounded(median(silent), 1),
      ...following,
      ...transitions,
      ...fromStore,
    }
  } finally {
    await bare.end()
    await environment.end()
  }
}

async function furnish(databaseUrl: string): Promise<void> {
  await sqlAt(
    databaseUrl,
    `insert into agents (id, ap_id, password_hash, configuration)
     select gen_random_uuid(), 'ap-' || n, 'x', json_build_object('technology', 'WiFi', 'note', repeat('x', 300))
     from generate_series(0, ${agents - 1}) as n`,
  )
  await sqlAt(
    databaseUrl,
    `insert into fleet (ap_id, name, technology, latitude, longitude, interval_s)
     select 'ap-' || n, 'Room ' || n, (array['5G', 'WiFi', 'LiFi'])[1 + n % 3],
       51.4 + (n % 1000) / 1e4, -2.6 + (n / 1000) / 1e3, ${watchedIntervalS}
     from generate_series(0, ${agents - 1}) as n`,
  )
  await sqlAt(databaseUrl, 'vacuum analyze fleet')
}

/** All agents connect at once, keep sending, and become silent at once: the cost for ingester and database. */
async function watch(databaseUrl: string, log: (line: string) => void) {
  const serverLog = createLog('warn')
  const metrics = new Metrics(serverLog)
  const postgres = new Postgres({
    url: databaseUrl,
    connections: 2,
    log: serverLog,
    metrics,
  })
  const agentStore = new AgentStore(postgres)
  const config = { MANC_AGENT_EVENTS_PER_HOUR: 1000, MANC_EVENT_DAYS: 30 }
  const { events } = createEventsModule({
    config,
    log: serverLog,
    postgres,
    limits: new Limits(metrics),
    metrics,
  })
  const presence = new PresenceService({
    postgres,
    events,
    store: new FleetStore(postgres),
    monitors: new MonitorStore(postgres),
    markOnboard: async (apIds) => void (await agentStore.markOnboard(postgres.db, apIds)),
    lagMs: () => 0,
    log: serverLog,
  })
  const ids = Array.from({ length: agents }, (_, n) => `ap-${n}`)
  const recordAll = () => {
    for (const apId of ids) presence.recordSample(apId)
  }
  const round = async () => {
    const startedAt = performance.now()
    await presence.run()
    return performance.now() - startedAt
  }
  try {
    log('all agents connect …')
    recordAll()
    const came = await round()
    log('all agents keep sending …')
    const startedAt = performance.now()
    recordAll()
    const recordUs = ((performance.now() - startedAt) * 1000) / agents
    const steady = [await round(), await round(), await round()]
    await mustAllBe(databaseUrl, 'online')
    log('all agents become silent …')
    let went = 0
    for (let n = 0; n < 6; n++) {
      await sleep(1000)
      went += await round()
    }
    await mustAllBe(databaseUrl, 'offline')
    return {
      record_us_per_sample: rounded(recordUs, 3),
      all_come_ms: Math.round(came),
      round_without_change_ms: rounded(median(steady), 1),
      all_fall_silent_and_go_ms: Math.round(went),
    }
  } finally {
    await postgres.stop()
  }
}

/** The cost of keeping a list current from changes, against reading it again. */
async function follow(environment: BenchEnvironment, databaseUrl: string, times: number) {
  let { next } = (await get(environment, 'changes')) as { next: string }
  const took: number[] = []
  for (let n = 0; n < times; n++) {
    await sqlAt(
      databaseUrl,
      `update fleet set state = 'stale', since = now(), transaction_id = pg_current_xact_id()
       where ap_id = any(select 'ap-' || n * ${agents / changedAtOnce} + $1 from generate_series(0, ${changedAtOnce - 1}) n)`,
      [n],
    )
    const startedAt = performance.now()
    const news = (await get(environment, `changes?after=${next}`)) as { next: string; agents: unknown[] }
    took.push(performance.now() - startedAt)
    if (news.agents.length < changedAtOnce)
      throw new Error(`${news.agents.length} changes of ${changedAtOnce}`)
    next = news.next
  }
  const startedAt = performance.now()
  let last = ''
  for (let known = 0; known < agents; ) {
    const page = (await get(environment, `agents?limit=5000&after=${last}`)) as { ap_id: string }[]
    known += page.length
    last = page.at(-1)?.ap_id ?? ''
  }
  return {
    changes: changedAtOnce,
    changes_p50_ms: rounded(median(took), 1),
    changes_p99_ms: rounded(percentile(took, 0.99), 1),
    list_whole_ms: Math.round(performance.now() - startedAt),
  }
}

async function mustAllBe(databaseUrl: string, state: string): Promise<void> {
  const { rows } = await sqlAt(databaseUrl, 'select count(*)::int as those from fleet where state = $1', [
    state,
  ])
  if (rows[0]?.those !== agents) throw new Error(`${rows[0]?.those} of ${agents} are ${state}`)
}

/** The alternative: the time of the newest sample of every agent, from one metric that all have. */
async function askStore(environment: BenchEnvironment, log: (line: string) => void, times: number) {
  const { victoria } = environment.engines.urls
  log('the same from the metrics store …')
  for (let n = 0; n < 3; n++) {
    let lines = ''
    for (let agent = 0; agent < agents; agent++)
      lines += `${measurementOf(`ap-${agent}`)},ap_id=ap-${agent} clients=${(n + agent) % 30} ${Date.now() - n * intervalS * 1000}\n`
    await fetch(`${victoria}/write?precision=ms`, { method: 'POST', body: lines })
  }
  await (await fetch(`${victoria}/internal/force_flush`)).text()
  const query = encodeURIComponent(`tlast_over_time({__name__="clients",ap_id!=""}[${3 * intervalS}s])`)
  let found = 0
  const took = await timed(Math.min(times, 10), async () => {
    // Vary the query time so that the store's cache does not answer.
    const answer = await fetch(`${victoria}/api/v1/query?nocache=1&query=${query}`)
    found = ((await answer.json()) as { data: { result: unknown[] } }).data.result.length
  })
  if (found !== agents) throw new Error(`the store has ${found} of ${agents}`)
  return { store_query_p50_ms: Math.round(median(took)) }
}

async function get(environment: BenchEnvironment, query: string): Promise<unknown> {
  const answer = await fetch(`${environment.server.url}/api/v1/fleet/${query}`, {
    headers: { authorization: `Bearer ${environment.token}` },
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${query}: ${answer.status}`)
  return JSON.parse(text)
}

async function timed(times: number, work: () => Promise<unknown>): Promise<number[]> {
  const took: number[] = []
  for (let n = 0; n < times; n++) {
    const startedAt = performance.now()
    await work()
    took.push(performance.now() - startedAt)
  }
  return took
}

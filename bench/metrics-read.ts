import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { measurementOf } from '@manc/contract'

import { type Bench, percentile, rounded, takeTurns } from './bench.ts'
import { type BenchEnvironment, createBenchEnvironment, startBare } from './environment.ts'
import { steadyWithoutRefusals } from './steady.ts'
import { saturate } from './wrk.ts'

const agents = 2000
const points = 300
const metrics = ['clients', 'rssi_dbm', 'throughput_mbps']
const connections = 50
const charts = { count: 200, agents: 20, seconds: 15 }

/** Operation 28 at saturation, a different agent per request, ours and bare alternating. Then charts at 1 Hz. */
export const metricsRead: Bench = async ({ quick, log }) => {
  const [rounds, seconds] = quick ? [3, 3] : [7, 8]
  const environment = await createBenchEnvironment(log)
  const { victoria } = environment.engines.urls
  const bare = await startBare('metrics-read.ts', { VICTORIA_URL: victoria })
  try {
    await furnish(environment, log)
    const headers = { authorization: `Bearer ${environment.token}` }
    const pathOfOurs = '/api/v1/metrics/agent_multi_metric_data'
    const query = `?agent=ap-7&metrics=${metrics.join(',')}&window=20`
    await mustBeEqual(
      await fetch(environment.server.url + pathOfOurs + query, { headers }),
      `${bare.url}/read${query}`,
    )
    const ours = () =>
      saturate({ url: environment.server.url, path: anotherAgent(pathOfOurs), headers, connections, seconds })
    const theirs = () => saturate({ url: bare.url, path: anotherAgent('/read'), connections, seconds })
    const engine = () => saturate({ url: victoria, path: anotherExport(), connections, seconds })
    const turns = await takeTurns({ rounds, ours, bare: theirs, log })
    const exports = await engine()
    return {
      ...turns,
      engine_exports_per_s: Math.round(exports),
      agents,
      points_a_reply: metrics.length * points,
      connections,
      ...(await pollCharts(environment, pathOfOurs, log)),
    }
  } finally {
    bare.stop()
    await environment.end()
  }
}

/** One sample per second until now, for every agent. */
async function furnish(environment: BenchEnvironment, log: (line: string) => void): Promise<void> {
  log(`storing ${agents} agents with ${metrics.length} × ${points} points each …`)
  await environment.sql(`insert into agents (id, ap_id, password_hash, configuration)
     select gen_random_uuid(), 'ap-' || n, 'x', '{}' from generate_series(0, ${agents - 1}) as n`)
  const { victoria } = environment.engines.urls
  const now = Date.now()
  for (let n = 0; n < points; n++) {
    const at = now - (points - n) * 1000
    let lines = ''
    for (let agent = 0; agent < agents; agent++)
      lines += `${measurementOf(`ap-${agent}`)},ap_id=ap-${agent} clients=${(n + agent) % 30},rssi_dbm=${-60 - (n % 50) / 10},throughput_mbps=${((n * 137 + agent) % 9000) / 100} ${at + (agent % 997)}\n`
    await fetch(`${victoria}/write?precision=ms`, { method: 'POST', body: lines })
  }
  await (await fetch(`${victoria}/internal/force_flush`)).text()
}

/**
 * Lua that iterates over the agents and uses another window in each round, so that no request repeats one of the
 * last seconds and none is answered from the shared-read cache.
 */
const anotherAgent = (path: string) =>
  `(function()
     turn = (turn or -1) + 1
     return "${path}?agent=ap-" .. (turn % ${agents}) .. "&metrics=${metrics.join(',')}&window=" ..
       (20 + math.floor(turn / ${agents}) % 20)
   end)()`

/** The same query, sent to the store directly. */
function anotherExport(): string {
  const selectors = metrics.map(
    (name) => `"&match[]=${encodeURIComponent(`{__name__="${name}",ap_id="ap-`)}" .. agent .. "%22%7D"`,
  )
  return `(function()
     turn = (turn or -1) + 1
     local agent = turn % ${agents}
     return "/api/v1/export?start=${Math.round(Date.now() / 1000) - 1800}" .. ${selectors.join(' .. ')}
   end)()`
}

async function mustBeEqual(ours: Response, bareUrl: string): Promise<void> {
  const [left, right] = [await ours.json(), await (await fetch(bareUrl)).json()] as [
    { series: { points: unknown[] }[] },
    unknown,
  ]
  if (!isDeepStrictEqual(left, right)) throw new Error('ours and bare return different results')
  const lengths = left.series.map((series) => series.points.length)
  if (!isDeepStrictEqual(lengths, Array(metrics.length).fill(points)))
    throw new Error(`expected ${points} points a metric, got ${lengths.join(', ')}`)
}

/** Charts that poll once a second, ten on each agent. */
async function pollCharts(environment: BenchEnvironment, path: string, log: (line: string) => void) {
  const { count, agents: watched, seconds } = charts
  log(`${count} charts at 1 Hz on ${watched} agents for ${seconds} s …`)
  const urls = Array.from(
    { length: count },
    (_, chart) =>
      `${environment.server.url}${path}?agent=ap-${chart % watched}&metrics=${metrics.join(',')}&window=20`,
  )
  // The store may still be merging data of the last load.
  await sleep(2000)
  const before = await exportsOf(environment)
  const result = await steadyWithoutRefusals({
    url: urls[0] ?? '',
    urls,
    method: 'GET',
    headers: { authorization: `Bearer ${environment.token}` },
    perSecond: count,
    seconds,
  })
  const reads = (await exportsOf(environment)) - before
  return {
    charts: count,
    charts_p50_ms: rounded(percentile(result.latenciesMs, 0.5), 1),
    charts_p99_ms: rounded(percentile(result.latenciesMs, 0.99), 1),
    engine_reads_per_agent_and_s: rounded(reads / watched / seconds, 3),
  }
}

async function exportsOf(environment: BenchEnvironment): Promise<number> {
  const text = await (await fetch(`${environment.engines.urls.victoria}/metrics`)).text()
  return Number(/^vm_http_requests_total\{path="\/api\/v1\/export"\} (\d+)$/m.exec(text)?.[1])
}

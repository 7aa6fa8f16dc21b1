import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { measurementOf, socketPath } from '@manc/contract'
import { startServerProcess } from '@manc/harness'
import { type Bench, percentile, rounded, takeTurns } from './bench.ts'
import { type BenchEnvironment, createBenchEnvironment, startBare } from './environment.ts'
import type { Call, Outcome } from './jobs/caller.ts'
import type { JobTarget } from './jobs/read-job.ts'
import { usageOf } from './usage.ts'

const agents = 1000
const callers = 16
/** Number of points: responses of about 600 KB and 10 KB. */
const long = { apId: 'long', metrics: 10, points: 1000 }
const short = { apId: 'short', metrics: 2, points: 80 }
const idleSockets = 10_000

/** From the request to the last frame: at saturation alternating with the bare path, at a constant rate, and with idle sockets. */
export const jobs: Bench = async ({ quick, log }) => {
  const [rounds, seconds] = quick ? [1, 4] : [5, 8]
  const environment = await createBenchEnvironment(log)
  const bare = await startBare('jobs.ts', {
    DATABASE_URL: environment.databaseUrl,
    RABBITMQ_URL: environment.rabbitmqUrl,
    VICTORIA_URL: environment.engines.urls.victoria,
  })
  try {
    const kinds = await furnish(environment, bare.url, log)
    const figures: Record<string, number> = {}
    for (const { name, ours, theirs } of kinds) {
      log(`${name} …`)
      await mustBeAlike(ours, theirs)
      const { ratio, ours_per_s, bare_per_s } = await takeTurns({
        rounds,
        ours: () => saturate(ours, seconds),
        bare: () => saturate(theirs, seconds),
        log,
      })
      Object.assign(figures, {
        [`${name}_ratio`]: ratio,
        [`${name}_per_s`]: ours_per_s,
        [`${name}_bare_per_s`]: bare_per_s,
      })
    }
    const ratios = kinds.map(({ name }) => figures[`${name}_ratio`] ?? Number.NaN)
    const [, ofLong, ofShort] = kinds
    return {
      ratio: rounded(ratios.reduce((sum, each) => sum + each, 0) / ratios.length, 3),
      ...figures,
      ...(ofShort && (await atPace('small_at_50', ofShort.ours, 50, quick ? 5 : 20, log))),
      ...(ofLong && (await atPace('long_at_10', ofLong.ours, 10, quick ? 5 : 20, log))),
      ...(await besideACrowd(environment, quick, log)),
    }
  } finally {
    bare.stop()
    await environment.end()
  }
}

interface Kind {
  name: string
  ours: JobTarget
  theirs: JobTarget
}

async function furnish(
  environment: BenchEnvironment,
  bareUrl: string,
  log: (line: string) => void,
): Promise<Kind[]> {
  log(`storing ${agents} agents, and ${long.metrics * long.points} points of one …`)
  await environment.sql(`insert into agents (id, ap_id, password_hash, configuration)
     select gen_random_uuid(), 'ap-' || n, 'x', format(
       '{"technology":"WiFi","name":"Access point %s","geolocation":{"latitude":51.45,"longitude":-2.58}}', n)::json
     from generate_series(0, ${agents - 3}) as n
     union all select gen_random_uuid(), ap_id, 'x', '{}' from unnest(array['long', 'short']) as ap_id`)
  const start = Date.now() - 3_600_000
  for (const { apId, metrics, points } of [long, short]) {
    let lines = ''
    for (let n = 0; n < points; n++) {
      const fields = Array.from({ length: metrics }, (_, m) => `metric_${m}=${(n * 31 + m) % 1000}.5`)
      lines += `${measurementOf(apId)},ap_id=${apId} ${fields.join(',')} ${start + n * 1000}\n`
    }
    await fetch(`${environment.engines.urls.victoria}/write?precision=ms`, { method: 'POST', body: lines })
  }
  await (await fetch(`${environment.engines.urls.victoria}/internal/force_flush`)).text()

  const times = [start - 1000, start + 1_800_000].map((ms) => new Date(ms).toISOString())
  const query = (apId: string) => `agent_id=${apId}&start_time=${times[0]}&end_time=${times[1]}`
  const kind = (name: string, path: string, barePath: string): Kind => ({
    name,
    ours: { url: environment.server.url, path, socketPath, token: environment.token },
    theirs: { url: bareUrl, path: barePath, socketPath: '/ws' },
  })
  const data = '/api/v1/agent_data/request_agent_data'
  return [
    kind('details', '/api/v1/agent_details/request_all_agents_details', '/jobs/details'),
    kind('long', `${data}?${query(long.apId)}`, `/jobs/data?${query(long.apId)}`),
    kind('small', `${data}?${query(short.apId)}`, `/jobs/data?${query(short.apId)}`),
  ]
}

/** Both must return the same result, apart from the envelopes. */
async function mustBeAlike(ours: JobTarget, theirs: JobTarget): Promise<void> {
  const [mine, bare] = [await bytesOf(ours), await bytesOf(theirs)]
  if (Math.abs(mine - bare) > 0.02 * bare + 500)
    throw new Error(`ours returns ${mine} bytes, bare ${bare}: the results differ`)
}

const bytesOf = async (target: JobTarget) => {
  const outcome = await run({ kind: 'saturate', target, callers: 1, seconds: 0.01 })
  return 'bytes' in outcome ? outcome.bytes : Number.NaN
}

async function saturate(target: JobTarget, seconds: number): Promise<number> {
  const outcome = await run({ kind: 'saturate', target, callers, seconds })
  return 'perSecond' in outcome ? outcome.perSecond : Number.NaN
}

async function atPace(
  name: string,
  target: JobTarget,
  perSecond: number,
  seconds: number,
  log: (line: string) => void,
) {
  log(`${name}: ${perSecond} a second for ${seconds} s …`)
  await sleep(2000)
  const outcome = await run({ kind: 'steady', target, perSecond, seconds })
  return timesOf(name, outcome)
}

/** Idle sockets of a freshly started replica, so that its memory growth comes from them alone. */
async function besideACrowd(environment: BenchEnvironment, quick: boolean, log: (line: string) => void) {
  const { token } = environment
  const count = idleSockets
  const server = await startServerProcess({
    ...environment.variables,
    MANC_ROLES: 'api',
    MANC_CONNECTIONS_PER_ADDRESS: String(count + 1000),
    // They all belong to one administrator.
    MANC_SOCKETS: String(count + 1000),
  })
  log(`${count} idle sockets …`)
  const numbers = Array.from({ length: count }, () => randomUUID())
  await environment.sql(
    `insert into jobs (job_number, kind, owner, state, request, published, ends_by)
     select number, 'mailbox', (select id from users limit 1), 'open', '{}', true, now() + interval '1 day'
     from unnest($1::text[]) as number`,
    [numbers],
  )
  const before = usageOf([server.pid]).rssBytes
  const target = {
    url: server.url,
    path: '/api/v1/callback/agent_data',
    socketPath,
    token,
  }
  const startedAt = Date.now()
  let connectedAfterMs = Number.NaN
  let perSocket = Number.NaN
  const outcome = await run({ kind: 'idle', target, numbers, frames: quick ? 100 : 500 }, async () => {
    connectedAfterMs = Date.now() - startedAt
    await sleep(5000)
    perSocket = (usageOf([server.pid]).rssBytes - before) / count
  })
  await server.stop()
  return {
    idle_sockets: count,
    idle_connected_after_s: rounded(connectedAfterMs / 1000, 1),
    idle_kib_a_socket: rounded(perSocket / 1024, 1),
    ...timesOf('idle_frame', outcome),
  }
}

const timesOf = (name: string, outcome: Outcome) => {
  const millis = 'millis' in outcome ? outcome.millis : []
  return {
    [`${name}_p50_ms`]: rounded(percentile(millis, 0.5), 1),
    [`${name}_p99_ms`]: rounded(percentile(millis, 0.99), 1),
  }
}

function run(call: Call, whenConnected?: () => Promise<void>): Promise<Outcome> {
  const worker = new Worker(new URL('./jobs/caller.ts', import.meta.url), { workerData: call })
  return new Promise((resolve, reject) => {
    worker.on('message', (message: 'connected' | Outcome) => {
      if (message === 'connected') void whenConnected?.().then(() => worker.postMessage('go'), reject)
      else resolve(message)
    })
    worker.once('error', reject)
  })
}

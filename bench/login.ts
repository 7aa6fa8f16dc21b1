import { performance } from 'node:perf_hooks'
import { Worker } from 'node:worker_threads'
import { admin } from '@manc/harness'
import { type Bench, percentile, rounded } from './bench.ts'
import { createBenchEnvironment } from './environment.ts'
import type { SteadyLoad, SteadyResult } from './steady.ts'

const logins = 50
const reads = 500

/** A login takes 10 to 15 ms of CPU. Measures the effect on the latency of reads. */
export const login: Bench = async ({ quick, log }) => {
  const seconds = quick ? 8 : 30
  const environment = await createBenchEnvironment(log)
  try {
    await environment.sql(
      `insert into agents (id, ap_id, password_hash, configuration) values (gen_random_uuid(), 'ap-1', 'x', '{}')`,
    )
    const reading: SteadyLoad = {
      url: `${environment.server.url}/api/v1/agents/ap-1`,
      method: 'GET',
      headers: { authorization: `Bearer ${environment.token}` },
      perSecond: reads,
      seconds,
    }
    const loggingIn: SteadyLoad = {
      url: `${environment.server.url}/api/v1/token/?login_type=user`,
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(admin).toString(),
      perSecond: logins,
      seconds,
    }
    log('warming up …')
    await steady({ ...reading, seconds: 3 })
    log(`${reads} reads/s alone for ${seconds} s …`)
    const alone = await steady(reading)
    log(`${reads} reads/s beside ${logins} logins/s for ${seconds} s …`)
    const startedAt = performance.now()
    const [beside, loggedIn] = await Promise.all([steady(reading), steady(loggingIn)])
    const tookS = (performance.now() - startedAt) / 1000
    const p99 = (result: SteadyResult) => rounded(percentile(result.latenciesMs, 0.99), 1)
    for (const result of [alone, beside, loggedIn])
      if (result.failures > 0) throw new Error(`${result.failures} requests failed: ${result.firstFailure}`)
    return {
      // Median read latency without logins against with logins.
      ratio: rounded(percentile(alone.latenciesMs, 0.5) / percentile(beside.latenciesMs, 0.5), 3),
      reads_alone_p99_ms: p99(alone),
      reads_beside_logins_p99_ms: p99(beside),
      reads_beside_logins_p50_ms: rounded(percentile(beside.latenciesMs, 0.5), 1),
      reads_per_s: Math.round(beside.latenciesMs.length / tookS),
      login_p50_ms: rounded(percentile(loggedIn.latenciesMs, 0.5), 1),
      login_p99_ms: p99(loggedIn),
      logins_per_s: Math.round(loggedIn.latenciesMs.length / tookS),
    }
  } finally {
    await environment.end()
  }
}

/** In a separate thread, so that one load does not delay the timers of the other. */
function steady(load: SteadyLoad): Promise<SteadyResult> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./steady.ts', import.meta.url), { workerData: load })
    worker.once('message', resolve)
    worker.once('error', reject)
  })
}

import { performance } from 'node:perf_hooks'
import { admin } from '@manc/harness'
import { type Bench, percentile, rounded } from './bench.ts'
import { createBenchEnvironment } from './environment.ts'
import { type SteadyLoad, type SteadyResult, steady, steadyWithoutRefusals } from './steady.ts'

const logins = 50
const reads = 500

/** A login takes 10 to 15 ms of CPU. Measures the effect on the latency of reads. */
export const login: Bench = async ({ quick, log }) => {
  const seconds = quick ? 8 : 30
  // A quick run shares its machine with other work: after a pause of it some reads wait too long for the database.
  const read = quick ? steady : steadyWithoutRefusals
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
    await read({ ...reading, seconds: 3 })
    log(`${reads} reads/s alone for ${seconds} s …`)
    const alone = await read(reading)
    log(`${reads} reads/s beside ${logins} logins/s for ${seconds} s …`)
    const startedAt = performance.now()
    const [beside, loggedIn] = await Promise.all([read(reading), steady(loggingIn)])
    const tookS = (performance.now() - startedAt) / 1000
    const p99 = (result: SteadyResult) => rounded(percentile(result.latenciesMs, 0.99), 1)
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
      // On a slow machine the queue for password hashes fills up; a login beyond it is answered with 503.
      logins_refused: loggedIn.refused,
      reads_refused_part: rounded(partRefused(alone, beside), 3),
    }
  } finally {
    await environment.end()
  }
}

function partRefused(...results: SteadyResult[]): number {
  const sum = (of: (result: SteadyResult) => number) => results.reduce((total, each) => total + of(each), 0)
  const refused = sum((result) => result.refused)
  return refused / (refused + sum(({ latenciesMs }) => latenciesMs.length))
}

import { sqlAt } from '@manc/harness'
import { type Bench, takeTurns } from './bench.ts'
import { createBenchEnvironment, startBare } from './environment.ts'
import { saturate } from './wrk.ts'

const agents = 100_000
const connections = 50

/** `GET /api/v1/agents/{ap_id}`, a different agent per request, at saturation; ours and bare alternate. */
export const agentsRead: Bench = async ({ quick, log }) => {
  const [rounds, seconds] = quick ? [3, 3] : [7, 8]
  const environment = await createBenchEnvironment(log)
  const databaseUrl = environment.databaseUrl
  const bare = await startBare('agents-read.ts', { DATABASE_URL: databaseUrl })
  try {
    log(`storing ${agents} agents …`)
    await sqlAt(
      databaseUrl,
      `insert into agents (id, ap_id, password_hash, configuration)
       select gen_random_uuid(), 'ap-' || n, 'x', json_build_object(
         'technology', 'WiFi', 'telemetry_interval_s', 10,
         'geolocation', json_build_object('latitude', 51.45 + n / 1e6, 'longitude', -2.58))
       from generate_series(0, ${agents - 1}) as n`,
    )
    await sqlAt(databaseUrl, 'vacuum analyze agents')
    const next = (prefix: string) => `"${prefix}ap-" .. (n % ${agents})`
    const ours = () =>
      saturate({
        url: environment.server.url,
        path: next('/api/v1/agents/'),
        headers: { authorization: `Bearer ${environment.token}` },
        connections,
        seconds,
      })
    const theirs = () => saturate({ url: bare.url, path: next('/agents/'), connections, seconds })
    const turns = await takeTurns({ rounds, ours, bare: theirs, log })
    return { ...turns, agents, connections }
  } finally {
    bare.stop()
    await environment.end()
  }
}

import { startServerProcess } from '@manc/harness'
import { createFleet } from '@manc/harness/load'
import { type Bench, takeTurns } from './bench.ts'
import { createBenchEnvironment, startBare } from './environment.ts'
import { saturate } from './wrk.ts'

const connections = 50
const metrics = 20

/** Operation 21 with one sample of 20 metrics, against a bare handler with a confirmed publish on the same route. */
export const ingestHttp: Bench = async ({ quick, log }) => {
  const [rounds, seconds] = quick ? [3, 4] : [5, 10]
  const environment = await createBenchEnvironment(log)
  const { variables } = environment
  // The same ingester consumes what both accept.
  const ingester = await startServerProcess({ ...variables, MANC_ROLES: 'ingester' })
  const bare = await startBare('ingest-http.ts', { RABBITMQ_URL: variables['MANC_RABBITMQ_URL'] ?? '' })
  try {
    const [agent] = await createFleet(variables, 'bench', 1)
    const fields = Array.from(
      { length: metrics },
      (_, n) => `\\"metric_${n}\\":" .. (n % 1000 + ${n}) .. "`,
    ).join(',')
    const body = `"{\\"ap_id\\":\\"${agent?.apId}\\",\\"ts\\":" .. (${Date.now()} + n % 1000000) .. ",\\"payload\\":{${fields}}}"`
    const json = { 'content-type': 'application/json' }
    const ours = () =>
      saturate({
        url: environment.server.url,
        path: '"/api/v1/agent_update/update"',
        headers: { ...json, authorization: `Bearer ${agent?.token}` },
        body,
        connections,
        seconds,
      })
    const theirs = () =>
      saturate({ url: bare.url, path: '"/update"', headers: json, body, connections, seconds })
    const turns = await takeTurns({ rounds, ours, bare: theirs, log })
    return { ...turns, metrics, connections }
  } finally {
    bare.stop()
    await ingester.stop('SIGKILL')
    await environment.end()
  }
}

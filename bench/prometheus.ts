import { isDeepStrictEqual } from 'node:util'
import { measurementOf } from '@manc/contract'
import { startServerProcess } from '@manc/harness'
import { type Bench, takeTurns } from './bench.ts'
import { createBenchEnvironment } from './environment.ts'
import { saturate } from './wrk.ts'

const agents = 500
const points = 240
const stepS = 15
const connections = 8

/**
 * A panel of a dashboard: one metric of all agents over an hour. Through the API and from the store, alternating; compressed, as clients of
 * Prometheus ask for it (`ratio`), and plain. The limit of queries at a time is above the number of connections; what one caller
 * gets with the default limit is measured as well (`ratio_default_limit`).
 */
export const prometheus: Bench = async ({ quick, log }) => {
  const [rounds, seconds] = quick ? [3, 4] : [7, 8]
  const environment = await createBenchEnvironment(log, {
    variables: { MANC_PROMETHEUS_QUERIES: String(2 * connections) },
  })
  const { MANC_PROMETHEUS_QUERIES: _, ...defaults } = environment.variables
  const limited = await startServerProcess({ ...defaults, MANC_ROLES: 'api' })
  const { victoria } = environment.engines.urls
  try {
    log(`storing ${agents} agents with ${points} points each …`)
    const endS = Math.floor(Date.now() / 1000)
    const startS = endS - points * stepS
    for (let n = 0; n < points; n++) {
      let lines = ''
      for (let agent = 0; agent < agents; agent++)
        lines += `${measurementOf(`ap-${agent}`)},ap_id=ap-${agent} clients=${(n * 7 + agent) % 30} ${(startS + n * stepS) * 1000}\n`
      await fetch(`${victoria}/write?precision=ms`, { method: 'POST', body: lines })
    }
    await (await fetch(`${victoria}/internal/force_flush`)).text()
    const query = `query=clients&start=${startS}&end=${endS}&step=${stepS}s`
    const filter = encodeURIComponent('{ap_id!=""}')
    const paths = {
      ours: `/api/v1/prometheus/api/v1/query_range?${query}`,
      bare: `/api/v1/query_range?${query}&nocache=1&extra_filters[]=${filter}`,
    }
    const headers = { authorization: `Bearer ${environment.token}` }
    const series = await mustBeEqual(
      await fetch(environment.server.url + paths.ours, { headers }),
      await fetch(victoria + paths.bare),
    )
    const compare = (encoding: 'gzip' | 'identity', server = environment.server) => {
      const load = { connections, seconds }
      const accepted = { 'accept-encoding': encoding }
      log(`responses: ${encoding}${server === limited ? ', with the default limit' : ''}`)
      return takeTurns({
        rounds,
        ours: () =>
          saturate({
            url: server.url,
            path: `"${paths.ours}"`,
            headers: { ...headers, ...accepted },
            ...load,
          }),
        bare: () => saturate({ url: victoria, path: `"${paths.bare}"`, headers: accepted, ...load }),
        log,
      })
    }
    const turns = await compare('gzip')
    const plain = await compare('identity')
    const byDefault = await compare('gzip', limited)
    return {
      ...turns,
      ratio_plain: plain.ratio,
      ratio_default_limit: byDefault.ratio,
      series,
      points_a_series: points,
      connections,
    }
  } finally {
    await limited.stop()
    await environment.end()
  }
}

/** Returns the number of series. */
async function mustBeEqual(ours: Response, bare: Response): Promise<number> {
  const [left, right] = (await Promise.all([ours.json(), bare.json()])) as { data: { result: unknown[] } }[]
  if (!isDeepStrictEqual(left?.data, right?.data)) throw new Error('ours and bare return different results')
  const count = left?.data.result.length ?? 0
  if (count !== agents) throw new Error(`expected ${agents} series, got ${count}`)
  return count
}

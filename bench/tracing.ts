import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { closedPort, type ServerProcess, startServerProcess } from '@manc/harness'
import { type Bench, median, rounded } from './bench.ts'
import { createBenchEnvironment } from './environment.ts'
import { saturate } from './wrk.ts'

const connections = 50

/** `GET /api/v1/agents/{ap_id}` at saturation: without tracing, and with it. All variants alternate. */
export const tracing: Bench = async ({ quick, log }) => {
  const [rounds, seconds] = quick ? [3, 3] : [7, 6]
  const environment = await createBenchEnvironment(log)
  const receiver = await startReceiver()
  const unreachable = `http://127.0.0.1:${await closedPort()}/v1/traces`
  const variants = {
    off: {},
    ratio_01: { MANC_TRACES_URL: receiver.url, MANC_TRACES_RATIO: '0.1' },
    ratio_1: { MANC_TRACES_URL: receiver.url, MANC_TRACES_RATIO: '1' },
    unreachable_1: { MANC_TRACES_URL: unreachable, MANC_TRACES_RATIO: '1' },
  }
  const servers: [name: string, server: ServerProcess, figures: number[]][] = []
  try {
    await environment.sql(
      `insert into agents (id, ap_id, password_hash, configuration) values (gen_random_uuid(), 'ap', 'x', '{}')`,
    )
    for (const [name, more] of Object.entries(variants)) {
      const variables = { ...environment.variables, ...more, MANC_ROLES: 'api' }
      servers.push([name, await startServerProcess(variables), []])
    }
    const headers = { authorization: `Bearer ${environment.token}` }
    for (let round = 0; round <= rounds; round++)
      for (const [name, { url }, figures] of servers) {
        const perS = await saturate({ url, path: '"/api/v1/agents/ap"', headers, connections, seconds })
        log(round === 0 ? `warming up ${name}` : `round ${round}: ${name} ${Math.round(perS)}/s`)
        if (round > 0) figures.push(perS)
      }
    const [, , off = []] = servers[0] ?? []
    const relative = (figures: number[]) =>
      rounded(median(figures.map((perS, n) => perS / (off[n] ?? Number.NaN))), 3)
    const perSecond = servers.map(([name, , figures]) => [`${name}_per_s`, Math.round(median(figures))])
    const ratios = servers.slice(1).map(([name, , figures]) => [`${name}_of_off`, relative(figures)])
    return {
      ratio: relative(servers[1]?.[2] ?? []),
      ...Object.fromEntries([...perSecond, ...ratios]),
      exports: receiver.exports(),
      rounds,
    }
  } finally {
    for (const [, server] of servers) await server.stop()
    receiver.stop()
    await environment.end()
  }
}

/** Takes exports and discards them. */
async function startReceiver() {
  let exports = 0
  const server = createServer((request, response) => {
    exports += 1
    request.resume().on('end', () => response.setHeader('content-type', 'application/json').end('{}'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`,
    exports: () => exports,
    stop: () => server.close().closeAllConnections(),
  }
}

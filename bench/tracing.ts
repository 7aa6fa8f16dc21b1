import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { closedPort, type ServerProcess, startServerProcess } from '@manc/harness'
import { type Bench, median, rounded } from './bench.ts'
import { createBenchEnvironment } from './environment.ts'
import { usageOf } from './usage.ts'
import { saturate } from './wrk.ts'

/** Few: only the cost of a request is compared. */
const connections = 10

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
  const servers: { name: string; server: ServerProcess; perS: number[]; cpuS: number }[] = []
  try {
    await environment.sql(
      `insert into agents (id, ap_id, password_hash, configuration) values (gen_random_uuid(), 'ap', 'x', '{}')`,
    )
    for (const [name, more] of Object.entries(variants)) {
      const variables = { ...environment.variables, ...more, MANC_ROLES: 'api' }
      servers.push({ name, server: await startServerProcess(variables), perS: [], cpuS: 0 })
    }
    const headers = { authorization: `Bearer ${environment.token}` }
    for (let round = 0; round <= rounds; round++)
      for (const each of servers) {
        const { url, pid } = each.server
        const before = usageOf([pid]).cpuS
        const perS = await saturate({ url, path: '"/api/v1/agents/ap"', headers, connections, seconds })
        log(`${round === 0 ? 'warm-up' : `round ${round}`}: ${each.name} ${Math.round(perS)}/s`)
        if (round === 0) continue
        each.perS.push(perS)
        each.cpuS += usageOf([pid]).cpuS - before
      }
    const costs = servers.map(({ name, perS, cpuS }) => ({
      name,
      perS: Math.round(median(perS)),
      cpuUs: rounded((cpuS * 1e6) / perS.reduce((sum, each) => sum + each * seconds, 0), 1),
    }))
    const cpuUs = (name: string) => costs.find((each) => each.name === name)?.cpuUs ?? Number.NaN
    return {
      // CPU time, and not requests per second: other work on the machine affects it less.
      ratio: rounded(cpuUs('off') / cpuUs('ratio_01'), 3),
      unreachable_ratio: rounded(cpuUs('off') / cpuUs('unreachable_1'), 3),
      ...Object.fromEntries(costs.map((each) => [`${each.name}_per_s`, each.perS])),
      ...Object.fromEntries(costs.map((each) => [`${each.name}_cpu_us`, each.cpuUs])),
      exports: receiver.exports(),
      rounds,
    }
  } finally {
    for (const { server } of servers) await server.stop()
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

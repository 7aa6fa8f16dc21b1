import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { call, closedPort, runServerCommand, uniqueName } from '@manc/harness'
import { test } from '@manc/harness/fixture'
import { afterAll, beforeAll, expect } from 'vitest'
import { RabbitMqManagement } from '../../src/engines/rabbitmq/index.ts'

const it = test.override('withServer', false)

/** Accepts connections and never answers, as a host that hangs. */
let hung: Server
const sockets = new Set<Socket>()

beforeAll(async () => {
  hung = createServer((socket) => sockets.add(socket.on('error', () => {})))
  await once(hung.listen(0, '127.0.0.1'), 'listening')
})
afterAll(() => {
  for (const socket of sockets) socket.destroy()
  hung.close()
})

const hungHost = () => `127.0.0.1:${(hung.address() as AddressInfo).port}`

/** With these hosts before its own. */
function withHosts(url: string, ...hosts: string[]): string {
  const { host } = new URL(url)
  return url.replace(host, [...hosts, host].join(','))
}

it('of several hosts of the database, the one that answers is used for migrations, reads and writes', async ({
  environment,
}) => {
  const databaseUrl = withHosts(environment.databaseUrl, `127.0.0.1:${await closedPort()}`, hungHost())
  await environment.serve({ MANC_DATABASE_URL: databaseUrl })
  const apId = uniqueName('several')
  const created = await environment.request('POST', '/api/v1/agents/', {
    ap_id: apId,
    password: 'p',
    configuration: {},
  })
  expect(created.status).toBe(200)
  expect((await environment.request('GET', `/api/v1/agents/${apId}`)).status).toBe(200)
  expect((await call(environment.url, 'GET', '/readyz')).status).toBe(200)
  const password = new URL(environment.databaseUrl).password
  expect(environment.server.logged()).not.toContain(password)
})

it('without a host that takes writes the start fails, with the state of each and without the password', async ({
  environment,
}) => {
  const { password, host } = new URL(environment.databaseUrl)
  const closed = `127.0.0.1:${await closedPort()}`
  const { code, output } = await runServerCommand(['migrate'], {
    ...environment.variables,
    MANC_DATABASE_URL: environment.databaseUrl.replace(host, `${closed},${hungHost()}`),
  })
  expect(code).toBe(1)
  expect(output).toContain(`no host of MANC_DATABASE_URL takes writes: ${closed} (`)
  expect(output).toContain(`${hungHost()} (timeout expired)`)
  expect(output).not.toContain(password)
})

it('of several brokers, one that can be reached is used', async ({ environment }) => {
  const closed = await Promise.all([closedPort(), closedPort()])
  const server = await environment.startServer({
    MANC_RABBITMQ_URL: withHosts(environment.rabbitmqUrl, ...closed.map((port) => `127.0.0.1:${port}`)),
  })
  const broker = async () => (await call(server.url, 'GET', '/readyz')).body.engines.rabbitmq
  await expect.poll(broker, { timeout: 20_000 }).toBe('up')
  expect(server.logged()).not.toContain(new URL(environment.rabbitmqUrl).password)
})

it('of several management APIs, the next is asked when one does not answer', async ({ environment }) => {
  const url = environment.engines.rabbitmqManagement
  const closed = `127.0.0.1:${await closedPort()}`
  const management = new RabbitMqManagement({ url: withHosts(url, closed) })
  await management.closeAgentConnections(uniqueName('unconnected'))
  const none = new RabbitMqManagement({ url: url.replace(new URL(url).host, `${closed},${closed}`) })
  await expect(none.closeAgentConnections('unconnected')).rejects.toThrow('fetch failed')
})

import { setTimeout as sleep } from 'node:timers/promises'
import { agentTopic, telemetryQueues } from '@manc/contract'
import {
  brokerRequestCounts,
  type IsolatedEnvironment,
  type ServerProcess,
  sqlAt,
  startServerProcess,
} from '@manc/harness'
import { testWithEngines } from '@manc/harness/fixture'
import { sized } from '@manc/harness/load'
import amqp from 'amqplib'
import pLimit from 'p-limit'
import { afterAll, expect } from 'vitest'
import { Jwt } from '../../src/modules/tokens/index.ts'
import { Secrets } from '../../src/secrets.ts'
import { connectDevice, type Device } from '../mqtt/device.ts'

const it = testWithEngines.override('withServer', false)

const agents = 1000
const everyMs = 2000
const password = 'a-chosen-password'
const awayS = sized(60, 10)

let environment: IsolatedEnvironment
let server: ServerProcess
let fleet: Device[] = []
let acknowledged = 0

it.beforeAll(async ({ environment: own }) => {
  environment = own
  server = await startServerProcess(environment.variables)
})

afterAll(async () => {
  for (const { client } of fleet) client.end(true)
  await server?.stop()
}, 60_000)

const setting = (name: string) => environment.variables[name] ?? ''

/** Written straight to the table: a thousand chosen passwords would be half a minute of hashing. */
async function createAgents(): Promise<{ apId: string; token: string }[]> {
  const hash = await new Secrets({ dataKey: setting('MANC_DATA_KEY') }).hashPassword(password, 'test')
  const { rows } = await sqlAt(
    setting('MANC_DATABASE_URL'),
    `insert into agents (id, ap_id, password_hash, configuration)
     select gen_random_uuid(), 'fleet-' || n, $1, '{}' from generate_series(1, $2::int) as n
     returning id, ap_id`,
    [hash, agents],
  )
  const jwt = new Jwt({ key: setting('MANC_TOKEN_KEY'), maxLifetimeS: 3600 })
  return Promise.all(
    rows.map(async ({ id, ap_id: apId }) => {
      const claims = { kind: 'agent', sub: apId, uid: id, ver: 0, scope: '' }
      return { apId, token: await jwt.sign(claims, 3600) }
    }),
  )
}

/** Every agent sends, each at its own moment of the interval; resolves when all that was sent is acknowledged. */
async function sendFor(ms: number): Promise<void> {
  await Promise.all(
    fleet.map(async (device, index) => {
      await sleep((index / agents) * everyMs)
      for (let sent = 0; sent < ms / everyMs; sent++) {
        const topic = agentTopic(device.client.options.username ?? '', 'data')
        await Promise.all([device.publish(topic, '{"rssi":-60}'), sleep(everyMs)])
        acknowledged += 1
      }
    }),
  )
}

async function inQueues(): Promise<number> {
  const connection = await amqp.connect(environment.engines.rabbitmq)
  // The request that fails reports it.
  connection.on('error', () => {})
  const channel = await connection.createChannel()
  let count = 0
  for (const queue of telemetryQueues) count += (await channel.checkQueue(queue)).messageCount
  await connection.close()
  return count
}

const total = (counts: Record<string, number>) => Object.values(counts).reduce((sum, count) => sum + count, 0)

it('1,000 agents log in with their tokens within 60 s', { timeout: 90_000 }, async () => {
  const identities = await createAgents()
  const limitConnections = pLimit(50)
  const startedAt = performance.now()
  fleet = await Promise.all(
    identities.map(({ apId, token }) =>
      limitConnections(() => connectDevice(environment.engines.mqtt, apId, token)),
    ),
  )
  expect(performance.now() - startedAt).toBeLessThan(60_000)
  expect(total(await brokerRequestCounts(server.internalUrl))).toBe(3 * agents)
})

it('after their first sample the broker sends hardly any authorization requests', {
  timeout: 90_000,
}, async () => {
  await sendFor(everyMs)
  const first = await brokerRequestCounts(server.internalUrl)
  expect(total(first)).toBe(5 * agents)
  await sendFor(sized(20_000, 10_000))
  expect(await brokerRequestCounts(server.internalUrl)).toEqual(first)
})

it(`while the controller is down for ${awayS} s they keep sending, and none is disconnected`, {
  timeout: 150_000,
}, async () => {
  await server.stop()
  await sendFor(awayS * 1000)
  expect(fleet.filter((device) => !device.isConnected())).toEqual([])
  await expect(connectDevice(environment.engines.mqtt, 'fleet-1', password)).rejects.toThrow(
    'Bad username or password',
  )
  expect(await inQueues()).toBe(acknowledged)
})

it('logins work as soon as the controller is back', { timeout: 60_000 }, async () => {
  server = await startServerProcess(environment.variables)
  const returned = await connectDevice(environment.engines.mqtt, 'fleet-1', password)
  await returned.publish(agentTopic('fleet-1', 'data'), '{}')
  await returned.leave()
})

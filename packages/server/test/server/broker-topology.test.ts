import { setTimeout as sleep } from 'node:timers/promises'
import { exchanges, telemetryQueues, topologyMarker, updatesQueue } from '@manc/contract'
import { admin, call, createEnvironment, type TestEnvironment, tokenOf } from '@manc/harness'
import amqp from 'amqplib'
import { afterEach, beforeEach, expect, inject, it } from 'vitest'

const message = 'the topology of the broker is older'
let environment: TestEnvironment

beforeEach(async () => {
  environment = await createEnvironment(inject('engines'))
})
afterEach(() => environment.drop())

it('a server reports at start which queues and exchanges the broker does not have, and what to do', async () => {
  await changeTopology(async (channel) => {
    await channel.deleteQueue(updatesQueue)
    await channel.deleteExchange(topologyMarker)
  })
  const server = await environment.startServer()
  await expect.poll(() => server.logged(), { timeout: 30_000 }).toContain(message)
  const line = server
    .logged()
    .split('\n')
    .find((each) => each.includes(message))
  const { level, missing, msg } = JSON.parse(line ?? '{}')
  expect({ level, missing }).toEqual({ level: 50, missing: [topologyMarker, updatesQueue] })
  expect(msg).toContain('rabbitmqctl import_definitions')
})

it('a missing exchange does not interrupt what is published to others, and is used once it is there', async () => {
  await changeTopology((channel) => channel.deleteExchange(exchanges.probes))
  const server = await environment.startServer({ MANC_ROLES: 'api,ingester' })
  const url = server.url
  await expect.poll(() => server.logged(), { timeout: 30_000 }).toContain(message)
  const token = await tokenOf(url, 'user', admin.username, admin.password)
  const body = { ap_id: 'a', password: 'p', configuration: { telemetry_interval_s: 1 } }
  await call(url, 'POST', '/api/v1/agents/', { token, body })
  const agent = await tokenOf(url, 'agent', 'a', 'p')
  const update = async () =>
    (await call(url, 'POST', '/api/v1/agent_update/update', { token: agent, body: { clients: 1 } })).status
  // A probe that was sent before the topology was checked has closed the channel.
  await expect.poll(update, { timeout: 30_000 }).toBe(200)
  for (let n = 0; n < 20; n++) {
    expect(await update()).toBe(200)
    await sleep(200)
  }
  await changeTopology(async (channel) => {
    await channel.assertExchange(exchanges.probes, 'direct')
    for (const queue of telemetryQueues) await channel.bindQueue(queue, exchanges.probes, queue)
  })
  const state = async () => (await environment.sql('select state from fleet'))[0]?.state
  await expect.poll(state, { timeout: 60_000 }).toBe('offline')
}, 180_000)

it('a server on a broker with the current topology reports nothing', async () => {
  const complete = await environment.startServer({ MANC_ROLES: 'api' })
  await expect
    .poll(() => complete.logged(), { timeout: 30_000 })
    .toContain('the topology of the broker is current')
  expect(complete.logged()).not.toContain(message)
})

async function changeTopology(change: (channel: amqp.Channel) => Promise<unknown>): Promise<void> {
  const connection = await amqp.connect(environment.rabbitmqUrl)
  await change(await connection.createChannel())
  await connection.close()
}

import { topologyMarker, updatesQueue } from '@manc/contract'
import { createEnvironment, type TestEnvironment } from '@manc/harness'
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

it('a server on a broker with the current topology reports nothing', async () => {
  const complete = await environment.startServer({ MANC_ROLES: 'api' })
  await expect
    .poll(() => complete.logged(), { timeout: 30_000 })
    .toContain('the topology of the broker is current')
  expect(complete.logged()).not.toContain(message)
})

async function changeTopology(change: (channel: amqp.Channel) => Promise<void>): Promise<void> {
  const connection = await amqp.connect(environment.rabbitmqUrl)
  await change(await connection.createChannel())
  await connection.close()
}

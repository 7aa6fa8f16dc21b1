import { brokerManagement } from '@manc/harness'
import { environmentTest } from '@manc/harness/fixture'
import amqp from 'amqplib'
import { afterAll, expect } from 'vitest'
import { AttackEnvironment } from '../mqtt/environment.ts'

/** A user of the broker, for example of an emulator. */
const name = 'emulator'
const it = environmentTest(() => AttackEnvironment.open([name]))

let environment: AttackEnvironment
let connection: amqp.ChannelModel | undefined
let isClosed = false

it.beforeAll(async ({ environment: own }) => {
  environment = own
  const { engines } = environment
  await brokerManagement(engines, 'PUT', `/api/users/${name}`, { password: 'of-the-program', tags: '' })
  const all = { configure: '.*', write: '.*', read: '.*' }
  await brokerManagement(engines, 'PUT', `/api/permissions/%2F/${name}`, all)
  const url = new URL(engines.rabbitmq)
  url.username = name
  url.password = 'of-the-program'
  connection = await amqp.connect(url.href)
  connection.on('error', () => {})
  connection.on('close', () => (isClosed = true))
})

afterAll(() => connection?.close().catch(() => {}))

it('an agent with the name of another broker user closes only its own connections', async () => {
  const device = await environment.connect(name)
  const body = { password: 'another-password' }
  expect((await environment.request('PUT', `/api/v1/agents/${name}`, body)).status).toBe(200)
  await device.closed
  // The request of the disconnection is deleted when all connections have been closed.
  const pending = async () => (await environment.sql('select from disconnections')).length
  await expect.poll(pending, { timeout: 60_000 }).toBe(0)
  const channel = await connection?.createChannel()
  await channel?.close()
  expect(isClosed).toBe(false)
})

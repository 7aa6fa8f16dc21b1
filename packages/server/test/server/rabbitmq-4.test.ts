import { updatesQueue } from '@manc/contract'
import { createEnvironment, rabbitmqMajor, type TestEnvironment } from '@manc/harness'
import amqp from 'amqplib'
import { connect, type IClientOptions } from 'mqtt'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'

const engines = inject('engines')
const isOld = (await rabbitmqMajor(engines)) < 4

describe.skipIf(isOld)('with RabbitMQ 4 or newer', () => {
  let environment: TestEnvironment
  beforeAll(async () => {
    environment = await createEnvironment(engines)
  })
  afterAll(() => environment.drop())

  it('a message is kept however often it is redelivered, beyond the default limit of 20', async () => {
    const connection = await amqp.connect(environment.rabbitmqUrl)
    try {
      const channel = await connection.createConfirmChannel()
      channel.sendToQueue(updatesQueue, Buffer.from('message'))
      await channel.waitForConfirms()
      let deliveries = 0
      await channel.consume(updatesQueue, (message) => {
        if (!message) return
        deliveries += 1
        channel.nack(message, false, deliveries < 50)
      })
      await expect.poll(() => deliveries, { timeout: 30_000 }).toBe(50)
    } finally {
      await connection.close()
    }
  })

  it('a login of more than 16 KiB is closed before it is read', async () => {
    const refusal = (password: string) =>
      outcomeOf({ clientId: 'large-login', username: 'large-login', password })
    // The name is unknown: a login that was read is refused with a reason.
    expect(await refusal('x'.repeat(10_000))).toMatch(/refused/)
    expect(await refusal('x'.repeat(20_000))).toBe('closed')
  })

  /** Why the broker does not accept a login. */
  function outcomeOf(options: IClientOptions): Promise<string> {
    const client = connect(engines.mqtt, { ...options, protocolVersion: 4, reconnectPeriod: 0 })
    return new Promise<string>((resolve) => {
      client.once('error', (error) => resolve(error.message))
      client.once('close', () => resolve('closed'))
    }).finally(() => client.end(true))
  }
})

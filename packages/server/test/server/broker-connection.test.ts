import { setTimeout as sleep } from 'node:timers/promises'
import { createEnvironment } from '@manc/harness'
import amqp from 'amqplib'
import { expect, inject, it } from 'vitest'
import { RabbitMq } from '../../src/engines/rabbitmq/index.ts'
import { createLog } from '../../src/log.ts'
import { Metrics } from '../../src/metrics.ts'

const queues = Array.from({ length: 60 }, (_, n) => `added-${n}`)

it('a queue that is subscribed while the connection is being opened has one consumer', async () => {
  const environment = await createEnvironment(inject('engines'))
  const url = environment.variables['MANC_RABBITMQ_URL'] ?? ''
  const control = await amqp.connect(url)
  const log = createLog('silent')
  const rabbitMq = new RabbitMq({ url, log, metrics: new Metrics(log) })
  try {
    const channel = await control.createChannel()
    for (const queue of queues) await channel.assertQueue(queue)
    await rabbitMq.start()
    for (const queue of queues) {
      rabbitMq.subscribe({ queue, prefetch: 1, opened: () => {}, received: () => {}, closed: () => {} })
      // Spreads the subscriptions over the time that connecting takes.
      await sleep(1)
    }
    const consumers = async () => {
      const found = []
      for (const queue of queues) found.push((await channel.checkQueue(queue)).consumerCount)
      return found
    }
    await expect.poll(consumers, { timeout: 30_000 }).toEqual(queues.map(() => 1))
  } finally {
    await rabbitMq.stop()
    await control.close()
    await environment.drop()
  }
})

import { telemetryQueues } from '@manc/contract'
import amqp from 'amqplib'
import type { EngineUrls } from '../../../../tools/engines/index.ts'

/** Messages that no ingester has received yet, as the queues count them now. */
export async function ready({ rabbitmq }: EngineUrls): Promise<number> {
  const connection = await amqp.connect(rabbitmq)
  try {
    const channel = await connection.createChannel()
    let count = 0
    for (const name of telemetryQueues) count += (await channel.checkQueue(name)).messageCount
    return count
  } finally {
    await connection.close()
  }
}

/** Messages that were delivered and not yet acknowledged, from the broker's statistics, which are up to 5 s old. */
export async function unacknowledged({ rabbitmqManagement }: EngineUrls): Promise<number> {
  const { origin, username, password } = new URL(rabbitmqManagement)
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  const answer = await fetch(`${origin}/api/queues/%2F`, { headers: { authorization } })
  const found = (await answer.json()) as { name: string; messages_unacknowledged?: number }[]
  return found
    .filter(({ name }) => telemetryQueues.includes(name))
    .reduce((sum, { messages_unacknowledged: count = 0 }) => sum + count, 0)
}

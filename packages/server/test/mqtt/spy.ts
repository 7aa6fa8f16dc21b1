import { agentBindingKey, exchanges, telemetryQueues } from '@manc/contract'
import amqp from 'amqplib'

export interface Arrival {
  queue: string
  routingKey: string
  text: string
}

/** Takes everything out of the telemetry queues, and a copy of whatever else agents publish. */
export async function startSpy(url: string): Promise<{ arrivals: Arrival[]; stop(): Promise<void> }> {
  const arrivals: Arrival[] = []
  const connection = await amqp.connect(url)
  const channel = await connection.createChannel()
  // Where one breaks, nothing arrives any more, and that is seen.
  for (const emitter of [connection, channel]) emitter.on('error', () => {})
  const { queue: copies } = await channel.assertQueue('', { exclusive: true })
  for (const topic of ['onboard', 'status', 'result'] as const)
    await channel.bindQueue(copies, exchanges.agents, agentBindingKey(topic))
  for (const queue of [...telemetryQueues, copies])
    await channel.consume(queue, (message) => {
      if (!message) return
      channel.ack(message)
      arrivals.push({
        queue,
        routingKey: message.fields.routingKey,
        text: message.content.toString('utf8'),
      })
    })
  return { arrivals, stop: () => connection.close() }
}

import { agentBindingKey, exchanges, telemetryQueues } from '@manc/contract'
import amqp from 'amqplib'

export interface RecordedMessage {
  queue: string
  routingKey: string
  text: string
}

/** Consumes the telemetry queues, and copies of all other messages that agents publish. */
export async function startQueueRecorder(
  url: string,
): Promise<{ messages: RecordedMessage[]; stop(): Promise<void> }> {
  const messages: RecordedMessage[] = []
  const connection = await amqp.connect(url)
  const channel = await connection.createChannel()
  // After a broken connection nothing arrives any more, and the tests that wait for messages fail.
  for (const emitter of [connection, channel]) emitter.on('error', () => {})
  const { queue: copies } = await channel.assertQueue('', { exclusive: true })
  for (const topic of ['onboard', 'status', 'result'] as const)
    await channel.bindQueue(copies, exchanges.agents, agentBindingKey(topic))
  for (const queue of [...telemetryQueues, copies])
    await channel.consume(queue, (message) => {
      if (!message) return
      channel.ack(message)
      messages.push({
        queue,
        routingKey: message.fields.routingKey,
        text: message.content.toString('utf8'),
      })
    })
  return { messages, stop: () => connection.close() }
}

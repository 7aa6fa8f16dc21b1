import { type AgentTopic, agentRoutingKey, exchanges } from '@manc/contract'
import amqp from 'amqplib'

/** Publishes messages as the broker's MQTT listener does for agents. */
export interface AgentPublisher {
  publish(apId: string, topic: AgentTopic, content: string): void
  /** Resolves when the broker has all messages in its queues. */
  confirmed(): Promise<void>
  close(): Promise<void>
}

export async function startAgentPublisher(url: string): Promise<AgentPublisher> {
  const connection = await amqp.connect(url)
  const channel = await connection.createConfirmChannel()
  // After a broken connection `confirmed` rejects.
  for (const emitter of [connection, channel]) emitter.on('error', () => {})
  return {
    publish: (apId, topic, content) =>
      void channel.publish(exchanges.agents, agentRoutingKey(apId, topic), Buffer.from(content), {
        persistent: true,
      }),
    confirmed: () => channel.waitForConfirms(),
    close: () => connection.close(),
  }
}

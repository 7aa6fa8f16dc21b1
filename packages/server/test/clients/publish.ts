import { type AgentClientsMessage, type AgentTopic, agentRoutingKey, exchanges } from '@manc/contract'
import type { TestEnvironment } from '@manc/harness'
import { expect, inject } from 'vitest'

/** As an agent publishes it, by the account that may publish anything. */
export async function publish(
  environment: TestEnvironment,
  apId: string,
  topic: AgentTopic,
  message: AgentClientsMessage | string | object,
): Promise<void> {
  const url = new URL(inject('engines').rabbitmqManagement)
  const authorization = `Basic ${Buffer.from(`${url.username}:${url.password}`).toString('base64')}`
  const answer = await fetch(
    `${url.origin}/api/exchanges/${environment.virtualHost}/${exchanges.agents}/publish`,
    {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({
        routing_key: agentRoutingKey(apId, topic),
        payload: typeof message === 'string' ? message : JSON.stringify(message),
        payload_encoding: 'string',
        properties: { delivery_mode: 2 },
      }),
    },
  )
  expect(await answer.json()).toEqual({ routed: true })
}

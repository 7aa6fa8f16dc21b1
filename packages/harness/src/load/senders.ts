import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { agentTopic } from '@manc/contract'
import { AgentMqtt, type Sample } from '@manc/sdk/agent'
import { connect, type MqttClient } from 'mqtt'
import type { FleetAgent } from './fleet.ts'

/** One agent over one transport. */
export interface Sender {
  apId: string
  /** Resolves with the acknowledgement. */
  send(sample: Sample): Promise<void>
  isConnected(): boolean
}

const acknowledgeTimeoutMs = 10_000
const keepAlive = new Agent({ keepAlive: true, maxSockets: 200 })

/** A plain MQTT client, like agents that do not use the SDK. */
export async function mqttSender(url: string, { apId, token }: FleetAgent): Promise<Sender> {
  const client = connect(url, {
    clientId: apId,
    username: apId,
    password: token,
    clean: true,
    protocolVersion: 4,
    reconnectPeriod: 500 + Math.random() * 3000,
    connectTimeout: 60_000,
    reconnectOnConnackError: true,
  })
  client.on('error', () => {})
  await new Promise<void>((resolve) => client.once('connect', () => resolve()))
  const acknowledgements = watchAcknowledgements(client)
  return {
    apId,
    send: async (sample) => {
      acknowledgements.expected += 1
      await client.publishAsync(agentTopic(apId, 'data'), JSON.stringify(sample), { qos: 1 })
      acknowledgements.received += 1
    },
    isConnected: () => client.connected,
  }
}

/**
 * Closes a connection without acknowledgements, as docs/devices.md asks of agents; the next one sends the messages
 * again. RabbitMQ 3.10 never acknowledges some messages that arrive while a quorum queue elects its leader.
 */
function watchAcknowledgements(client: MqttClient): { expected: number; received: number } {
  const counts = { expected: 0, received: 0 }
  let last = { received: 0, stream: client.stream }
  setInterval(() => {
    const isWaiting = counts.expected > counts.received && counts.received === last.received
    if (isWaiting && client.connected && client.stream === last.stream) client.stream.destroy()
    last = { received: counts.received, stream: client.stream }
  }, acknowledgeTimeoutMs)
  return counts
}

/** An agent on the SDK, which logs in with a token or with its password. */
export async function sdkSender(
  urls: { mqttUrl: string; url: string },
  { apId, password }: FleetAgent,
  passwordOnly: boolean,
): Promise<Sender> {
  const agent = new AgentMqtt({ ...urls, apId, password, passwordOnly })
  await agent.start()
  return { apId, send: (sample) => agent.send(sample), isConnected: () => agent.connected }
}

/** Retries until the sample is accepted: a refused or unanswered request is no acknowledgement. */
export function httpSender(urls: string[], agent: FleetAgent): Sender {
  const send = async (sample: Sample) => {
    for (let attempt = 0; attempt < 60; attempt++) {
      const url = urls[attempt % urls.length] ?? ''
      if (await post(url, agent, JSON.stringify(sample))) return
      await sleep(1000)
    }
    throw new Error('not accepted after 60 attempts')
  }
  return { apId: agent.apId, send, isConnected: () => true }
}

function post(url: string, { token }: FleetAgent, body: string): Promise<boolean> {
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const outgoing = request(`${url}/api/v1/agent_update/update`, {
      method: 'POST',
      headers,
      agent: keepAlive,
      timeout: 5000,
    })
    outgoing.once('response', (response) => {
      response.resume()
      response.once('end', () => resolve(response.statusCode === 200))
    })
    outgoing.once('timeout', () => outgoing.destroy())
    outgoing.once('error', () => resolve(false))
    outgoing.end(body)
  })
}

/**
 * A fleet of agents that send a sample each second, in a process of its own. What it is about to send and what was
 * acknowledged goes to a file, a line each, so that its word can be held against the store.
 */
import { createWriteStream } from 'node:fs'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type MqttClient } from 'mqtt'
import type { FleetAgent } from './fleet.ts'
import { payloadOf } from './payload.ts'

export interface Load {
  mqttUrl: string
  httpUrls: string[]
  overMqtt: FleetAgent[]
  overHttp: FleetAgent[]
  metrics: number
  everyMs: number
  seconds: number
  ledger: string
}

const keepAlive = new Agent({ keepAlive: true, maxSockets: 200 })

process.once('message', (load) => void run(load as Load))

async function run(load: Load): Promise<void> {
  const ledger = createWriteStream(load.ledger)
  const connected = load.overMqtt.map((agent) => open(load.mqttUrl, agent))
  const clients = await Promise.all(connected)
  process.send?.('connected')
  const startedAt = Date.now()
  const under = new Set<Promise<void>>()
  const track = (work: Promise<void>) => {
    const tracked = work.finally(() => under.delete(tracked))
    under.add(tracked)
  }
  const total = load.overMqtt.length + load.overHttp.length
  for (let round = 0; round < (load.seconds * 1000) / load.everyMs; round++) {
    // Spread over the interval: a thousand devices do not share a clock.
    for (let n = 0; n < total; n++) {
      const due = startedAt + round * load.everyMs + (n * load.everyMs) / total
      const wait = due - Date.now()
      if (wait > 2) await sleep(wait)
      const client = clients[n]
      const agent = load.overMqtt[n] ?? load.overHttp[n - load.overMqtt.length]
      if (!agent) continue
      const ts = Date.now()
      ledger.write(`i ${agent.apId} ${ts}\n`)
      const payload = payloadOf(ts, load.metrics)
      const acknowledged = () => void ledger.write(`a ${agent.apId} ${ts}\n`)
      if (client) track(publish(client, agent, { ts, payload }).then(acknowledged, () => {}))
      else track(post(load.httpUrls, agent, { ts, payload }).then(acknowledged, () => {}))
    }
  }
  // What an outage has held up is still sent again after it.
  await Promise.race([Promise.allSettled(under), sleep(90_000)])
  await new Promise((resolve) => ledger.end(resolve))
  process.send?.('done')
  process.exit(0)
}

function open(url: string, { apId, token }: FleetAgent): Promise<MqttClient> {
  const client = connect(url, {
    clientId: apId,
    username: apId,
    password: token,
    clean: true,
    protocolVersion: 4,
    reconnectPeriod: 500 + Math.random() * 3000,
    connectTimeout: 60_000,
  })
  client.on('error', () => {})
  return new Promise((resolve) => client.once('connect', () => resolve(client)))
}

async function publish(client: MqttClient, { apId }: FleetAgent, message: unknown): Promise<void> {
  await client.publishAsync(`agent/${apId}/data`, JSON.stringify(message), { qos: 1 })
}

/** Tries again until it is accepted: what was refused or unanswered is not yet anybody's promise. */
async function post(urls: string[], agent: FleetAgent, message: unknown): Promise<void> {
  for (let attempt = 0; attempt < 60; attempt++) {
    const url = urls[attempt % urls.length] ?? ''
    if (await postOnce(url, agent, JSON.stringify(message))) return
    await sleep(1000)
  }
  throw new Error('given up')
}

function postOnce(url: string, { token }: FleetAgent, body: string): Promise<boolean> {
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const outgoing = request(`${url}/api/v1/agent_update/update`, {
      method: 'POST',
      headers,
      agent: keepAlive,
      timeout: 5000,
    })
    outgoing.once('response', (answer) => {
      answer.resume()
      answer.once('end', () => resolve(answer.statusCode === 200))
    })
    outgoing.once('timeout', () => outgoing.destroy())
    outgoing.once('error', () => resolve(false))
    outgoing.end(body)
  })
}

import { setTimeout as sleep } from 'node:timers/promises'
import { agentTopic } from '@manc/contract'
import { createFleet, type FleetAgent } from '@manc/harness/load'
import { connect, type IClientOptions, type MqttClient } from 'mqtt'
import { type Bench, rounded } from './bench.ts'
import { type BenchEnvironment, createBenchEnvironment } from './environment.ts'
import { usageOfEngines } from './usage.ts'

/** The broker collects garbage every minute: before that, memory of the logins is included. */
const settleMs = 75_000
const connectedAtOnce = 50

/**
 * The broker's memory for each idle MQTT connection: of agents, which the controller authenticates and which subscribe to
 * their commands, and of bare connections of a user of the broker with one subscription each. The ratio is bare memory
 * against that of an agent.
 */
export const connections: Bench = async ({ quick, agents = quick ? 500 : 5000, log }) => {
  const environment = await createBenchEnvironment(log, { ownBroker: true })
  try {
    log(`storing ${agents} agents …`)
    const fleet = await createFleet(environment.variables, 'idle', agents)
    const wait = quick ? 5000 : settleMs
    const ofAgent = await measure(environment, fleet, asAgent, { wait, log })
    log('restarting the broker …')
    await environment.engines.stop('rabbitmq')
    await environment.engines.start('rabbitmq')
    const ofBare = await measure(environment, fleet, asBrokerUser(environment), { wait, log })
    return {
      ratio: rounded(ofBare.kib / ofAgent.kib, 3),
      connections: agents,
      broker: await versionOf(environment),
      kib_per_agent: rounded(ofAgent.kib, 1),
      kib_per_bare_connection: rounded(ofBare.kib, 1),
      agents_connected_s: rounded(ofAgent.connectedS, 1),
      broker_mib_without_connections: Math.round(ofAgent.baseMib),
    }
  } finally {
    await environment.end()
  }
}

interface Login {
  options: IClientOptions
  topic: string
}

const asAgent = ({ apId, token }: FleetAgent): Login => ({
  options: { clientId: apId, username: apId, password: token },
  topic: agentTopic(apId, 'command'),
})

const asBrokerUser = ({ engines }: BenchEnvironment) => {
  const { username, password } = new URL(engines.urls.rabbitmq)
  return ({ apId }: FleetAgent): Login => ({
    options: { clientId: `bare-${apId}`, username, password },
    topic: `bare/${apId}`,
  })
}

async function measure(
  { engines }: BenchEnvironment,
  fleet: readonly FleetAgent[],
  loginOf: (agent: FleetAgent) => Login,
  { wait, log }: { wait: number; log: (line: string) => void },
) {
  const memory = () => usageOfEngines(engines.dir).rabbitmq.rssBytes / 1024
  const before = memory()
  const startedAt = performance.now()
  const clients: MqttClient[] = []
  for (let from = 0; from < fleet.length; from += connectedAtOnce) {
    const some = fleet.slice(from, from + connectedAtOnce)
    clients.push(...(await Promise.all(some.map((agent) => logIn(engines.urls.mqtt, loginOf(agent))))))
  }
  const connectedS = (performance.now() - startedAt) / 1000
  log(`${clients.length} connected after ${connectedS.toFixed(1)} s; measuring after ${wait / 1000} s …`)
  await sleep(wait)
  const lost = clients.filter((client) => !client.connected).length
  if (lost > 0) throw new Error(`${lost} of ${clients.length} connections were lost`)
  const kib = (memory() - before) / clients.length
  await Promise.all(clients.map((client) => client.endAsync(true)))
  return { kib, connectedS, baseMib: before / 1024 }
}

async function logIn(url: string, { options, topic }: Login): Promise<MqttClient> {
  const client = connect(url, {
    ...options,
    protocolVersion: 4,
    keepalive: 300,
    connectTimeout: 60_000,
    reconnectPeriod: 0,
  })
  await new Promise<void>((resolve, reject) => {
    client.once('connect', () => resolve())
    client.once('error', reject)
    client.once('close', () => reject(new Error('the broker closed a connection during its login')))
  })
  await client.subscribeAsync(topic, { qos: 1 })
  return client
}

async function versionOf({ engines }: BenchEnvironment): Promise<string> {
  const { origin, username, password } = new URL(engines.urls.rabbitmqManagement)
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  const answer = await fetch(`${origin}/api/overview`, { headers: { authorization } })
  return ((await answer.json()) as { rabbitmq_version: string }).rabbitmq_version
}

import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Manc } from '@manc/sdk'
import { connectAsync, type MqttClient } from 'mqtt'

/** With the default interval an agent is offline after 30 s. */
const stateMs = 120_000

interface Options {
  url: string
  mqttUrl: string
  ca: string
  admin: { username: string; password: string }
}

/** An agent over MQTT with TLS: RabbitMQ must get the answers of the controller over the broker secret. */
export async function checkAgent({ url, mqttUrl, ca, admin }: Options): Promise<string> {
  const manc = new Manc({ url, credentials: admin })
  const apId = `play-${randomBytes(4).toString('hex')}`
  const password = randomBytes(16).toString('hex')
  await manc.agents.register({ ap_id: apId, password, configuration: {} })
  const connect = (secret: string): Promise<MqttClient> =>
    connectAsync(mqttUrl, { ca, clientId: apId, username: apId, password: secret, reconnectPeriod: 0 }, false)
  const isRefused = await connect('wrong-password').then(
    () => false,
    () => true,
  )
  if (!isRefused) throw new Error('A wrong password was accepted.')
  const client = await connect(password)
  await client.publishAsync(`agent/${apId}/data`, JSON.stringify({ load: 1 }), { qos: 1 })
  // It is the only one.
  const until = async (state: 'online' | 'offline') => {
    for (const end = Date.now() + stateMs; (await manc.fleet.summary())[state] === 0; await sleep(500))
      if (Date.now() > end) throw new Error(`The agent is not ${state} after ${stateMs / 1000} s.`)
  }
  await until('online')
  // Still connected: only the missing samples tell.
  await until('offline')
  const { promise: closed, resolve, reject } = Promise.withResolvers<void>()
  client.once('close', () => resolve())
  const timer = setTimeout(reject, 20_000, new Error('The deleted agent stays connected.'))
  await manc.agents.remove(apId)
  await closed
  clearTimeout(timer)
  return 'connected with TLS, sample acknowledged, offline when silent, wrong password refused, disconnected when deleted'
}

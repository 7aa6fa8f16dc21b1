import { agentTopic } from '@manc/contract'
import {
  admin,
  call,
  type IsolatedEnvironment,
  type ServerProcess,
  startServerProcess,
  tokenOf,
  uniqueName,
} from '@manc/harness'
import { testWithEngines } from '@manc/harness/fixture'
import { connect, type MqttClient } from 'mqtt'
import { afterAll, expect } from 'vitest'

const it = testWithEngines.override('withServer', false)

let environment: IsolatedEnvironment
let server: ServerProcess
let token: string
const clients: MqttClient[] = []
const soon = { timeout: 30_000, interval: 50 }

const start = () =>
  startServerProcess({
    ...environment.variables,
    MANC_COMMAND_SECONDS: '60',
    MANC_COMMAND_DELIVERY_SECONDS: '2',
    MANC_COMMAND_RESULT_SECONDS: '12',
  })

it.beforeAll(async ({ environment: own }) => {
  environment = own
  server = await start()
  token = await tokenOf(server.url, 'user', admin.username, admin.password)
})

afterAll(async () => {
  for (const client of clients) client.end(true)
  await server?.stop('SIGKILL')
})

/** A new agent, and the command that waits for it. */
async function commanded(name: string): Promise<{ apId: string; job: string }> {
  const apId = uniqueName(name)
  const body = { ap_id: apId, password: 'p', configuration: {} }
  await call(server.url, 'POST', '/api/v1/agents/', { token, body })
  const sent = await call(server.url, 'POST', `/api/v1/send_command?agent_id=${apId}&command=x`, { token })
  return { apId, job: sent.body.job_number }
}

const state = async (job: string) =>
  (await call(server.url, 'GET', `/api/v1/jobs/${job}`, { token })).body.state

async function device(apId: string) {
  const client = connect(environment.engines.mqtt, {
    clientId: apId,
    username: apId,
    password: 'p',
    clean: true,
    protocolVersion: 4,
    reconnectPeriod: 0,
  })
  clients.push(client)
  const got: string[] = []
  client.on('message', (_topic, payload) => got.push(JSON.parse(payload.toString()).id))
  await new Promise((resolve, reject) => client.once('connect', resolve).on('error', reject))
  await client.subscribeAsync(agentTopic(apId, 'command'), { qos: 1 })
  const say = (id: string, word: string) =>
    client.publishAsync(agentTopic(apId, 'result'), JSON.stringify({ id, state: word }), { qos: 1 })
  return { got, say }
}

it('a command continues after a crash of the server in every state', async () => {
  const { apId: waiting, job: queued } = await commanded('r-queued')
  const devices = {
    sent: await device((await commanded('r-sent')).apId),
    delivered: await device((await commanded('r-delivered')).apId),
    silent: await device((await commanded('r-silent')).apId),
    done: await device((await commanded('r-done')).apId),
  }
  for (const { got } of Object.values(devices)) await expect.poll(() => got.length, soon).toBeGreaterThan(0)
  const [id = '', delivered = '', silent = '', done = ''] = Object.values(devices).map(({ got }) => got[0])
  await devices.delivered.say(delivered, 'delivered')
  await devices.silent.say(silent, 'delivered')
  await devices.done.say(done, 'succeeded')
  await expect
    .poll(() => Promise.all([queued, id, delivered, silent, done].map(state)), soon)
    .toEqual(['queued', 'sent', 'delivered', 'delivered', 'succeeded'])

  await server.stop('SIGKILL')
  try {
    // The broker keeps what an agent says meanwhile.
    await devices.delivered.say(delivered, 'succeeded')
    devices.sent.got.length = 0
  } finally {
    server = await start()
  }

  // One that was sent is sent again under the same id: agents know it by that.
  await expect.poll(() => devices.sent.got[0], soon).toBe(id)
  await devices.sent.say(id, 'succeeded')
  const late = await device(waiting)
  await expect.poll(() => late.got[0], soon).toBe(queued)
  await late.say(queued, 'failed')
  await expect
    .poll(() => Promise.all([queued, id, delivered, silent, done].map(state)), soon)
    .toEqual(['failed', 'succeeded', 'succeeded', 'timed_out', 'succeeded'])
}, 150_000)

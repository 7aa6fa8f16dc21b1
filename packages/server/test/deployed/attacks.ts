/**
 * The checks of mqtt/attacks.test.ts that need only what an outsider has: the public URL, the MQTT port and accounts of
 * agents. Everything that it creates is deleted again.
 *
 *   NODE_EXTRA_CA_CERTS=ca.crt npx node packages/server/test/deployed/attacks.ts \
 *     --url https://… --mqtt-url mqtts://… --username ADMIN --password-file FILE
 */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import { parseArgs } from 'node:util'
import { call, tokenOf } from '@manc/harness'
import type { IClientOptions } from 'mqtt'
import { connectDevice, type Device } from '../mqtt/device.ts'
import { forbiddenPublications, forbiddenSubscriptions } from '../mqtt/forbidden-topics.ts'
import { SteadySender } from '../mqtt/steady-sender.ts'

const { values } = parseArgs({
  options: {
    url: { type: 'string', default: '' },
    'mqtt-url': { type: 'string', default: '' },
    username: { type: 'string', default: '' },
    'password-file': { type: 'string', default: '' },
  },
})
const { url, 'mqtt-url': mqttUrl, username } = values
const suffix = randomBytes(4).toString('hex')
const attacker = `attacker-${suffix}`
const victim = `victim-${suffix}`
const observer = `observer-${suffix}`
const password = randomBytes(16).toString('hex')
const failures: string[] = []
let passed = 0

const adminToken = await tokenOf(url, 'user', username, readFileSync(values['password-file'], 'utf8').trim())
try {
  for (const apId of [attacker, victim, observer]) await register(apId)
  await attack()
} finally {
  for (const apId of [attacker, victim, observer])
    await call(url, 'DELETE', `/api/v1/agents/${apId}`, { token: adminToken })
}
for (const failure of failures) process.stdout.write(`failed: ${failure}\n`)
process.stdout.write(`${passed} of ${passed + failures.length} checks passed\n`)
process.exitCode = failures.length > 0 ? 1 : 0
// Sockets of attacks that got no answer.
process.exit()

async function attack(): Promise<void> {
  const steady = new SteadySender(await connectAs(observer), observer)
  const target = await connectAs(victim)
  const received: string[] = []
  target.client.on('message', (topic) => received.push(topic))
  await target.subscribe(`agent/${victim}/command`)

  for (const topic of forbiddenPublications) {
    const device = await connectAs(attacker)
    await refused(`publish to ${topic}`, device.publish(named(topic), '{"status":"stolen","stolen":1}'))
    device.vanish()
  }
  for (const topic of forbiddenSubscriptions) {
    const device = await connectAs(attacker)
    await refused(`subscribe to ${topic}`, device.subscribe(named(topic)))
    device.vanish()
  }
  const logins: [string, string, string, IClientOptions?][] = [
    ['a wrong password', attacker, 'wrong-password'],
    ['an empty password', attacker, ''],
    ["another agent's client id", attacker, password, { clientId: victim }],
    ["another agent's user name", victim, password, { clientId: attacker }],
    ['no client id', attacker, password, { clientId: '' }],
    ['the default user of the broker', 'guest', 'guest'],
    ["the controller's user", 'manc.server', 'guest'],
    ["the administrator's account", username, readFileSync(values['password-file'], 'utf8').trim()],
    ["the attacker's token for the victim", victim, await tokenOf(url, 'agent', attacker, password)],
  ]
  for (const [how, name, secret, more] of logins)
    await refused(`login with ${how}`, connectDevice(mqttUrl, name, secret, more))
  await refused('login without a user name', connectDevice(mqttUrl, '', '', { username: '', clientId: 'x' }))
  await refused(
    'MQTT without TLS',
    connectDevice(mqttUrl.replace('mqtts:', 'mqtt:'), attacker, password, { connectTimeout: 3000 }),
  )
  for (const address of [url, mqttUrl]) {
    await refused(`TLS 1.1 at ${new URL(address).port}`, handshake(address, 'TLSv1.1'))
    check(`TLS 1.2 at ${new URL(address).port}`, await succeeds(handshake(address, 'TLSv1.2')))
  }
  for (const bytes of [2 * 2 ** 20, 16 * 2 ** 20]) {
    const device = await connectAs(attacker)
    const answer = device.publish(`agent/${attacker}/data`, Buffer.alloc(bytes, 'x')).then(
      () => 'acknowledged',
      () => 'closed',
    )
    check(
      `publish of ${bytes} bytes`,
      (await Promise.race([answer, sleep(3000, 'silence')])) !== 'acknowledged',
    )
    device.vanish()
  }
  for (const path of ['/metrics', '/broker/user', '/api/v1/../../metrics', '/internal'])
    check(`GET ${path}`, (await call(url, 'GET', path)).status === 404)
  check(
    'POST /broker/user',
    (await call(url, 'POST', '/broker/user', { form: { username: attacker } })).status === 404,
  )

  check('the victim stays connected', target.isConnected())
  check('the victim received nothing', received.length === 0)
  await steady.stop()
  check('the observer sent samples', steady.acknowledged.length > 10)
  check('every sample of the observer is stored', await isStored(steady.acknowledged.length))
  // Deleted agents are disconnected, by a user of the broker that can do only that.
  await call(url, 'DELETE', `/api/v1/agents/${victim}`, { token: adminToken })
  check('a deleted agent is disconnected', await succeeds(Promise.race([target.closed, timeout(10_000)])))
}

async function register(apId: string): Promise<void> {
  const body = { ap_id: apId, password, configuration: {} }
  const { status } = await call(url, 'POST', '/api/v1/agents/', { token: adminToken, body })
  if (status !== 200) throw new Error(`registering ${apId}: ${status}`)
}

function connectAs(apId: string): Promise<Device> {
  return connectDevice(mqttUrl, apId, password)
}

function named(topic: string): string {
  return topic.replace('attacker', attacker).replace('victim', victim)
}

function check(what: string, isRefused: boolean): void {
  if (isRefused) passed += 1
  else failures.push(what)
}

async function refused(what: string, work: Promise<unknown>): Promise<void> {
  check(what, !(await succeeds(work)))
}

async function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  )
}

async function timeout(ms: number): Promise<never> {
  await sleep(ms)
  throw new Error('too late')
}

function handshake(address: string, version: 'TLSv1.1' | 'TLSv1.2'): Promise<void> {
  const { hostname, port } = new URL(address)
  return new Promise((resolve, reject) => {
    const socket = connectTls({
      host: hostname,
      port: Number(port),
      minVersion: version,
      maxVersion: version,
      // Old versions are off in this client too, unless the security level is lowered.
      ciphers: 'ALL:@SECLEVEL=0',
    })
    socket.once('secureConnect', () => {
      socket.destroy()
      resolve()
    })
    socket.once('error', reject)
  })
}

async function isStored(samples: number): Promise<boolean> {
  const path = `/api/v1/metrics/agent_multi_metric_data?agent=${observer}&metrics=seq&window=30`
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; await sleep(500)) {
    const { body } = await call(url, 'GET', path, { token: adminToken })
    if (body.series?.[0]?.points?.length === samples) return true
  }
  return false
}

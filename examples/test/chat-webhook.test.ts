import { createHmac, randomUUID } from 'node:crypto'
import { admin, call, closedPort, type IsolatedEnvironment, tokenOf, uniqueName } from '@manc/harness'
import { type EmulatorProcess, registerEmulatorApp, startEmulator } from '@manc/harness/emulator-process'
import { testWithEngines } from '@manc/harness/fixture'
import { startWebhookInbox, type WebhookInbox } from '@manc/harness/webhook-inbox'
import { Manc } from '@manc/sdk'
import { afterAll, expect, vi } from 'vitest'
import { emulate, type RunningApp, run } from './app-process.ts'

const it = testWithEngines.override('variables', {
  MANC_ROLES: 'api,subscriber,ingester',
  MANC_WEBHOOK_PRIVATE: 'true',
  MANC_PUBLIC_URL: 'https://manc.example.test',
})
const soon = { timeout: 60_000, interval: 100 }

let environment: IsolatedEnvironment
let manc: Manc
let emulator: EmulatorProcess
/** In place of the chat: what was posted to its incoming webhook. */
let chat: WebhookInbox
let app: RunningApp
let url: string
let secret: string
let receiver: string

it.beforeAll(async ({ environment: own }) => {
  environment = own
  const token = await tokenOf(environment.url, 'user', admin.username, admin.password)
  await registerEmulatorApp(environment.url, token)
  manc = new Manc({ url: environment.url, credentials: admin })
  emulator = startEmulator(environment.url, environment)
  chat = await startWebhookInbox()
  const port = String(await closedPort())
  url = `http://127.0.0.1:${port}/`
  const created = await manc.notifications.createReceiver({ name: uniqueName('chat'), type: 'webhook', url })
  receiver = created.id
  secret = created.secret ?? ''
  app = run('chat-webhook.ts', { MANC_WEBHOOK_SECRET: secret, CHAT_WEBHOOK_URL: chat.url, PORT: port })
  await vi.waitFor(() => expect(app.output()).toContain('messages are posted to the chat'), soon)
})

afterAll(async () => {
  app?.child.kill('SIGKILL')
  emulator?.process.kill('SIGKILL')
  await chat?.stop()
})

const texts = () => chat.received.map(({ body }) => (JSON.parse(body) as { text: string }).text)

it('alarms of emulated access points are posted to the chat, and their end too', async () => {
  const [apId = ''] = await emulate(manc, [
    {
      access_point_type: 'WiFi',
      num_access_points: 1,
      num_devices: 5,
      duration: 300,
      locations: ['Bristol'],
    },
  ])
  const rule = await manc.alarms.createRule({
    name: uniqueName('<!channel> @all & load'),
    severity: 'critical',
    metric: 'load_pct',
    raise_op: '>=',
    raise_threshold: 90,
    raise_for_s: 0,
    clear_for_s: 0,
  })
  await manc.notifications.createRoute({
    name: uniqueName('route'),
    receiver_id: receiver,
    rule_ids: [rule.id],
    emulated: 'all',
    group_wait_s: 0,
    group_interval_s: 0,
  })
  const startsAt = new Date().toISOString()
  /** As vmalert sends it, with each evaluation: the first ones may come before the route is known. */
  const sendAlert = async () => {
    const alert = {
      labels: { alertname: rule.id, rule_id: rule.id, revision: '1', ap_id: apId },
      annotations: { value: '97' },
      startsAt,
      endsAt: new Date(Date.now() + 600_000).toISOString(),
    }
    await call(environment.server.internalUrl, 'POST', '/api/v2/alerts', { body: [alert] })
  }
  const name = rule.name.replace('<!channel> @all &', '&lt;!channel&gt; @\u200ball &amp;')
  await expect
    .poll(() => sendAlert().then(texts), { timeout: 60_000, interval: 1000 })
    .toContainEqual(
      expect.stringMatching(
        new RegExp(`^Alarm: ${name}\nopen: ${name}: ${apId} https://manc.example.test/alarms/`),
      ),
    )
  await manc.alarms.removeRule(rule.id)
  await expect.poll(texts, soon).toContainEqual(expect.stringContaining(`Cleared: ${name}\ncleared: ${name}`))
})

it('a message is sent again until the chat accepts it, and is posted once', async () => {
  chat.status = 500
  const before = chat.received.length
  const { id } = await manc.notifications.test(receiver)
  await expect.poll(() => chat.received.length, soon).toBeGreaterThan(before)
  await expect.poll(async () => (await manc.notifications.delivery(id)).status_code, soon).toBe(502)
  chat.status = 200
  await expect.poll(async () => (await manc.notifications.delivery(id)).status, soon).toBe('sent')
  expect(app.output()).toContain('The chat did not accept the message (500). Check CHAT_WEBHOOK_URL.')
  const after = chat.received.length
  await post(id)
  expect(chat.received).toHaveLength(after)
})

/** A signed message, with parts of it replaced. */
async function post(
  id: string = randomUUID(),
  { time = Date.now() / 1000, key = secret, body = bodyOf(id), sent = '' } = {},
) {
  const timestamp = String(Math.floor(time))
  const signature = `v1=${createHmac('sha256', key).update(`${timestamp}.${body}`).digest('hex')}`
  const headers = { 'x-manc-delivery': id, 'x-manc-timestamp': timestamp, 'x-manc-signature': signature }
  const response = await fetch(url, { method: 'POST', headers, body: sent || body })
  return { status: response.status, text: await response.text() }
}
const bodyOf = (alertname: string) =>
  JSON.stringify({ status: 'firing', truncatedAlerts: 0, commonLabels: { alertname }, alerts: [] })

it('a message that comes twice at the same time is posted once, and both requests get the result', async () => {
  const id = randomUUID()
  chat.status = 500
  expect(await Promise.all([post(id), post(id)])).toMatchObject([{ status: 502 }, { status: 502 }])
  chat.status = 200
  const before = chat.received.length
  expect(await Promise.all([post(id), post(id)])).toMatchObject([{ status: 200 }, { status: 200 }])
  expect(chat.received).toHaveLength(before + 1)
})

it('a recorded message is not posted again with another id', async () => {
  const id = randomUUID()
  const recorded = { time: Date.now() / 1000, body: bodyOf(id) }
  expect(await post(id, recorded)).toMatchObject({ status: 200 })
  expect(await post(id, recorded)).toMatchObject({ status: 200 })
  const refused = { status: 401, text: expect.stringContaining('used with another id') }
  expect(await post(randomUUID(), recorded)).toEqual(refused)
  expect(texts().filter((text) => text === `Alarm: ${id}`)).toHaveLength(1)
})

it('messages of others are refused', async () => {
  expect(await post()).toMatchObject({ status: 200 })
  const before = chat.received.length
  const refused = { status: 401, text: expect.stringContaining('Compare the secret, and the clocks') }
  expect(await post(randomUUID(), { key: 'another' })).toEqual(refused)
  expect(await post(randomUUID(), { time: Date.now() / 1000 - 400 })).toEqual(refused)
  expect(await post(randomUUID(), { sent: bodyOf('another') })).toEqual(refused)
  expect(await fetch(url, { method: 'POST', body: bodyOf('unsigned') })).toMatchObject({ status: 401 })
  expect(await post(randomUUID(), { body: '{' })).toMatchObject({ status: 400 })
  expect(await fetch(url)).toMatchObject({ status: 405 })
  // Its connection may be closed before the response is read.
  const tooLong = fetch(url, { method: 'POST', body: 'x'.repeat(2_000_000) })
  expect(await tooLong.then(({ status }) => status).catch(() => 413)).toBe(413)
  expect(chat.received).toHaveLength(before)
  for (const hidden of [secret, chat.url]) expect(app.output()).not.toContain(hidden)
})

it('it says what to do next without a secret, prints texts without a chat, and stops', async () => {
  const unset = run('chat-webhook.ts', {})
  expect(await unset.ended).toBe(2)
  expect(unset.output()).toContain(
    'MANC_WEBHOOK_SECRET is not set. It is in the response to create-receiver;',
  )
  const printing = run('chat-webhook.ts', { MANC_WEBHOOK_SECRET: 's', PORT: String(await closedPort()) })
  await expect.poll(printing.output, soon).toContain('messages are printed: CHAT_WEBHOOK_URL is not set')
  printing.child.kill('SIGTERM')
  expect(await printing.ended).toBe(0)
  expect(printing.output()).toContain('stopped')
})

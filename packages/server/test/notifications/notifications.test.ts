import type { ServerResponse } from 'node:http'
import type { Alarm } from '@manc/contract'
import { type TestEnvironment, uniqueName } from '@manc/harness'
import { test } from '@manc/harness/fixture'
import { startMailInbox } from '@manc/harness/mail-inbox'
import { afterAll, describe, expect } from 'vitest'
import { alertOf, onlineAgent, postAlerts, setState } from '../alarms/agents.ts'
import { Hook, isSigned } from './hook.ts'
import { clientOf, onlineAgents, patience, quietNow, routeTo } from './setup.ts'

const inbox = await startMailInbox()
const it = test.override('variables', {
  MANC_ALARM_INTERVAL_SECONDS: '1',
  MANC_WEBHOOK_PRIVATE: 'true',
  MANC_SMTP_URL: inbox.url,
  MANC_PUBLIC_URL: 'https://manc.example.test',
})

let environment: TestEnvironment
let client: ReturnType<typeof clientOf>
const hooks: Hook[] = []

it.beforeAll(async ({ environment: own }) => {
  environment = own
  client = clientOf(environment)
  await environment.sql(`update alarm_rules set is_enabled = false where id = 'presence.offline'`)
})

afterAll(async () => {
  for (const hook of hooks) hook.close()
  await inbox.stop()
})

async function newHook(): Promise<Hook> {
  const hook = await new Hook().open()
  hooks.push(hook)
  return hook
}

/** A webhook that gets alarms of one rule. */
async function routed(more: object = {}) {
  const hook = await newHook()
  const rule = await client.rule()
  const receiver = await client.receiver(hook.url)
  const route = await client.route(receiver.id, { rule_ids: [rule.id], ...more })
  return { hook, rule, receiver, route }
}

const replace = (route: { id: string; receiver_id: string }, more: object) =>
  client.send('PUT', `notification_routes/${route.id}`, { ...routeTo(route.receiver_id), ...more })

const raise = async (agents: readonly string[], rule: { id: string }, value = 120) => {
  const { status } = await postAlerts(
    environment,
    agents.map((apId) => alertOf(apId, rule, { value })),
  )
  expect(status).toBe(200)
}

describe('a route', () => {
  it('sends one signed message about 200 access points, and one when they are cleared', async () => {
    const { hook, rule, receiver } = await routed()
    const agents = await onlineAgents(environment, 200)
    await raise(agents, rule)
    await expect.poll(() => hook.received.length, patience).toBe(1)
    const [first] = hook.received
    expect(first?.body).toMatchObject({
      version: '4',
      status: 'firing',
      receiver: receiver.name,
      truncatedAlerts: 100,
      groupLabels: { alertname: rule.name, rule_id: rule.id },
      commonLabels: { alertname: rule.name, rule_id: rule.id, severity: 'warning', technology: 'WiFi' },
      externalURL: 'https://manc.example.test',
    })
    expect(first?.body.alerts).toHaveLength(100)
    expect(first?.body.alerts[0]).toMatchObject({
      labels: { rule_id: rule.id, severity: 'warning' },
      annotations: { value: '120' },
      endsAt: '0001-01-01T00:00:00Z',
      fingerprint: expect.stringMatching(/^[0-9a-f]{16}$/),
    })
    expect(first && isSigned(first, receiver.secret ?? '')).toBe(true)
    await client.send('DELETE', `alarm_rules/${rule.id}`)
    await expect.poll(() => hook.received.length, patience).toBe(2)
    expect(hook.received[1]?.body).toMatchObject({ status: 'resolved', truncatedAlerts: 100 })
    expect(hook.received[1]?.body.alerts[0]?.fingerprint).toBe(first?.body.alerts[0]?.fingerprint)
    await expect
      .poll(async () => (await client.deliveries(receiver.id)).map(({ status }) => status), patience)
      .toEqual(['sent', 'sent'])
    const [cleared, raised] = await client.deliveries(receiver.id)
    expect([raised?.id, cleared?.id]).toEqual(hook.received.map(({ headers }) => headers['x-manc-delivery']))
    expect(raised).toMatchObject({
      subject: `[warning] ${rule.name}: 200 access points`,
      raised: 200,
      cleared: 0,
      attempts: 1,
      status_code: 200,
    })
    expect((await client.send('GET', `notification_deliveries/${raised?.id}`)).alarms).toHaveLength(100)
  })

  it('sends the next message of a group after its interval only', async () => {
    const { hook, rule, route } = await routed({ group_interval_s: 3600 })
    const [one = '', two = '', three = ''] = await onlineAgents(environment, 3)
    await raise([one], rule)
    await expect.poll(() => hook.agents('firing'), patience).toEqual([[one]])
    await raise([two, three], rule)
    // Another route shows that the alarms were handled.
    const other = await routed()
    await raise([one], other.rule)
    await expect.poll(() => other.hook.agents('firing'), patience).toEqual([[one]])
    expect(hook.received).toHaveLength(1)
    await replace(route, { rule_ids: [rule.id] })
    await expect
      .poll(() => hook.agents('firing').map((agents) => agents.toSorted()), patience)
      .toEqual([[one], [two, three]])
  })

  it('leaves out alarms that its filter does not match, and those of emulated agents', async () => {
    const hook = await newHook()
    const receiver = await client.receiver(hook.url)
    const [wifi = '', emulated = '', second = ''] = await onlineAgents(environment, 3)
    const lifi = await onlineAgent(environment, 'LiFi')
    await environment.sql('update fleet set emulated_by = gen_random_uuid() where ap_id = any($1)', [
      [emulated, second],
    ])
    const [warning, critical] = [await client.rule(), await client.rule({ severity: 'critical' })]
    await client.route(receiver.id, {
      severities: ['critical'],
      technologies: ['WiFi'],
      ap_ids: [wifi, emulated],
    })
    await raise([wifi], warning)
    await raise([wifi, emulated, lifi], critical)
    await expect.poll(() => hook.agents('firing'), patience).toEqual([[wifi]])
    expect(hook.received[0]?.body.alerts[0]?.labels['severity']).toBe('critical')
    const all = await routed({ emulated: 'all' })
    await raise([second], all.rule)
    await expect.poll(() => all.hook.agents('firing'), patience).toEqual([[second]])
    expect(hook.received).toHaveLength(1)
  })

  it('holds alarms back in quiet hours, and forgets those that are cleared by then', async () => {
    const quiet = { group_by: 'none', quiet_hours: quietNow() }
    const { hook, rule, route } = await routed(quiet)
    const [ended, critical] = [await client.rule(), await client.rule({ severity: 'critical' })]
    const ruleIds = [rule.id, ended.id, critical.id]
    await replace(route, { ...quiet, rule_ids: ruleIds })
    const [one = '', two = '', three = ''] = await onlineAgents(environment, 3)
    await raise([one], rule)
    await raise([two], ended)
    await raise([three], critical)
    await expect.poll(() => hook.agents('firing'), patience).toEqual([[three]])
    await client.send('DELETE', `alarm_rules/${ended.id}`)
    await replace(route, { group_by: 'none', rule_ids: ruleIds })
    await expect.poll(() => hook.agents('firing'), patience).toEqual([[three], [one]])
    expect(hook.agents('resolved')).toEqual([])
  })

  it('holds alarms of agents that are offline back until they are online', async () => {
    const { hook, rule, route } = await routed({ quiet_hours: quietNow() })
    const [offline = '', online = ''] = await onlineAgents(environment, 2)
    await raise([offline, online], rule)
    await setState(environment, offline, 'offline')
    await replace(route, { rule_ids: [rule.id] })
    await expect.poll(() => hook.agents('firing'), patience).toEqual([[online]])
    await setState(environment, offline, 'online')
    await expect.poll(() => hook.agents('firing'), patience).toEqual([[online], [offline]])
  })

  it('holds silenced alarms back until the silence ends', async () => {
    const { hook, rule } = await routed()
    const [silenced = '', other = ''] = await onlineAgents(environment, 2)
    const { id } = await client.send('POST', 'silences', {
      comment: 'maintenance',
      ap_ids: [silenced],
      ends_at: new Date(Date.now() + 3_600_000).toISOString(),
    })
    await raise([silenced, other], rule)
    await expect.poll(() => hook.agents('firing'), patience).toEqual([[other]])
    await client.send('DELETE', `silences/${id}`)
    await expect.poll(() => hook.agents('firing'), patience).toEqual([[other], [silenced]])
  })

  it('whose messages cannot be made does not stop others, and is tried again', async () => {
    const [broken, other] = [await routed(), await routed()]
    const setZone = (zone: string) =>
      environment.sql(
        `update notification_routes set quiet_hours = jsonb_build_object('from', '00:00', 'to', '00:01', 'time_zone', $2::text)
         where id = $1`,
        [broken.route.id, zone],
      )
    await setZone('Europe/Nowhere')
    const agents = await onlineAgents(environment, 1)
    await raise(agents, broken.rule)
    await expect
      .poll(() => environment.server.logged(), patience)
      .toContain('messages of a group could not be made')
    await raise(agents, other.rule)
    await expect.poll(() => other.hook.agents('firing'), patience).toEqual([agents])
    expect(broken.hook.received).toEqual([])
    await replace(broken.route, { rule_ids: [broken.rule.id] })
    await expect.poll(() => broken.hook.agents('firing'), patience).toEqual([agents])
  })

  it('to a receiver that is disabled sends nothing, also not later', async () => {
    const { hook, rule, receiver } = await routed()
    const other = await routed()
    const put = (enabled: boolean) =>
      client.send('PUT', `notification_receivers/${receiver.id}`, {
        name: receiver.name,
        type: 'webhook',
        url: hook.url,
        is_enabled: enabled,
      })
    await put(false)
    const [before = '', after = ''] = await onlineAgents(environment, 2)
    await raise([before], rule)
    await raise([before], other.rule)
    await expect.poll(() => other.hook.agents('firing'), patience).toEqual([[before]])
    const left = () =>
      environment.sql(
        `select from notification_alarms as n join alarms on alarms.id = n.alarm_id where rule_id = $1`,
        [rule.id],
      )
    await expect.poll(left, patience).toHaveLength(0)
    await put(true)
    await raise([after], rule)
    await expect.poll(() => hook.agents('firing'), patience).toEqual([[after]])
    await client.send('DELETE', `alarm_rules/${rule.id}`)
    await expect.poll(() => hook.agents('resolved'), patience).toEqual([[after]])
  })

  it('escalates alarms that are not acknowledged, once, and reports their end there too', async () => {
    const [quiet, chief] = [{ quiet_hours: quietNow() }, await newHook()]
    const escalateTo = (await client.receiver(chief.url)).id
    const { hook, rule, route } = await routed(quiet)
    const [acknowledged = '', open = ''] = await onlineAgents(environment, 2)
    await raise([acknowledged, open], rule)
    const alarms: Alarm[] = await client.send('GET', `alarms?rule=${rule.id}`)
    const id = alarms.find(({ ap_id: apId }) => apId === acknowledged)?.id
    await client.send('POST', `alarms/${id}/acknowledge`, {})
    await replace(route, { rule_ids: [rule.id], escalate_after_s: 1, escalate_to: escalateTo })
    await expect.poll(() => chief.agents('firing'), patience).toEqual([[open]])
    expect(hook.agents('firing').flat().toSorted()).toEqual([acknowledged, open].toSorted())
    await client.send('DELETE', `alarm_rules/${rule.id}`)
    await expect.poll(() => chief.agents('resolved'), patience).toEqual([[open]])
    expect(chief.received).toHaveLength(2)
    const [, first] = await client.deliveries(escalateTo)
    expect(first).toMatchObject({
      kind: 'escalation',
      subject: `[warning] Not acknowledged: ${rule.name}: ${open}`,
    })
  })
})

describe('a message', () => {
  it('is sent again with the same id after the receiver failed', async () => {
    const { hook, rule, receiver } = await routed()
    hook.answer = (response) => void response.writeHead(500).end()
    await raise(await onlineAgents(environment, 1), rule)
    const first = async () => (await client.deliveries(receiver.id))[0]
    await expect
      .poll(first, patience)
      .toMatchObject({ status: 'queued', status_code: 500, error: expect.stringContaining('500') })
    hook.answer = (response) => void response.writeHead(204).end()
    await expect.poll(first, patience).toMatchObject({ status: 'sent', status_code: 204 })
    const ids = hook.received.map(({ headers }) => headers['x-manc-delivery'])
    expect(ids.length).toBeGreaterThan(1)
    expect(new Set(ids).size).toBe(1)
  })

  it('that a receiver refuses for good is given up, and can be sent again', async () => {
    const { hook, rule, receiver } = await routed()
    hook.answer = (response) => void response.writeHead(413).end()
    await raise(await onlineAgents(environment, 1), rule)
    const first = async () => (await client.deliveries(receiver.id))[0]
    await expect.poll(first, patience).toMatchObject({ status: 'failed', attempts: 1 })
    // As after many attempts, which would be hours apart.
    await environment.sql('update notification_deliveries set attempts = 12 where receiver_id = $1', [
      receiver.id,
    ])
    hook.answer = (response) => void response.writeHead(500).end()
    await client.send('POST', `notification_deliveries/${(await first())?.id}/retry`)
    await expect.poll(first, patience).toMatchObject({ status: 'queued', status_code: 500 })
    hook.answer = (response) => void response.end()
    await expect.poll(first, patience).toMatchObject({ status: 'sent' })
  })

  it('to a receiver that hangs does not delay others, and is sent again', async () => {
    const slow = await routed()
    const fast = await routed()
    slow.hook.answer = () => {}
    const agents = await onlineAgents(environment, 1)
    await raise(agents, slow.rule)
    await expect.poll(() => slow.hook.received.length, patience).toBe(1)
    await raise(agents, fast.rule)
    await expect.poll(() => fast.hook.received.length, patience).toBe(1)
    expect((await client.deliveries(slow.receiver.id))[0]).toMatchObject({ status: 'queued' })
    slow.hook.answer = (response) => void response.end()
    await expect
      .poll(async () => (await client.deliveries(slow.receiver.id))[0], patience)
      .toMatchObject({ status: 'sent', error: null })
  })

  it('that is sent after its lease has ended is sent', async () => {
    const { hook, rule, receiver } = await routed()
    const open: ServerResponse[] = []
    hook.answer = (response) => void open.push(response)
    await raise(await onlineAgents(environment, 1), rule)
    await expect.poll(() => open.length, patience).toBe(1)
    // As another process does that takes it then.
    await environment.sql(
      `update notification_deliveries set attempts = 5, leased_until = now() + interval '1 hour' where receiver_id = $1`,
      [receiver.id],
    )
    open[0]?.end()
    await expect
      .poll(async () => (await client.deliveries(receiver.id))[0], patience)
      .toMatchObject({ status: 'sent', attempts: 5, next_attempt_at: null })
  })

  it('that fails again and again does not hold back later ones of its group', async () => {
    const { hook, rule, receiver } = await routed()
    hook.answer = (response) => void response.writeHead(500).end()
    const [one = '', two = ''] = await onlineAgents(environment, 2)
    await raise([one], rule)
    const statuses = async () => (await client.deliveries(receiver.id)).map(({ status_code: code }) => code)
    await expect.poll(statuses, patience).toEqual([500])
    // While it is not being sent.
    const setAttempts = () =>
      environment.sql(
        `update notification_deliveries set attempts = 8, next_attempt_at = now() + interval '1 hour'
         where receiver_id = $1 and leased_until is null returning id`,
        [receiver.id],
      )
    await expect.poll(setAttempts, patience).toHaveLength(1)
    hook.answer = (response) => void response.end()
    await raise([two], rule)
    // The success of the second message brings the first one forward.
    await expect.poll(statuses, patience).toEqual([200, 200])
    expect(hook.agents('firing').slice(-2)).toEqual([[two], [one]])
  })

  it('whose receiver is gone is failed', async () => {
    const { id } = await client.receiver('https://hooks.example.test/')
    await environment.sql(
      `insert into notification_deliveries (id, kind, receiver_id, receiver_name, type, subject, raised, cleared,
         content, next_attempt_at, give_up_at)
       values ($1, 'test', gen_random_uuid(), 'gone', 'webhook', 's', 0, 0, '{}', now(), now() + interval '1 day')`,
      [id],
    )
    // Every minute, and at the start.
    await environment.startServer()
    await expect
      .poll(() => environment.sql('select status from notification_deliveries where id = $1', [id]), {
        timeout: 90_000,
      })
      .toEqual([{ status: 'failed' }])
  })

  it('does not follow a redirect', async () => {
    const [target, { hook, rule, receiver }] = [await newHook(), await routed()]
    hook.answer = (response) => void response.writeHead(307, { location: target.url }).end()
    await raise(await onlineAgents(environment, 1), rule)
    await expect
      .poll(async () => (await client.deliveries(receiver.id))[0], patience)
      .toMatchObject({ status: 'queued', status_code: 307 })
    expect(target.received).toEqual([])
  })

  it('by e-mail has counts, the list and a link, and no header from the name of a rule', async () => {
    const address = `${uniqueName('oncall')}@manc.test`
    const receiver = await client.send('POST', 'notification_receivers', {
      name: uniqueName('mail'),
      type: 'email',
      addresses: [address, `second-${address}`],
    })
    expect(receiver.secret).toBeNull()
    const rule = await client.rule({ name: `Load\r\nBcc: eve@manc.test ${uniqueName('x')}` })
    await client.route(receiver.id, { rule_ids: [rule.id] })
    const agents = await onlineAgents(environment, 3)
    await raise(agents, rule, 97)
    await expect.poll(() => inbox.mailsTo(address).length, patience).toBe(1)
    const [mail] = inbox.mailsTo(address)
    expect(mail?.subject).toMatch(/^\[warning\] Load Bcc: eve@manc\.test .*: 3 access points$/)
    expect(mail?.to).toEqual([address, `second-${address}`])
    for (const apId of agents) expect(mail?.text).toContain(`${apId} (WiFi): Load Bcc`)
    expect(mail?.text).toContain('3 open (3 warning):')
    expect(mail?.text).toContain('value 97')
    expect(mail?.text).toContain('https://manc.example.test/alarms')
    const [delivery] = await client.deliveries(receiver.id)
    expect(mail?.messageId).toMatch(new RegExp(`^<${delivery?.id}@`))
    expect(inbox.mailsTo('eve@manc.test')).toEqual([])
  })

  it('by e-mail is sent again only to addresses that were refused for now, and later ones do not wait', async () => {
    const name = uniqueName('oncall')
    const [ready, busy, gone] = ['ready', 'busy', 'gone'].map((each) => `${each}-${name}@manc.test`) as [
      string,
      string,
      string,
    ]
    inbox.refusals.set(busy, 450).set(gone, 550)
    const receiver = await client.send('POST', 'notification_receivers', {
      name: uniqueName('mail'),
      type: 'email',
      addresses: [ready, busy, gone],
    })
    const rule = await client.rule()
    await client.route(receiver.id, { rule_ids: [rule.id] })
    const [one = '', two = ''] = await onlineAgents(environment, 2)
    const statuses = async () =>
      (await client.deliveries(receiver.id)).map(({ status, error }) => [status, error])
    const refused = expect.stringContaining('refused 2 of 3 addresses, 1 of them for now')
    await raise([one], rule)
    await expect.poll(statuses, patience).toEqual([['queued', refused]])
    await raise([two], rule)
    await expect.poll(() => inbox.mailsTo(ready).length, patience).toBe(2)
    inbox.refusals.delete(busy)
    await expect.poll(statuses, patience).toEqual([
      ['sent', null],
      ['sent', null],
    ])
    const mails = inbox.mailsTo(ready)
    expect(mails.map(({ recipients }) => recipients)).toEqual([[ready], [ready], [busy], [busy]])
    expect(new Set(mails.map(({ messageId }) => messageId)).size).toBe(2)
    for (const { to } of mails) expect(to).toEqual([ready, busy, gone])
    inbox.refusals.clear()
  })
})

describe('a receiver', () => {
  it('gets a test message, signed with its newest secret', async () => {
    const hook = await newHook()
    const receiver = await client.receiver(hook.url)
    const { secret } = await client.send('POST', `notification_receivers/${receiver.id}/rotate_secret`)
    const queued = await client.send('POST', `notification_receivers/${receiver.id}/test`)
    expect(queued).toMatchObject({ kind: 'test', status: 'queued' })
    await expect.poll(() => hook.received.length, patience).toBe(1)
    const [sent] = hook.received
    expect(sent && [isSigned(sent, secret), isSigned(sent, receiver.secret ?? '')]).toEqual([true, false])
    const listed = await client.send('GET', 'notification_receivers')
    const audit = await client.send('GET', `audit?target=${receiver.id}`)
    const texts = JSON.stringify([listed, audit]) + environment.server.logged()
    for (const each of [secret, receiver.secret]) expect(texts).not.toContain(each)
    expect(JSON.stringify(audit)).not.toContain('/hook')
  })

  it('that a route uses is not deleted', async () => {
    const { receiver, route } = await routed()
    const path = `/api/v1/notification_receivers/${receiver.id}`
    const { status, body } = await environment.request('DELETE', path)
    expect([status, body.detail]).toEqual([409, expect.stringContaining(route.name)])
    await client.send('DELETE', `notification_routes/${route.id}`)
    await client.send('DELETE', `notification_receivers/${receiver.id}`)
  })
})

import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import type { NetworkEvent } from '@manc/contract'
import { call, type TestEnvironment, tokenOf, uniqueName } from '@manc/harness'
import { test } from '@manc/harness/fixture'
import { describe, expect } from 'vitest'
import { alertOf, onlineAgent, postAlerts, setState } from './agents.ts'
import { alarmsOf, createRule, eventsOf, newRule } from './requests.ts'

const it = test.override('variables', { MANC_ALARM_INTERVAL_SECONDS: '1', MANC_ALARM_FLAPPING: '2' })
const patience = { timeout: 60_000, interval: 100 }

let environment: TestEnvironment
it.beforeAll(async ({ environment: own }) => {
  environment = own
  // On a slow machine agents of these tests are offline for as long as this rule requires.
  await environment.sql(`update alarm_rules set is_enabled = false where id = 'presence.offline'`)
})

describe('an alarm of a period', () => {
  it('is listed if it was open within the period, and can be read by its id', async () => {
    const [apId, rule] = [await onlineAgent(environment), await createRule(environment)]
    const rows = await environment.sql(
      `insert into alarms (rule_id, rule_name, severity, metric, ap_id, technology, raised_at, cleared_at, clear_reason)
       values ($2, 'Crowded', 'warning', 'clients', $1, 'WiFi', '2026-01-01 10:00Z', '2026-01-01 10:10Z', 'recovered'),
         ($2, 'Crowded', 'warning', 'clients', $1, 'WiFi', '2026-01-01 11:00Z', null, null)
       returning id::text as id`,
      [apId, rule.id],
    )
    const [cleared, open] = (rows as { id: string }[]).map(({ id }) => id)
    const idsIn = async (from: string, to: string) =>
      (await alarmsOf(environment, apId, `state=all&from=2026-01-01T${from}Z&to=2026-01-01T${to}Z`)).map(
        ({ id }) => id,
      )
    expect(await idsIn('09:00:00', '09:59:00')).toEqual([])
    expect(await idsIn('10:05:00', '10:06:00')).toEqual([cleared])
    expect(await idsIn('10:11:00', '10:59:00')).toEqual([])
    expect(await idsIn('10:10:00', '12:00:00')).toEqual([open, cleared])
    const read = async (id = '') => environment.request('GET', `/api/v1/alarms/${id}`)
    expect((await read(open)).body).toMatchObject({ id: open, state: 'open', ap_id: apId })
    expect((await read(cleared)).body).toMatchObject({ clear_reason: 'recovered' })
    expect((await read('999999999')).status).toBe(404)
    expect((await read('load')).status).toBe(404)
  })
})

describe('an alert', () => {
  it('opens one alarm for each agent, in a post of 500, and the same post again opens none', async () => {
    const rule = await createRule(environment)
    const prefix = uniqueName('many')
    await environment.sql(
      `with made as (insert into agents (id, ap_id, password_hash, configuration)
         select gen_random_uuid(), $1 || n, 'x', '{}' from generate_series(1, 500) as n returning ap_id)
       insert into fleet (ap_id, technology, state, last_seen) select ap_id, 'WiFi', 'online', now() from made`,
      [prefix],
    )
    const alerts = Array.from({ length: 500 }, (_, n) => alertOf(`${prefix}${n + 1}`, rule, { value: n }))
    const replies = await Promise.all([1, 2, 3].map(() => postAlerts(environment, alerts)))
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
    const [{ alarms }] = await environment.sql(
      'select count(*)::int as alarms from alarms where rule_id = $1',
      [rule.id],
    )
    const [{ events }] = await environment.sql(
      "select count(*)::int as events from events where kind = 'alarm_raised' and data ->> 'rule_id' = $1",
      [rule.id],
    )
    expect([alarms, events]).toEqual([500, 500])
    const first = await environment.request('GET', `/api/v1/alarms?rule=${rule.id}&limit=300`)
    const link = /<(.*)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? ''
    const second = await environment.request('GET', link)
    expect(new Set([...first.body, ...second.body].map(({ ap_id: apId }) => apId)).size).toBe(500)
  })

  it('that has ended, of an unknown agent or rule, or of an earlier revision changes nothing', async () => {
    const rule = await createRule(environment)
    const [apId, ended] = [await onlineAgent(environment), await onlineAgent(environment)]
    await postAlerts(environment, [alertOf(ended, rule)])
    await environment.request('PUT', `/api/v1/alarm_rules/${rule.id}`, newRule({ raise_threshold: 200 }))
    const { status } = await postAlerts(environment, [
      alertOf(apId, rule),
      alertOf(apId, { id: rule.id, revision: 2 }, { endsInMs: -1 }),
      alertOf(ended, { id: rule.id, revision: 2 }, { endsInMs: -1 }),
      alertOf('no-such-agent', { id: rule.id, revision: 2 }),
      alertOf(apId, { id: 'no-such-rule' }),
      { labels: {} },
      null,
    ])
    expect(status).toBe(200)
    expect(await alarmsOf(environment, apId)).toEqual([])
    expect(await alarmsOf(environment, ended)).toMatchObject([{ state: 'open' }])
    expect((await postAlerts(environment, { alerts: [] })).status).toBe(400)
  })

  it('of an agent out of the scope of the rule changes nothing', async () => {
    const [wifi, lifi] = [await onlineAgent(environment), await onlineAgent(environment, 'LiFi')]
    const ofTechnology = await createRule(environment, { technologies: ['LiFi'] })
    const ofPattern = await createRule(environment, { ap_ids: [`*${wifi.slice(2)}`, 'x_*'] })
    await postAlerts(
      environment,
      [wifi, lifi].flatMap((apId) => [alertOf(apId, ofTechnology), alertOf(apId, ofPattern)]),
    )
    expect(await alarmsOf(environment, wifi)).toMatchObject([{ rule_id: ofPattern.id, technology: 'WiFi' }])
    expect(await alarmsOf(environment, lifi)).toMatchObject([
      { rule_id: ofTechnology.id, technology: 'LiFi' },
    ])
  })

  it('in a body that is too large is counted as failed', async () => {
    const failed = async () => {
      const text = await (await fetch(`${environment.server.internalUrl}/metrics`)).text()
      return Number(/^manc_alerts_total\{result="failed"\} (\d+)$/m.exec(text)?.[1])
    }
    const before = await failed()
    // The length is refused before the body is sent.
    const request = httpRequest(`${environment.server.internalUrl}/api/v2/alerts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': 32 * 1024 * 1024 + 1 },
    })
    request.flushHeaders()
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    request.on('error', () => {}).destroy()
    expect(response.statusCode).toBe(413)
    expect(await failed()).toBe(before + 1)
  })

  it('is accepted on the internal listener only', async () => {
    const { status } = await call(environment.url, 'POST', '/api/v2/alerts', {
      token: environment.adminToken,
      body: [],
    })
    expect(status).toBe(404)
    const secret = 's'.repeat(32)
    const other = await environment.startServer({ MANC_ALARM_SECRET: secret, MANC_ROLES: 'api' })
    const send = (password: string) =>
      call(other.internalUrl, 'POST', '/api/v2/alerts', {
        body: [],
        headers: { authorization: `Basic ${Buffer.from(`vmalert:${password}`).toString('base64')}` },
      })
    expect((await send(secret)).status).toBe(200)
    expect((await send('wrong')).status).toBe(401)
    // vmalert would show a password in the address of the rules.
    expect((await call(other.internalUrl, 'GET', '/alarms/rules.yml')).status).toBe(200)
  })
})

describe('an agent that is offline', () => {
  it('has one alarm of that, which is cleared when it is online again', async () => {
    const rule = await createRule(environment, {
      metric: 'presence',
      severity: 'critical',
      raise_op: null,
      raise_threshold: null,
    })
    const apId = await onlineAgent(environment)
    await setState(environment, apId, 'offline')
    const states = async () =>
      (await alarmsOf(environment, apId, `state=all&rule=${rule.id}`)).map(({ state }) => state)
    await expect.poll(states, patience).toEqual(['open'])
    await setState(environment, apId, 'stale')
    // Another agent shows that the states have been evaluated since.
    const other = await onlineAgent(environment)
    await setState(environment, other, 'offline')
    await expect
      .poll(() => alarmsOf(environment, other, `state=open&rule=${rule.id}`), patience)
      .toHaveLength(1)
    expect(await states()).toEqual(['open'])
    await setState(environment, apId, 'online')
    await expect.poll(states, patience).toEqual(['cleared'])
    expect(await eventsOf(environment, apId)).toEqual(['alarm_cleared', 'alarm_raised'])
    await environment.request('DELETE', `/api/v1/alarm_rules/${rule.id}`)
  })

  it('keeps its other alarms as inhibited, and gets no new ones', async () => {
    const [open, later] = [await createRule(environment), await createRule(environment)]
    const apId = await onlineAgent(environment)
    await postAlerts(environment, [alertOf(apId, open)])
    await setState(environment, apId, 'offline')
    await postAlerts(environment, [alertOf(apId, open), alertOf(apId, later)])
    expect(await alarmsOf(environment, apId)).toMatchObject([
      { rule_id: open.id, state: 'open', is_inhibited: true },
    ])
    await setState(environment, apId, 'online')
    await postAlerts(environment, [alertOf(apId, later)])
    expect(await alarmsOf(environment, apId)).toMatchObject([
      { rule_id: later.id, is_inhibited: false },
      { rule_id: open.id, is_inhibited: false },
    ])
  })

  it('that is removed has its alarms cleared', async () => {
    const rule = await createRule(environment)
    const apId = await onlineAgent(environment)
    await postAlerts(environment, [alertOf(apId, rule)])
    await environment.request('DELETE', `/api/v1/agents/${apId}`)
    await expect
      .poll(() => alarmsOf(environment, apId), patience)
      .toMatchObject([{ state: 'cleared', clear_reason: 'agent_removed' }])
  })
})

it('events of an alarm of an emulated agent are shown to its owner only, also after it is removed', async () => {
  const rule = await createRule(environment)
  const apId = await onlineAgent(environment)
  await environment.sql('update fleet set emulated_by = gen_random_uuid() where ap_id = $1', [apId])
  await postAlerts(environment, [alertOf(apId, rule)])
  await environment.sql('delete from fleet where ap_id = $1', [apId])
  const kinds = async (emulated: string) => {
    const { body } = await environment.request('GET', `/api/v1/events?ap_id=${apId}&emulated=${emulated}`)
    return (body as NetworkEvent[]).map(({ kind }) => kind).filter((kind) => kind.startsWith('alarm_'))
  }
  await expect.poll(() => kinds('all'), patience).toEqual(['alarm_cleared', 'alarm_raised'])
  expect(await kinds('own')).toEqual([])
  await environment.request('DELETE', `/api/v1/alarm_rules/${rule.id}`)
})

it('an alarm that is raised too often within an hour is reported once as flapping, and stays open', async () => {
  const rule = await createRule(environment)
  const apId = await onlineAgent(environment)
  const clear = () =>
    environment.sql(
      `update alarms set cleared_at = now(), clear_reason = 'recovered' where ap_id = $1 and cleared_at is null`,
      [apId],
    )
  for (let times = 1; times <= 2; times++) {
    await postAlerts(environment, [alertOf(apId, rule)])
    await clear()
  }
  await postAlerts(environment, [alertOf(apId, rule)])
  await postAlerts(environment, [alertOf(apId, rule)])
  expect(await alarmsOf(environment, apId)).toMatchObject([
    { state: 'open', is_flapping: true },
    { state: 'cleared', is_flapping: false },
    { state: 'cleared', is_flapping: false },
  ])
  expect(await eventsOf(environment, apId)).toEqual(['alarm_flapping', 'alarm_raised', 'alarm_raised'])
})

describe('an open alarm', () => {
  it('is acknowledged with a comment and assigned, which the lists and the summary show', async () => {
    const rule = await createRule(environment, { severity: 'info' })
    const apId = await onlineAgent(environment)
    await postAlerts(environment, [alertOf(apId, rule)])
    const [{ id } = { id: '' }] = await alarmsOf(environment, apId)
    const summary = async () => (await environment.request('GET', '/api/v1/alarms/summary')).body.info
    const before = await summary()
    const path = `/api/v1/alarms/${id}`
    const { body } = await environment.request('POST', `${path}/acknowledge`, { comment: 'on my way' })
    expect(body).toMatchObject({ acknowledged_by: 'admin@manc.test', comment: 'on my way' })
    const after = await summary()
    expect([after.acknowledged - before.acknowledged, before.unacknowledged - after.unacknowledged]).toEqual([
      1, 1,
    ])
    expect(await alarmsOf(environment, apId, 'acknowledged=true')).toHaveLength(1)
    expect(await alarmsOf(environment, apId, 'acknowledged=false')).toHaveLength(0)
    expect(await eventsOf(environment, apId)).toEqual(['alarm_acknowledged', 'alarm_raised'])
    const assigned = await environment.request('POST', `${path}/assign`, { username: 'ADMIN@manc.test' })
    expect(assigned.body.assignee).toBe('admin@manc.test')
    expect((await environment.request('POST', `${path}/assign`, { username: 'unknown@x.test' })).status).toBe(
      404,
    )
    await environment.request('DELETE', `/api/v1/alarm_rules/${rule.id}`)
    expect(await alarmsOf(environment, apId)).toMatchObject([
      { state: 'cleared', clear_reason: 'rule_deleted' },
    ])
    expect((await environment.request('POST', `${path}/acknowledge`, {})).status).toBe(409)
    expect((await environment.request('POST', '/api/v1/alarms/x/acknowledge', {})).status).toBe(404)
  })

  it('keeps who acknowledged it first, and its comment until there is another one', async () => {
    const rule = await createRule(environment)
    const apId = await onlineAgent(environment)
    await postAlerts(environment, [alertOf(apId, rule)])
    const [{ id } = { id: '' }] = await alarmsOf(environment, apId)
    const path = `/api/v1/alarms/${id}/acknowledge`
    const first = await environment.request('POST', path, { comment: 'on my way' })
    const app = { app_name: uniqueName('app'), api_key: 'k' }
    const permissions = { scopes: ['alarms:write'], agents: [apId] }
    await environment.request('POST', '/api/v1/third_party_apps/', { ...app, permissions })
    const token = await tokenOf(environment.url, 'third_party_app', app.app_name, 'k')
    const again = await environment.request('POST', path, {}, token)
    expect([again.status, again.body]).toEqual([200, first.body])
    await environment.request('POST', '/api/v1/alarms/acknowledge', { ids: [id] }, token)
    expect(await alarmsOf(environment, apId)).toEqual([first.body])
    const changed = await environment.request('POST', path, { comment: 'repaired' }, token)
    expect(changed.body).toEqual({ ...first.body, comment: 'repaired' })
    const removed = await environment.request('POST', path, { comment: '' }, token)
    expect(removed.body).toEqual({ ...first.body, comment: '' })
    expect(await eventsOf(environment, apId)).toEqual(['alarm_acknowledged', 'alarm_raised'])
  })

  it('is acknowledged together with others by one request, without those that are cleared or not visible', async () => {
    const rule = await createRule(environment)
    const agents = [
      await onlineAgent(environment),
      await onlineAgent(environment),
      await onlineAgent(environment),
    ]
    const [first = '', second = '', ended = ''] = agents
    await postAlerts(
      environment,
      agents.map((apId) => alertOf(apId, rule)),
    )
    await environment.sql(
      `update alarms set cleared_at = now(), clear_reason = 'recovered' where ap_id = $1`,
      [ended],
    )
    const idOf = async (apId: string) => (await alarmsOf(environment, apId))[0]?.id ?? ''
    const ids = await Promise.all(agents.map(idOf))
    const acknowledge = async (body: object, token?: string) => {
      const answer = await environment.request('POST', '/api/v1/alarms/acknowledge', body, token)
      return [answer.status, answer.body]
    }
    const app = { app_name: uniqueName('app'), api_key: 'k' }
    const permissions = { scopes: ['alarms:write'], agents: [first] }
    await environment.request('POST', '/api/v1/third_party_apps/', { ...app, permissions })
    const token = await tokenOf(environment.url, 'third_party_app', app.app_name, 'k')
    expect(await acknowledge({ ids: ids.slice(1) }, token)).toEqual([
      200,
      { acknowledged: 0, not_acknowledged: ids.slice(1) },
    ])
    expect(await acknowledge({ ids: [...ids, ...ids, '999999999'], comment: 'storm' })).toEqual([
      200,
      { acknowledged: 2, not_acknowledged: [ids[2], '999999999'] },
    ])
    for (const apId of [first, second]) {
      expect(await alarmsOf(environment, apId)).toMatchObject([
        { acknowledged_by: 'admin@manc.test', comment: 'storm' },
      ])
      expect(await eventsOf(environment, apId)).toEqual(['alarm_acknowledged', 'alarm_raised'])
    }
    expect(await alarmsOf(environment, ended)).toMatchObject([{ acknowledged_by: null }])
  })

  it('is visible to an app with the scope whose permissions cover the agent', async () => {
    const rule = await createRule(environment)
    const [own, other] = [await onlineAgent(environment), await onlineAgent(environment)]
    await postAlerts(environment, [alertOf(own, rule), alertOf(other, rule)])
    const tokenWith = async (permissions: object) => {
      const app = { app_name: uniqueName('app'), api_key: 'k', permissions }
      await environment.request('POST', '/api/v1/third_party_apps/', app)
      return tokenOf(environment.url, 'third_party_app', app.app_name, 'k')
    }
    const reads = await tokenWith({ scopes: ['alarms:read'], agents: [own] })
    const writes = await tokenWith({ scopes: ['alarms:write'], agents: [own] })
    const list = (token: string) =>
      environment.request('GET', `/api/v1/alarms?rule=${rule.id}`, undefined, token)
    expect((await list(reads)).body).toMatchObject([{ ap_id: own }])
    expect((await list(writes)).status).toBe(403)
    const acknowledge = async (apId: string, token: string) => {
      const [alarm] = await alarmsOf(environment, apId)
      const path = `/api/v1/alarms/${alarm?.id}/acknowledge`
      return (await environment.request('POST', path, {}, token)).status
    }
    expect(await acknowledge(own, reads)).toBe(403)
    expect(await acknowledge(own, writes)).toBe(200)
    expect(await acknowledge(other, writes)).toBe(404)
    const [alarm] = await alarmsOf(environment, own)
    const assign = (username: string | null) =>
      environment.request('POST', `/api/v1/alarms/${alarm?.id}/assign`, { username }, writes)
    const [known, unknown] = [await assign('admin@manc.test'), await assign('unknown@x.test')]
    expect([known.status, known.body]).toEqual([403, unknown.body])
    expect((await assign(null)).status).toBe(200)
  })
})

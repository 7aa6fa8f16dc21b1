import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import type { Alarm, AlarmRule, NetworkEvent } from '@manc/contract'
import { call, type TestEnvironment, tokenOf, uniqueName } from '@manc/harness'
import { test } from '@manc/harness/fixture'
import { MetricsStore } from '@manc/harness/metrics-store'
import { describe, expect } from 'vitest'
import { alertOf, onlineAgent, postAlerts, Sender, setState } from './agents.ts'

const it = test.override('variables', {
  MANC_ALARM_INTERVAL_SECONDS: '1',
  MANC_ALARM_FLAPPING: '2',
  MANC_ALARM_RULES: '30',
})
const patience = { timeout: 60_000, interval: 100 }

let environment: TestEnvironment
it.beforeAll(async ({ environment: own }) => {
  environment = own
  // On a slow machine agents of these tests are offline for as long as this rule requires.
  await environment.sql(`update alarm_rules set is_enabled = false where id = 'presence.offline'`)
})

const newRule = (more: object = {}) => ({
  name: uniqueName('rule'),
  severity: 'warning',
  metric: 'clients',
  raise_op: '>=',
  raise_threshold: 100,
  raise_for_s: 0,
  clear_for_s: 0,
  ...more,
})

async function createRule(more: object = {}): Promise<AlarmRule> {
  const { status, body } = await environment.request('POST', '/api/v1/alarm_rules', newRule(more))
  expect([status, body]).toEqual([200, expect.anything()])
  return body
}

async function alarmsOf(apId: string, query = 'state=all'): Promise<Alarm[]> {
  const { body } = await environment.request('GET', `/api/v1/alarms?${query}&ap_id=${apId}`)
  return body
}

async function eventsOf(apId: string): Promise<string[]> {
  const { body } = await environment.request('GET', `/api/v1/events?ap_id=${apId}`)
  return (body as NetworkEvent[]).map(({ kind }) => kind).filter((kind) => kind.startsWith('alarm_'))
}

describe('an alarm of a period', () => {
  it('is listed if it was open within the period, and can be read by its id', async () => {
    const [apId, rule] = [await onlineAgent(environment), await createRule()]
    const rows = await environment.sql(
      `insert into alarms (rule_id, rule_name, severity, metric, ap_id, technology, raised_at, cleared_at, clear_reason)
       values ($2, 'Crowded', 'warning', 'clients', $1, 'WiFi', '2026-01-01 10:00Z', '2026-01-01 10:10Z', 'recovered'),
         ($2, 'Crowded', 'warning', 'clients', $1, 'WiFi', '2026-01-01 11:00Z', null, null)
       returning id::text as id`,
      [apId, rule.id],
    )
    const [cleared, open] = (rows as { id: string }[]).map(({ id }) => id)
    const idsIn = async (from: string, to: string) =>
      (await alarmsOf(apId, `state=all&from=2026-01-01T${from}Z&to=2026-01-01T${to}Z`)).map(({ id }) => id)
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
    const rule = await createRule()
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
    const rule = await createRule()
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
    expect(await alarmsOf(apId)).toEqual([])
    expect(await alarmsOf(ended)).toMatchObject([{ state: 'open' }])
    expect((await postAlerts(environment, { alerts: [] })).status).toBe(400)
  })

  it('of an agent out of the scope of the rule changes nothing', async () => {
    const [wifi, lifi] = [await onlineAgent(environment), await onlineAgent(environment, 'LiFi')]
    const ofTechnology = await createRule({ technologies: ['LiFi'] })
    const ofPattern = await createRule({ ap_ids: [`*${wifi.slice(2)}`, 'x_*'] })
    await postAlerts(
      environment,
      [wifi, lifi].flatMap((apId) => [alertOf(apId, ofTechnology), alertOf(apId, ofPattern)]),
    )
    expect(await alarmsOf(wifi)).toMatchObject([{ rule_id: ofPattern.id, technology: 'WiFi' }])
    expect(await alarmsOf(lifi)).toMatchObject([{ rule_id: ofTechnology.id, technology: 'LiFi' }])
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
      headers: { 'content-type': 'application/json', 'content-length': 16 * 1024 * 1024 + 1 },
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
    const rule = await createRule({
      metric: 'presence',
      severity: 'critical',
      raise_op: null,
      raise_threshold: null,
    })
    const apId = await onlineAgent(environment)
    await setState(environment, apId, 'offline')
    const states = async () => (await alarmsOf(apId, `state=all&rule=${rule.id}`)).map(({ state }) => state)
    await expect.poll(states, patience).toEqual(['open'])
    await setState(environment, apId, 'stale')
    // Another agent shows that the states have been evaluated since.
    const other = await onlineAgent(environment)
    await setState(environment, other, 'offline')
    await expect.poll(() => alarmsOf(other, `state=open&rule=${rule.id}`), patience).toHaveLength(1)
    expect(await states()).toEqual(['open'])
    await setState(environment, apId, 'online')
    await expect.poll(states, patience).toEqual(['cleared'])
    expect(await eventsOf(apId)).toEqual(['alarm_cleared', 'alarm_raised'])
    await environment.request('DELETE', `/api/v1/alarm_rules/${rule.id}`)
  })

  it('keeps its other alarms as inhibited, and gets no new ones', async () => {
    const [open, later] = [await createRule(), await createRule()]
    const apId = await onlineAgent(environment)
    await postAlerts(environment, [alertOf(apId, open)])
    await setState(environment, apId, 'offline')
    await postAlerts(environment, [alertOf(apId, open), alertOf(apId, later)])
    expect(await alarmsOf(apId)).toMatchObject([{ rule_id: open.id, state: 'open', is_inhibited: true }])
    await setState(environment, apId, 'online')
    await postAlerts(environment, [alertOf(apId, later)])
    expect(await alarmsOf(apId)).toMatchObject([
      { rule_id: later.id, is_inhibited: false },
      { rule_id: open.id, is_inhibited: false },
    ])
  })

  it('that is removed has its alarms cleared', async () => {
    const rule = await createRule()
    const apId = await onlineAgent(environment)
    await postAlerts(environment, [alertOf(apId, rule)])
    await environment.request('DELETE', `/api/v1/agents/${apId}`)
    await expect
      .poll(() => alarmsOf(apId), patience)
      .toMatchObject([{ state: 'cleared', clear_reason: 'agent_removed' }])
  })
})

describe('alarms that no rule has any more are cleared', () => {
  const openOf = async (ruleId: string) =>
    (await environment.sql('select from alarms where rule_id = $1 and cleared_at is null', [ruleId])).length

  it('in batches, when the rule of many is deleted', async () => {
    const rule = await createRule()
    await environment.sql(
      `with made as (insert into agents (id, ap_id, password_hash, configuration)
         select gen_random_uuid(), $1 || n, 'x', '{}' from generate_series(1, 2500) as n returning ap_id),
       placed as (insert into fleet (ap_id, technology, state, last_seen)
         select ap_id, 'WiFi', 'online', now() from made)
       insert into alarms (rule_id, rule_name, severity, metric, ap_id, technology)
         select $2, 'many', 'info', 'clients', ap_id, 'WiFi' from made`,
      [uniqueName('batch'), rule.id],
    )
    const { status } = await environment.request('DELETE', `/api/v1/alarm_rules/${rule.id}`)
    expect(status).toBe(200)
    await expect.poll(() => openOf(rule.id), patience).toBe(0)
    const batches = await environment.sql(
      'select count(*)::int as alarms, clear_reason as reason from alarms where rule_id = $1 group by cleared_at, clear_reason',
      [rule.id],
    )
    expect(new Set(batches.map(({ reason }) => reason))).toEqual(new Set(['rule_deleted']))
    expect(Math.max(...batches.map(({ alarms }) => alarms))).toBeLessThanOrEqual(2000)
    const [{ events }] = await environment.sql(
      "select count(*)::int as events from events where kind = 'alarm_cleared' and data ->> 'rule_id' = $1",
      [rule.id],
    )
    expect(events).toBe(2500)
  })

  it('also if one is raised while its rule is deleted', async () => {
    const rule = await createRule()
    const apId = await onlineAgent(environment)
    await environment.request('DELETE', `/api/v1/alarm_rules/${rule.id}`)
    await environment.sql(
      `insert into alarms (rule_id, rule_name, severity, metric, ap_id, technology)
       values ($1, 'late', 'info', 'clients', $2, 'WiFi')`,
      [rule.id, apId],
    )
    await expect
      .poll(() => alarmsOf(apId), patience)
      .toMatchObject([{ state: 'cleared', clear_reason: 'rule_deleted' }])
    expect(await eventsOf(apId)).toEqual(['alarm_cleared'])
  })

  it.for([
    ['has another metric', { metric: 'load_pct' }],
    ['has a scope without the agent', { technologies: ['LiFi'] }],
  ] as const)('when the rule %s', async ([, change]) => {
    const rule = await createRule()
    const apId = await onlineAgent(environment)
    await postAlerts(environment, [alertOf(apId, rule)])
    const path = `/api/v1/alarm_rules/${rule.id}`
    await environment.request('PUT', path, newRule({ raise_threshold: 200 }))
    expect(await alarmsOf(apId)).toMatchObject([{ state: 'open' }])
    await environment.request('PUT', path, newRule(change))
    expect(await alarmsOf(apId)).toMatchObject([{ state: 'cleared', clear_reason: 'rule_disabled' }])
    await environment.request('DELETE', path)
  })
})

it('a rule that the metrics store refuses does not keep the alarms of other rules open', async () => {
  const broken = await createRule({ metric: 'expression', expr: 'clients' })
  const other = await createRule()
  const apId = await onlineAgent(environment)
  await postAlerts(environment, [alertOf(apId, broken), alertOf(apId, other)])
  // As after an update of the store that has removed a function.
  await environment.sql('update alarm_rules set expr = $2 where id = $1', [broken.id, 'no_such_function('])
  const sender = new Sender(new MetricsStore(environment.engines.victoria), apId, 'clients', 1).start()
  try {
    await expect
      .poll(() => alarmsOf(apId), patience)
      .toMatchObject([
        { rule_id: other.id, state: 'cleared', clear_reason: 'recovered' },
        { rule_id: broken.id, state: 'open' },
      ])
  } finally {
    await sender.stop()
    for (const { id } of [broken, other]) await environment.request('DELETE', `/api/v1/alarm_rules/${id}`)
  }
})

it('events of an alarm of an emulated agent are shown to its owner only, also after it is removed', async () => {
  const rule = await createRule()
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
  const rule = await createRule()
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
  expect(await alarmsOf(apId)).toMatchObject([
    { state: 'open', is_flapping: true },
    { state: 'cleared', is_flapping: false },
    { state: 'cleared', is_flapping: false },
  ])
  expect(await eventsOf(apId)).toEqual(['alarm_flapping', 'alarm_raised', 'alarm_raised'])
})

describe('an open alarm', () => {
  it('is acknowledged with a comment and assigned, which the lists and the summary show', async () => {
    const rule = await createRule({ severity: 'info' })
    const apId = await onlineAgent(environment)
    await postAlerts(environment, [alertOf(apId, rule)])
    const [{ id } = { id: '' }] = await alarmsOf(apId)
    const summary = async () => (await environment.request('GET', '/api/v1/alarms/summary')).body.info
    const before = await summary()
    const path = `/api/v1/alarms/${id}`
    const { body } = await environment.request('POST', `${path}/acknowledge`, { comment: 'on my way' })
    expect(body).toMatchObject({ acknowledged_by: 'admin@manc.test', comment: 'on my way' })
    const after = await summary()
    expect([after.acknowledged - before.acknowledged, before.unacknowledged - after.unacknowledged]).toEqual([
      1, 1,
    ])
    expect(await alarmsOf(apId, 'acknowledged=true')).toHaveLength(1)
    expect(await alarmsOf(apId, 'acknowledged=false')).toHaveLength(0)
    expect(await eventsOf(apId)).toEqual(['alarm_acknowledged', 'alarm_raised'])
    const assigned = await environment.request('POST', `${path}/assign`, { username: 'ADMIN@manc.test' })
    expect(assigned.body.assignee).toBe('admin@manc.test')
    expect((await environment.request('POST', `${path}/assign`, { username: 'unknown@x.test' })).status).toBe(
      404,
    )
    await environment.request('DELETE', `/api/v1/alarm_rules/${rule.id}`)
    expect(await alarmsOf(apId)).toMatchObject([{ state: 'cleared', clear_reason: 'rule_deleted' }])
    expect((await environment.request('POST', `${path}/acknowledge`, {})).status).toBe(409)
    expect((await environment.request('POST', '/api/v1/alarms/x/acknowledge', {})).status).toBe(404)
  })

  it('is visible to an app with the scope whose permissions cover the agent', async () => {
    const rule = await createRule()
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
      const [alarm] = await alarmsOf(apId)
      const path = `/api/v1/alarms/${alarm?.id}/acknowledge`
      return (await environment.request('POST', path, {}, token)).status
    }
    expect(await acknowledge(own, reads)).toBe(403)
    expect(await acknowledge(own, writes)).toBe(200)
    expect(await acknowledge(other, writes)).toBe(404)
    const [alarm] = await alarmsOf(own)
    const assign = (username: string | null) =>
      environment.request('POST', `/api/v1/alarms/${alarm?.id}/assign`, { username }, writes)
    const [known, unknown] = [await assign('admin@manc.test'), await assign('unknown@x.test')]
    expect([known.status, known.body]).toEqual([403, unknown.body])
    expect((await assign(null)).status).toBe(200)
  })
})

describe('a rule', () => {
  it('is stored only if its members fit each other and the store accepts its expression', async () => {
    const wrong = async (more: object) => {
      const { status, body } = await environment.request('POST', '/api/v1/alarm_rules', newRule(more))
      return [status, body.detail?.[0]?.loc?.[1]]
    }
    expect(await wrong({ metric: 'expression' })).toEqual([422, 'expr'])
    expect(await wrong({ metric: 'expression', expr: 'sum by (' })).toEqual([422, 'expr'])
    expect(await wrong({ metric: 'expression', expr: 'clients %{HOME}' })).toEqual([422, 'expr'])
    expect(await wrong({ expr: 'clients' })).toEqual([422, 'expr'])
    expect(await wrong({ metric: 'presence' })).toEqual([422, 'raise_op'])
    expect(await wrong({ raise_op: undefined })).toEqual([422, 'raise_op'])
    expect(await wrong({ raise_threshold: undefined })).toEqual([422, 'raise_threshold'])
    expect(await wrong({ clear_threshold: 101 })).toEqual([422, 'clear_threshold'])
    const stored = await createRule({ metric: 'expression', expr: 'sum by (ap_id) (clients)' })
    expect(stored).toMatchObject({ clear_threshold: 100, is_enabled: true, is_builtin: false })
  })

  it('that is built in can be disabled, which clears its alarms, but not changed or deleted', async () => {
    const { body } = await environment.request('GET', '/api/v1/alarm_rules')
    const {
      id,
      is_builtin: _builtin,
      updated_at: _at,
      updated_by: _by,
      ...rule
    } = (body as AlarmRule[]).find((each) => each.id === 'load_pct.bad')!
    expect(rule).toMatchObject({ severity: 'critical', raise_threshold: 95, clear_threshold: 85.5 })
    const path = `/api/v1/alarm_rules/${id}`
    expect((await environment.request('DELETE', path)).status).toBe(409)
    expect((await environment.request('PUT', path, { ...rule, raise_threshold: 1 })).status).toBe(409)
    const apId = await onlineAgent(environment)
    await postAlerts(environment, [alertOf(apId, { id })])
    const disabled = await environment.request('PUT', path, { ...rule, is_enabled: false })
    expect(disabled.body).toMatchObject({ is_enabled: false, is_builtin: true })
    expect(await alarmsOf(apId)).toMatchObject([{ clear_reason: 'rule_disabled' }])
    expect((await environment.request('PUT', '/api/v1/alarm_rules/none', newRule())).status).toBe(404)
    expect((await environment.request('DELETE', '/api/v1/alarm_rules/none')).status).toBe(404)
  })

  it('has a preview of the alarms that it would have raised in the last 24 hours', async () => {
    const [often, rare, other] = [
      await onlineAgent(environment),
      await onlineAgent(environment),
      await onlineAgent(environment, 'LiFi'),
    ]
    const store = new MetricsStore(environment.engines.victoria)
    const minute = (ago: number) => Math.floor(Date.now() / 60_000 - ago) * 60_000
    const at = (ago: number, clients: number) => ({ at: minute(ago), metrics: { clients } })
    // Bad for some minutes, then good.
    const bad = (from: number) => [at(from, 500), at(from - 2, 500), at(from - 4, 500), at(from - 6, 1)]
    await store.write(often, [...bad(600), ...bad(300)])
    await store.write(rare, bad(400))
    await store.write(other, bad(200))
    const preview = (more: object) =>
      environment.request('POST', '/api/v1/alarm_rules/preview', newRule({ raise_threshold: 500, ...more }))
    const scope = { technologies: ['WiFi'], ap_ids: [often, rare, other] }
    const { body } = await preview({ raise_for_s: 120, ...scope })
    expect(body).toMatchObject({ alarms: 3, is_complete: true })
    expect(body.agents.map((each: { ap_id: string; alarms: number }) => [each.ap_id, each.alarms])).toEqual([
      [often, 2],
      [rare, 1],
    ])
    expect((await preview({ raise_for_s: 3600, ...scope })).body).toMatchObject({ alarms: 0, agents: [] })
    const presence = { metric: 'presence', raise_op: null, raise_threshold: null }
    expect((await preview(presence)).status).toBe(422)
  })

  it('of the signal quality does not count samples without clients', async () => {
    const [empty, used] = [await onlineAgent(environment), await onlineAgent(environment)]
    const store = new MetricsStore(environment.engines.victoria)
    const at = Math.floor(Date.now() / 60_000 - 60) * 60_000
    await store.write(empty, [{ at, metrics: { signal_quality: 0, clients: 0 } }])
    await store.write(used, [{ at, metrics: { signal_quality: 0, clients: 1 } }])
    const preview = async (more: object) => {
      const rule = newRule({ metric: 'signal_quality', raise_op: '<=', raise_threshold: 0.1, ...more })
      const { body } = await environment.request('POST', '/api/v1/alarm_rules/preview', rule)
      return body.agents.map(({ ap_id: apId }: { ap_id: string }) => apId)
    }
    const scope = { ap_ids: [`${empty}*`, used] }
    expect(await preview(scope)).toEqual([used])
    const expression = { metric: 'expression', expr: 'last_over_time(signal_quality[1m])' }
    expect((await preview({ ...expression, ...scope })).sort()).toEqual([empty, used].sort())
  })

  it('beyond the limit is refused', async () => {
    const statuses: number[] = []
    while (!statuses.includes(409) && statuses.length < 40)
      statuses.push((await environment.request('POST', '/api/v1/alarm_rules', newRule())).status)
    expect(statuses.at(-1)).toBe(409)
    const { body } = await environment.request('GET', '/api/v1/alarm_rules')
    expect((body as AlarmRule[]).filter((rule) => !rule.is_builtin)).toHaveLength(30)
  })
})

import type { AlarmRule } from '@manc/contract'
import { type TestEnvironment, uniqueName } from '@manc/harness'
import { test } from '@manc/harness/fixture'
import { MetricsStore } from '@manc/harness/metrics-store'
import { describe, expect } from 'vitest'
import { alertOf, onlineAgent, postAlerts, Sender } from './agents.ts'
import { alarmsOf, createRule, eventsOf, newRule } from './requests.ts'

const it = test.override('variables', { MANC_ALARM_INTERVAL_SECONDS: '1', MANC_ALARM_RULES: '30' })
const patience = { timeout: 60_000, interval: 100 }

let environment: TestEnvironment
it.beforeAll(async ({ environment: own }) => {
  environment = own
  // On a slow machine agents of these tests are offline for as long as this rule requires.
  await environment.sql(`update alarm_rules set is_enabled = false where id = 'presence.offline'`)
})

describe('alarms that no rule has any more are cleared', () => {
  const openOf = async (ruleId: string) =>
    (await environment.sql('select from alarms where rule_id = $1 and cleared_at is null', [ruleId])).length

  it('in batches, when the rule of many is deleted', async () => {
    const rule = await createRule(environment)
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
    const rule = await createRule(environment)
    const apId = await onlineAgent(environment)
    await environment.request('DELETE', `/api/v1/alarm_rules/${rule.id}`)
    await environment.sql(
      `insert into alarms (rule_id, rule_name, severity, metric, ap_id, technology)
       values ($1, 'late', 'info', 'clients', $2, 'WiFi')`,
      [rule.id, apId],
    )
    await expect
      .poll(() => alarmsOf(environment, apId), patience)
      .toMatchObject([{ state: 'cleared', clear_reason: 'rule_deleted' }])
    expect(await eventsOf(environment, apId)).toEqual(['alarm_cleared'])
  })

  it.for([
    ['has another metric', { metric: 'load_pct' }],
    ['has a scope without the agent', { technologies: ['LiFi'] }],
  ] as const)('when the rule %s', async ([, change]) => {
    const rule = await createRule(environment)
    const apId = await onlineAgent(environment)
    await postAlerts(environment, [alertOf(apId, rule)])
    const path = `/api/v1/alarm_rules/${rule.id}`
    await environment.request('PUT', path, newRule({ raise_threshold: 200 }))
    expect(await alarmsOf(environment, apId)).toMatchObject([{ state: 'open' }])
    await environment.request('PUT', path, newRule(change))
    expect(await alarmsOf(environment, apId)).toMatchObject([
      { state: 'cleared', clear_reason: 'rule_disabled' },
    ])
    await environment.request('DELETE', path)
  })
})

it('a rule that the metrics store refuses does not keep the alarms of other rules open', async () => {
  const broken = await createRule(environment, { metric: 'expression', expr: 'clients' })
  const other = await createRule(environment)
  const apId = await onlineAgent(environment)
  await postAlerts(environment, [alertOf(apId, broken), alertOf(apId, other)])
  // As after an update of the store that has removed a function.
  await environment.sql('update alarm_rules set expr = $2 where id = $1', [broken.id, 'no_such_function('])
  const sender = new Sender(new MetricsStore(environment.engines.victoria), apId, 'clients', 1).start()
  try {
    await expect
      .poll(() => alarmsOf(environment, apId), patience)
      .toMatchObject([
        { rule_id: other.id, state: 'cleared', clear_reason: 'recovered' },
        { rule_id: broken.id, state: 'open' },
      ])
  } finally {
    await sender.stop()
    for (const { id } of [broken, other]) await environment.request('DELETE', `/api/v1/alarm_rules/${id}`)
  }
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
    const stored = await createRule(environment, { metric: 'expression', expr: 'sum by (ap_id) (clients)' })
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
    expect(await alarmsOf(environment, apId)).toMatchObject([{ clear_reason: 'rule_disabled' }])
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

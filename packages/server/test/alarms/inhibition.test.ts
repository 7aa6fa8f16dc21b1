import type { AlarmRule, AlarmSummary } from '@manc/contract'
import type { TestEnvironment } from '@manc/harness'
import { test } from '@manc/harness/fixture'
import { MetricsStore } from '@manc/harness/metrics-store'
import { describe, expect } from 'vitest'
import { alertOf, onlineAgent, postAlerts, Sender, setState } from './agents.ts'
import { alarmsOf, createRule, eventsOf } from './requests.ts'

const it = test.override('variables', { MANC_ALARM_INTERVAL_SECONDS: '1' })
const patience = { timeout: 60_000, interval: 100 }

let environment: TestEnvironment
/** Of one KPI, as the built-in rules of a KPI are. */
let rules: { noticed: AlarmRule; degraded: AlarmRule; bad: AlarmRule }

it.beforeAll(async ({ environment: own }) => {
  environment = own
  // On a slow machine agents of these tests are offline for as long as this rule requires.
  await environment.sql(`update alarm_rules set is_enabled = false where id = 'presence.offline'`)
  const above = (raise: number, severity: string) =>
    createRule(environment, { severity, raise_threshold: raise, clear_threshold: raise * 0.9 })
  rules = {
    noticed: await above(50, 'info'),
    degraded: await above(100, 'warning'),
    bad: await above(200, 'critical'),
  }
})

type Name = keyof typeof rules

const raise = async (apId: string, ...names: Name[]): Promise<void> => {
  const alerts = names.map((name) => alertOf(apId, rules[name]))
  expect((await postAlerts(environment, alerts)).status).toBe(200)
}

/** `rule state` with what inhibits it, by the name of the rule. */
async function states(apId: string): Promise<string[]> {
  const nameOf = (id: string) => (Object.keys(rules) as Name[]).find((name) => rules[name].id === id) ?? id
  const alarms = await alarmsOf(environment, apId)
  return alarms
    .map(({ rule_id: id, state, inhibited_by: by, is_inhibited: isInhibited }) => {
      expect(isInhibited).toBe(by !== null)
      return [nameOf(id), state, ...(by === null ? [] : [by])].join(' ')
    })
    .toSorted()
}

async function sends<T>(apId: string, value: number, run: (sender: Sender) => Promise<T>): Promise<T> {
  const store = new MetricsStore(environment.engines.victoria)
  const sender = new Sender(store, apId, 'clients', value).start()
  try {
    return await run(sender)
  } finally {
    await sender.stop()
  }
}

describe('an alarm of a KPI', () => {
  it('is not raised while a worse one of the same access point is open, and is raised after it', async () => {
    const [apId, other] = [await onlineAgent(environment), await onlineAgent(environment)]
    await raise(apId, 'bad')
    await raise(apId, 'degraded', 'noticed')
    await raise(other, 'degraded')
    expect(await states(apId)).toEqual(['bad open'])
    expect(await states(other)).toEqual(['degraded open'])
    await sends(apId, 150, async () => {
      await expect.poll(() => states(apId), patience).toEqual(['bad cleared'])
      // vmalert repeats its alerts at each evaluation.
      await raise(apId, 'degraded', 'noticed')
      expect(await states(apId)).toEqual(['bad cleared', 'degraded open'])
    })
    expect(await eventsOf(environment, apId)).toEqual(['alarm_raised', 'alarm_cleared', 'alarm_raised'])
  })

  it('is not raised by a request that has a worse alert of it too', async () => {
    const apId = await onlineAgent(environment)
    await raise(apId, 'noticed', 'degraded', 'bad')
    expect(await states(apId)).toEqual(['bad open'])
    expect(await eventsOf(environment, apId)).toEqual(['alarm_raised'])
  })

  it('that is open before a worse one is raised is inhibited until that is cleared', async () => {
    const apId = await onlineAgent(environment)
    await raise(apId, 'degraded')
    await raise(apId, 'bad')
    expect(await states(apId)).toEqual(['bad open', 'degraded open worse_alarm'])
    await sends(apId, 150, async (sender) => {
      await expect.poll(() => states(apId), patience).toEqual(['bad cleared', 'degraded open'])
      sender.value = 1
      await expect.poll(() => states(apId), patience).toEqual(['bad cleared', 'degraded cleared'])
    })
    expect(await eventsOf(environment, apId)).toEqual([
      'alarm_cleared',
      'alarm_cleared',
      'alarm_raised',
      'alarm_raised',
    ])
  })

  it('that is inhibited is cleared with the worse one, if its value is good', async () => {
    const apId = await onlineAgent(environment)
    await raise(apId, 'noticed')
    await raise(apId, 'degraded')
    await raise(apId, 'bad')
    expect(await states(apId)).toEqual(['bad open', 'degraded open worse_alarm', 'noticed open worse_alarm'])
    await sends(apId, 1, async () => {
      await expect
        .poll(() => states(apId), patience)
        .toEqual(['bad cleared', 'degraded cleared', 'noticed cleared'])
    })
  })

  it('is raised at most once by concurrent alerts, and is inhibited if it was', async () => {
    const agents = await Promise.all(Array.from({ length: 10 }, () => onlineAgent(environment)))
    for (let times = 1; times <= 2; times++)
      await Promise.all(
        (['degraded', 'bad', 'noticed'] as const).map((name) =>
          postAlerts(
            environment,
            agents.map((apId) => alertOf(apId, rules[name])),
          ),
        ),
      )
    for (const apId of agents) {
      const [bad, ...others] = await states(apId)
      expect(bad).toBe('bad open')
      expect(others.filter((state) => !state.endsWith('open worse_alarm'))).toEqual([])
      const kinds = await eventsOf(environment, apId)
      expect(kinds).toEqual([bad, ...others].map(() => 'alarm_raised'))
    }
  })

  it('is not inhibited by one of another KPI, another access point or an expression', async () => {
    const [apId, other] = [await onlineAgent(environment), await onlineAgent(environment)]
    const expression = { metric: 'expression', expr: 'clients' }
    const others = [
      await createRule(environment, { metric: 'load_pct', severity: 'critical' }),
      await createRule(environment, { ...expression, severity: 'critical' }),
      await createRule(environment, { ...expression, severity: 'warning' }),
    ]
    await postAlerts(
      environment,
      others.map((rule) => alertOf(apId, rule)),
    )
    await raise(other, 'bad')
    await raise(apId, 'degraded')
    const alarms = await alarmsOf(environment, apId)
    expect(alarms.map(({ inhibited_by: by }) => by)).toEqual([null, null, null, null])
    for (const { id } of others) await environment.request('DELETE', `/api/v1/alarm_rules/${id}`)
  })

  it('that is inhibited stays so after a restart of the controller', async () => {
    const apId = await onlineAgent(environment)
    await raise(apId, 'degraded')
    await raise(apId, 'bad')
    const server = await environment.startServer()
    const { status } = await fetch(`${server.internalUrl}/api/v2/alerts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify([alertOf(apId, rules.degraded), alertOf(apId, rules.noticed)]),
    })
    expect(status).toBe(200)
    expect(await states(apId)).toEqual(['bad open', 'degraded open worse_alarm'])
    await server.stop()
  })
})

it('the summary counts inhibited alarms apart, and lists can leave them out', async () => {
  const counts = async () => {
    const { body } = await environment.request('GET', '/api/v1/alarms/summary')
    return body as AlarmSummary
  }
  const before = await counts()
  const [apId, offline] = [await onlineAgent(environment), await onlineAgent(environment)]
  await raise(apId, 'degraded')
  await raise(offline, 'degraded')
  const raised = await counts()
  expect(raised.warning.unacknowledged).toBe(before.warning.unacknowledged + 2)
  await raise(apId, 'bad')
  await setState(environment, offline, 'offline')
  const after = await counts()
  expect(after.warning).toEqual({ ...before.warning, inhibited: before.warning.inhibited + 2 })
  expect(after.critical.unacknowledged).toBe(before.critical.unacknowledged + 1)
  const ids = async (inhibited: boolean) =>
    (await Promise.all([apId, offline].map((each) => alarmsOf(environment, each, `inhibited=${inhibited}`))))
      .flat()
      .map(({ ap_id: each, rule_id: ruleId }) => [each, ruleId])
  expect(await ids(true)).toEqual([
    [apId, rules.degraded.id],
    [offline, rules.degraded.id],
  ])
  expect(await ids(false)).toEqual([[apId, rules.bad.id]])
})

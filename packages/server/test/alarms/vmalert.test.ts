import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Alarm, NetworkEvent } from '@manc/contract'
import { closedPort, type TestEnvironment } from '@manc/harness'
import { test } from '@manc/harness/fixture'
import { MetricsStore } from '@manc/harness/metrics-store'
import { Vmalert } from '@manc/harness/vmalert-process'
import { afterAll, expect, vi } from 'vitest'
import { onlineAgent, Sender } from './agents.ts'

vi.setConfig({ testTimeout: 300_000 })

const folder = mkdtempSync(path.join(tmpdir(), 'manc-alarms-'))
const rulesPath = path.join(folder, 'rules.yml')
const internalPort = await closedPort()
const it = test.override('withServer', false).override('variables', {
  MANC_INTERNAL_PORT: String(internalPort),
  MANC_VMALERT_RULES_PATH: rulesPath,
  MANC_ALARM_INTERVAL_SECONDS: '1',
  MANC_ALARM_LOOKBACK_SECONDS: '5',
})

let environment: TestEnvironment
let store: MetricsStore
let vmalert: Vmalert
let rule: { id: string }
const senders: Sender[] = []
const patience = { timeout: 120_000, interval: 200 }

it.beforeAll(async ({ environment: own }) => {
  environment = await own.serve()
  store = new MetricsStore(environment.engines.victoria)
  vmalert = new Vmalert({
    rules: rulesPath,
    victoria: environment.engines.victoria,
    notifier: `http://127.0.0.1:${internalPort}`,
  })
  await vmalert.start()
  // Not a KPI with a built-in rule: each test looks at the alarms of one rule.
  const { body } = await environment.request('POST', '/api/v1/alarm_rules', {
    name: 'many clients',
    severity: 'warning',
    metric: 'clients',
    raise_op: '>=',
    raise_threshold: 100,
    raise_for_s: 2,
    clear_threshold: 50,
    clear_for_s: 2,
  })
  rule = body
})

afterAll(async () => {
  await Promise.all(senders.map((sender) => sender.stop()))
  await vmalert?.stop()
  rmSync(folder, { recursive: true, force: true })
})

function sends(apId: string, value: number): Sender {
  const sender = new Sender(store, apId, 'clients', value).start()
  senders.push(sender)
  return sender
}

async function alarmsOf(apId: string, state = 'all'): Promise<Alarm[]> {
  const { body } = await environment.request('GET', `/api/v1/alarms?state=${state}&ap_id=${apId}`)
  return body
}
const states = async (apId: string) => (await alarmsOf(apId)).map(({ state }) => state)

async function eventsOf(apId: string): Promise<string[]> {
  const { body } = await environment.request('GET', `/api/v1/events?ap_id=${apId}`)
  return (body as NetworkEvent[]).map(({ kind }) => kind).filter((kind) => kind.startsWith('alarm_'))
}

/** How many alerts the server has received. Each evaluation sends those that are firing again. */
async function received(): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${internalPort}/metrics`)).text()
  return Number(/^manc_alerts_total\{result="received"\} (\d+)$/m.exec(text)?.[1])
}

/** Waits until all parts have worked since now: another agent gets an alarm, and it is cleared. */
async function fullCycle(): Promise<void> {
  const other = await onlineAgent(environment)
  const sender = sends(other, 200)
  await expect.poll(() => states(other), patience).toEqual(['open'])
  sender.value = 1
  await expect.poll(() => states(other), patience).toEqual(['cleared'])
  await sender.stop()
}

it('samples of an agent raise one alarm after the duration, however often the alert is sent', async () => {
  const apId = await onlineAgent(environment)
  const from = Date.now()
  const sender = sends(apId, 150)
  await expect.poll(() => states(apId), patience).toEqual(['open'])
  const [alarm] = await alarmsOf(apId)
  expect(alarm).toMatchObject({ rule_id: rule.id, severity: 'warning', value: 150, technology: 'WiFi' })
  // vmalert aligns its times to its interval of a second.
  expect(Date.parse(alarm?.raised_at ?? '') - from).toBeGreaterThan(1000)
  const before = await received()
  await expect.poll(received, patience).toBeGreaterThan(before + 2)
  expect(await states(apId)).toEqual(['open'])
  expect(await eventsOf(apId)).toEqual(['alarm_raised'])
  await sender.stop()
})

it('a value between the thresholds neither raises an alarm nor clears one', async () => {
  const [high, low] = [await onlineAgent(environment), await onlineAgent(environment)]
  const sender = sends(high, 150)
  await expect.poll(() => states(high), patience).toEqual(['open'])
  sender.value = 75
  const other = sends(low, 75)
  await fullCycle()
  expect([await states(high), await states(low)]).toEqual([['open'], []])
  await Promise.all([sender.stop(), other.stop()])
})

it('missing data keeps an alarm open, and good data clears it once', async () => {
  const apId = await onlineAgent(environment)
  const sender = sends(apId, 150)
  await expect.poll(() => states(apId), patience).toEqual(['open'])
  await sender.stop()
  const current = `last_over_time(clients{ap_id="${apId}"}[5s])`
  const url = `${environment.engines.victoria}/api/v1/query?nocache=1&query=${encodeURIComponent(current)}`
  const series = async () => ((await (await fetch(url)).json()) as any).data.result.length
  await expect.poll(series, patience).toBe(0)
  await fullCycle()
  expect(await states(apId)).toEqual(['open'])
  const again = sends(apId, 10)
  await expect.poll(() => states(apId), patience).toEqual(['cleared'])
  expect(await alarmsOf(apId)).toMatchObject([{ clear_reason: 'recovered' }])
  await fullCycle()
  expect(await eventsOf(apId)).toEqual(['alarm_cleared', 'alarm_raised'])
  await again.stop()
})

it('rules that share an expression have alarms of their own, of the agents that reach their thresholds', async () => {
  const [low, high] = [await onlineAgent(environment), await onlineAgent(environment)]
  const created: string[] = []
  const add = async (raise_op: '>=' | '<=', raise_threshold: number) => {
    const { status, body } = await environment.request('POST', '/api/v1/alarm_rules', {
      name: `${raise_op} ${raise_threshold}`,
      severity: 'warning',
      metric: 'load_pct',
      raise_op,
      raise_threshold,
      raise_for_s: 1,
      clear_for_s: 1,
      ap_ids: [low, high],
    })
    expect(status).toBe(200)
    created.push(body.id)
  }
  for (const threshold of [30, 50, 40]) await add('>=', threshold)
  for (const threshold of [5, 1.5, -2]) await add('<=', threshold)
  const openRules = async (apId: string) =>
    (await alarmsOf(apId))
      .filter(({ state }) => state === 'open')
      .map(({ rule: name, value }) => `${name}: ${value}`)
      .toSorted()
  // The KPI is not the one of the rule that all tests have.
  const [first, second] = [low, high].map((apId) => new Sender(store, apId, 'load_pct', 45))
  if (!first || !second) throw new Error('There are two agents.')
  senders.push(first, second)
  first.start()
  second.value = 50
  second.start()
  await expect.poll(() => openRules(low), patience).toEqual(['>= 30: 45', '>= 40: 45'])
  await expect.poll(() => openRules(high), patience).toEqual(['>= 30: 50', '>= 40: 50', '>= 50: 50'])
  first.value = 1.5
  second.value = 3
  await expect.poll(() => openRules(low), patience).toEqual(['<= 1.5: 1.5', '<= 5: 1.5'])
  await expect.poll(() => openRules(high), patience).toEqual(['<= 5: 3'])
  await Promise.all([first.stop(), second.stop()])
  for (const id of created) await environment.request('DELETE', `/api/v1/alarm_rules/${id}`)
})

it('restarts of vmalert and of the server lose no alarm and raise none twice', async () => {
  const [before, during] = [await onlineAgent(environment), await onlineAgent(environment)]
  const first = sends(before, 150)
  await expect.poll(() => states(before), patience).toEqual(['open'])
  const [alarm] = await alarmsOf(before)
  await vmalert.stop('SIGKILL')
  const second = sends(during, 150)
  await environment.server.stop()
  await vmalert.start()
  const server = await environment.startServer()
  // The environment sends requests to the server that it started first.
  const at = async (apId: string) => {
    const response = await fetch(`${server.url}/api/v1/alarms?state=all&ap_id=${apId}`, {
      headers: { authorization: `Bearer ${environment.adminToken}` },
    })
    return (await response.json()) as Alarm[]
  }
  await expect.poll(async () => (await at(during)).map(({ state }) => state), patience).toEqual(['open'])
  expect(await at(before)).toMatchObject([{ id: alarm?.id, state: 'open' }])
  first.value = 10
  second.value = 10
  for (const apId of [before, during])
    await expect.poll(async () => (await at(apId)).map(({ state }) => state), patience).toEqual(['cleared'])
  await Promise.all([first.stop(), second.stop()])
})

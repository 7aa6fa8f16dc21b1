import type { Decision } from '@manc/contract'
import type { TestEnvironment } from '@manc/harness'
import { test } from '@manc/harness/fixture'
import { MetricsStore } from '@manc/harness/metrics-store'
import { expect, inject } from 'vitest'
import { agent, app, Decisions, Device, decisionOf, soon } from './parties.ts'

const it = test.override('variables', { MANC_DECISION_MEASURE_SECONDS: '5', MANC_COMMAND_HOLD_SECONDS: '60' })

let environment: TestEnvironment
let decisions: Decisions
let store: MetricsStore
it.beforeAll(async ({ environment: own }) => {
  environment = own
  decisions = new Decisions(environment)
  store = new MetricsStore(inject('engines').victoria)
})

async function measured(id: string): Promise<Decision> {
  await expect.poll(async () => (await decisions.get(id)).measured_at, soon).not.toBeNull()
  return decisions.get(id)
}

/** Samples from shortly before a time and from shortly after it. */
async function samples(apId: string, atMs: number, before: number, after: number): Promise<void> {
  await store.write(apId, [
    { at: atMs - 4000, metrics: { load_pct: 50 } },
    { at: atMs - 1000, metrics: { load_pct: before } },
    { at: atMs + 1000, metrics: { load_pct: after } },
    // After the time of the measurement.
    { at: atMs + 8000, metrics: { load_pct: 99 } },
  ])
}

it('the controller measures an executed decision, whatever the app has expected', async () => {
  const [apId, silent, { token }] = [
    await agent(environment),
    await agent(environment),
    await app(environment),
  ]
  const made = await decisions.create(decisionOf([apId, silent], { mode: 'act' }), token)
  await samples(apId, Date.parse(made.executed_at ?? ''), 91.5, 62.25)
  const record = await measured(made.id)
  expect(record).toMatchObject({
    state: 'measured',
    expected: [
      { ap_id: apId, kpi: 'load_pct', from: 91, to: 60 },
      { ap_id: silent, kpi: 'load_pct', from: 91, to: 60 },
    ],
    measured: [
      { ap_id: apId, kpi: 'load_pct', before: 91.5, after: 62.25 },
      { ap_id: silent, kpi: 'load_pct', before: null, after: null },
    ],
  })
  const { body } = await environment.request('GET', `/api/v1/events?kind=decision&ap_id=${apId}`)
  expect(body[0]).toMatchObject({
    data: { state: 'measured', measured: [{ kpi: 'load_pct', before: 91.5, after: 62.25 }] },
    text: expect.stringContaining('(Load 91.5 → 62.25 %)'),
  })
})

it('a decision that was only recorded is measured as well', async () => {
  const [apId, { token }] = [await agent(environment), await app(environment)]
  const made = await decisions.create(decisionOf([apId], { mode: 'watch', commands: [] }), token)
  await samples(apId, Date.parse(made.created_at), 80, 81)
  expect((await measured(made.id)).measured).toEqual([
    { ap_id: apId, kpi: 'load_pct', before: 80, after: 81 },
  ])
})

it('a decision that is reverted before its measurement is measured, and stays reverted', async () => {
  const [apId, { token }] = [await agent(environment), await app(environment)]
  const first = await decisions.create(decisionOf([apId], { mode: 'act' }), token)
  await samples(apId, Date.parse(first.executed_at ?? ''), 70, 95)
  const second = await decisions.create(decisionOf([apId], { mode: 'act', reverts: first.id }), token)
  expect(await measured(first.id)).toMatchObject({
    state: 'reverted',
    reverted_by: second.id,
    measured: [{ before: 70, after: 95 }],
  })
})

it('two apps steer the same client: both records have the verdicts, the outcomes and the effects', async () => {
  const [lifi, wifi] = [await agent(environment), await agent(environment)]
  const client = 'client-42'
  const quality = await app(environment, { priority: 10 })
  const energy = await app(environment, { priority: 1 })
  const move = (from: string, to: string, policy: string, mode = 'act') => ({
    ...decisionOf([from, to], { policy, mode, client }),
    commands: [{ ap_id: from, command: `steer_client ${client} ${to}` }],
  })
  const [lifiDevice, wifiDevice] = [await Device.of(environment, lifi), await Device.of(environment, wifi)]

  // The app for energy moves the client to WiFi, which the access point reports as done.
  const saving = await decisions.create(move(lifi, wifi, 'save-energy'), energy.token)
  const command = await lifiDevice.next()
  expect(command.command).toBe(`steer_client ${client} ${wifi}`)
  await lifiDevice.report(command.id, 'succeeded')
  // The app for quality moves it back at once: its priority is higher, and nothing is left to be superseded.
  const better = await decisions.create(move(wifi, lifi, 'best-signal'), quality.token)
  expect(better.commands).toMatchObject([{ ap_id: wifi, verdict: 'granted' }])
  // While its command waits, the app for energy tries again to keep the client, and is refused.
  const refused = await decisions.create(move(wifi, lifi, 'save-energy'), energy.token)
  expect(refused).toMatchObject({
    state: 'refused',
    commands: [{ ap_id: wifi, verdict: 'held', state: null }],
  })
  const back = await wifiDevice.next()
  await wifiDevice.report(back.id, 'failed')

  const [first, second] = [await measured(saving.id), await measured(better.id)]
  expect(first).toMatchObject({
    owner: energy.name,
    state: 'measured',
    commands: [{ ap_id: lifi, verdict: 'granted', state: 'succeeded', job_number: command.id }],
  })
  expect(second).toMatchObject({
    owner: quality.name,
    state: 'measured',
    commands: [{ ap_id: wifi, verdict: 'granted', state: 'failed', job_number: back.id }],
  })
  // The records of the client, the newest first: every command that was sent belongs to one of them.
  const ofClient = await decisions.list(`client=${client}`)
  expect(ofClient.map(({ id }) => id)).toEqual([refused.id, better.id, saving.id])
  const sent = await environment.sql(
    `select job_number from commands where ap_id = any($1) order by job_number`,
    [[lifi, wifi]],
  )
  const recorded = ofClient.flatMap(({ commands }) => commands.flatMap((each) => each.job_number ?? []))
  expect(sent.map((row) => row.job_number)).toEqual(recorded.toSorted())
  // The record keeps the outcome after jobs and commands are deleted.
  await environment.sql('delete from jobs where job_number = any($1)', [recorded])
  expect((await decisions.get(saving.id)).commands).toMatchObject([{ state: 'succeeded' }])
})

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { SystemHealth, SystemPart } from '@manc/contract'
import {
  brokerManagement,
  type IsolatedEnvironment,
  startServerProcess,
  tokenOf,
  uniqueName,
} from '@manc/harness'
import { testWithEngines } from '@manc/harness/fixture'
import { Vmalert } from '@manc/harness/vmalert-process'
import { expect, vi } from 'vitest'

vi.setConfig({ testTimeout: 180_000 })

const secret = 's'.repeat(32)
const it = testWithEngines.override('variables', {
  MANC_ROLES: 'api,subscriber',
  MANC_ALARM_INTERVAL_SECONDS: '1',
  MANC_ALARM_SECRET: secret,
})
const patience = { timeout: 90_000, interval: 250 }
/** Of a request while an engine hangs: the wait for it, and time for a busy machine. */
const boundMs = 30_000

async function read(environment: IsolatedEnvironment): Promise<SystemHealth> {
  const { status, body } = await environment.request('GET', '/api/v1/system/health')
  expect([status, body]).toEqual([200, expect.objectContaining({ state: expect.any(String) })])
  return body
}

async function part(environment: IsolatedEnvironment, id: string): Promise<SystemPart | undefined> {
  return (await read(environment)).parts.find((each) => each.id === id)
}

const stateOf = (environment: IsolatedEnvironment, id: string) => async () =>
  (await part(environment, id))?.state

for (const [engine, id] of [
  ['victoria', 'victoriametrics'],
  ['rabbitmq', 'rabbitmq'],
] as const)
  it(`${id} is bad with a reason while it is stopped, and good again afterwards`, async ({ environment }) => {
    await expect.poll(stateOf(environment, id), patience).toBe('good')
    await environment.set.stop(engine)
    try {
      await expect.poll(stateOf(environment, id), patience).toBe('bad')
      const health = await read(environment)
      expect(health.state).toBe('bad')
      expect(health.parts.find((each) => each.id === id)).toMatchObject({
        reason: expect.stringContaining('It does not answer.'),
        next_step: expect.stringContaining('Check that it runs'),
        runbook: 'docs/operations/runbooks/MancEngineDown.md',
        since: expect.stringMatching(/^\d{4}-/),
      })
      // The worst first.
      expect(health.parts.at(0)?.state).toBe('bad')
    } finally {
      await environment.set.start(engine)
    }
    await expect.poll(stateOf(environment, id), patience).toBe('good')
  })

it('an engine that hangs is reported, and does not delay the response', async ({ environment }) => {
  for (const [engine, id] of [
    ['victoria', 'victoriametrics'],
    ['rabbitmq', 'rabbitmq'],
  ] as const) {
    await expect.poll(stateOf(environment, id), patience).toBe('good')
    await environment.set.pause(engine)
    try {
      const durations: number[] = []
      await expect
        .poll(async () => {
          const from = performance.now()
          const state = await stateOf(environment, id)()
          durations.push(performance.now() - from)
          return state
        }, patience)
        .toBe('bad')
      expect(Math.max(...durations)).toBeLessThan(boundMs)
    } finally {
      await environment.set.resume(engine)
    }
    await expect.poll(stateOf(environment, id), patience).toBe('good')
  }
})

it('a database that hangs delays no response beyond a bound', async ({ environment }) => {
  await expect.poll(stateOf(environment, 'postgres'), patience).toBe('good')
  await environment.set.pause('postgres')
  try {
    // At first the token is known. Later it may have been revoked, and is refused.
    const durations: number[] = []
    await expect
      .poll(async () => {
        const from = performance.now()
        const { status } = await environment.request('GET', '/api/v1/system/health')
        durations.push(performance.now() - from)
        return status
      }, patience)
      .toBe(503)
    expect(Math.max(...durations)).toBeLessThan(boundMs)
  } finally {
    await environment.set.resume('postgres')
  }
  const status = async () => (await environment.request('GET', '/api/v1/system/health')).status
  await expect.poll(status, patience).toBe(200)
  await expect.poll(stateOf(environment, 'postgres'), patience).toBe('good')
})

it('samples without an ingester are counted, and stored when one is started', async ({ environment }) => {
  const apId = uniqueName('waiting')
  await environment.request('POST', '/api/v1/agents/', { ap_id: apId, password: 'p', configuration: {} })
  const token = await tokenOf(environment.url, 'agent', apId, 'p')
  const send = (clients: number) =>
    environment.request('POST', '/api/v1/agent_update/update', { payload: { clients } }, token)
  const waiting = async () => (await part(environment, 'telemetry_queues'))?.figures['messages']
  await send(1)
  await expect.poll(waiting, patience).toBe(1)
  await send(2)
  await expect.poll(waiting, patience).toBe(2)
  const { parts, processes } = await read(environment)
  expect(parts.find(({ id }) => id === 'telemetry_queues')).toMatchObject({
    state: 'bad',
    reason: '2 messages wait, and no ingester consumes 8 queues.',
    next_step: 'Start an ingester.',
  })
  expect(parts.find(({ id }) => id === 'processes')).toMatchObject({
    state: 'bad',
    reason: expect.stringContaining('No ingester is running'),
  })
  expect(processes).toMatchObject([{ roles: ['api', 'subscriber'], is_alive: true }])
  const ingester = await startServerProcess({
    ...environment.variables,
    MANC_INTERNAL_PORT: '0',
    MANC_ROLES: 'ingester',
  })
  try {
    for (const id of ['telemetry_queues', 'processes'])
      await expect.poll(stateOf(environment, id), patience).toBe('good')
    expect(await waiting()).toBe(0)
  } finally {
    await ingester.stop('SIGKILL')
  }
  // It has left its row behind, which has no more heartbeats.
  await expect.poll(stateOf(environment, 'processes'), patience).toBe('bad')
  const { processes: left } = await read(environment)
  const dead = left.filter(({ is_alive: isAlive }) => !isAlive)
  expect([left.length, dead.map(({ roles }) => roles)]).toEqual([2, [['ingester']]])
})

it('a message that could not be handled waits in the dead-letter queue', async ({ environment }) => {
  await expect.poll(stateOf(environment, 'dead_letters'), patience).toBe('good')
  await brokerManagement(environment.engines, 'POST', '/api/exchanges/%2F/manc.dead/publish', {
    properties: {},
    routing_key: 'updates',
    payload: 'x',
    payload_encoding: 'string',
  })
  await expect.poll(stateOf(environment, 'dead_letters'), patience).toBe('degraded')
  expect(await part(environment, 'dead_letters')).toMatchObject({
    reason: expect.stringMatching(/^1 message of agents/),
    runbook: 'docs/operations/runbooks/MancDeadLetters.md',
  })
  await brokerManagement(environment.engines, 'DELETE', '/api/queues/%2F/manc.dead/contents')
  await expect.poll(stateOf(environment, 'dead_letters'), patience).toBe('good')
})

it('vmalert is known by its heartbeat, and missed when it stops', async ({ environment }) => {
  await expect
    .poll(() => part(environment, 'vmalert'), patience)
    .toMatchObject({
      state: 'degraded',
      reason: expect.stringContaining('never contacted'),
      runbook: 'docs/operations/alarms.md',
    })
  const internal = `http://127.0.0.1:${environment.set.ports.internal}`
  const folder = mkdtempSync(path.join(tmpdir(), 'manc-system-'))
  const passwordFile = path.join(folder, 'password')
  writeFileSync(passwordFile, secret)
  const vmalert = new Vmalert({
    rules: `${internal}/alarms/rules.yml`,
    victoria: environment.engines.victoria,
    notifier: internal,
    passwordFile,
  })
  await vmalert.start()
  try {
    await expect.poll(stateOf(environment, 'vmalert'), patience).toBe('good')
    expect((await part(environment, 'vmalert'))?.figures).toMatchObject({
      rules_age_s: expect.any(Number),
      alerts_age_s: expect.any(Number),
    })
    expect(vmalert.output).not.toContain(secret)
  } finally {
    await vmalert.stop()
    rmSync(folder, { recursive: true })
  }
  // Instead of waiting for it.
  const ago = (kind: string, minutes: number) =>
    environment.sql(`update vmalert_contacts set at = now() - make_interval(mins => $2) where kind = $1`, [
      kind,
      minutes,
    ])
  await ago('alerts', 5)
  await expect
    .poll(async () => (await part(environment, 'vmalert'))?.reason, patience)
    .toContain('reads the rules, but sends no alerts')
  await ago('rules', 3)
  await expect
    .poll(async () => (await part(environment, 'vmalert'))?.reason, patience)
    .toContain('last contact was 3 min ago')
  expect(await stateOf(environment, 'vmalert')()).toBe('bad')
})

it('messages about alarms that could not be delivered are reported for a day', async ({ environment }) => {
  await expect.poll(stateOf(environment, 'notifications'), patience).toBe('good')
  await environment.sql(
    `insert into notification_deliveries
       (id, kind, receiver_id, receiver_name, type, subject, raised, cleared, content, status, give_up_at)
     values (gen_random_uuid(), 'alarms', gen_random_uuid(), 'Night shift', 'webhook', 's', 1, 0, '{}', 'failed', now())`,
  )
  await expect.poll(stateOf(environment, 'notifications'), patience).toBe('degraded')
  expect(await part(environment, 'notifications')).toMatchObject({
    runbook: 'docs/operations/notifications.md',
    reason: '1 message about alarms could not be delivered in the last 24 hours, to Night shift.',
  })
  await environment.sql(`update notification_deliveries set created_at = now() - interval '25 hours'`)
  await expect.poll(stateOf(environment, 'notifications'), patience).toBe('good')
})

it('disks, jobs and mailboxes are measured', async ({ environment }) => {
  await expect.poll(stateOf(environment, 'mailboxes'), patience).toBe('good')
  for (const id of ['database_size', 'jobs', 'metrics_store_disk', 'rabbitmq_disk', 'agent_messages'])
    await expect.poll(stateOf(environment, id), patience).toBe('good')
  expect((await part(environment, 'database_size'))?.reason).toContain('not visible')
  expect((await part(environment, 'metrics_store_disk'))?.figures['free_bytes']).toBeGreaterThan(0)
})

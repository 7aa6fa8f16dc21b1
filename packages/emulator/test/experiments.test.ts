import { randomUUID } from 'node:crypto'
import type {
  ExperimentDetails,
  ExperimentRunDetails,
  ExperimentWorld,
  SteeringPolicyName,
} from '@manc/contract'
import { call, type TestEnvironment, tokenOf, uniqueName } from '@manc/harness'
import { type EmulatorProcess, registerEmulatorApp, startEmulator } from '@manc/harness/emulator-process'
import { testWithEngines } from '@manc/harness/fixture'
import { afterEach, describe, expect } from 'vitest'
import { runExperiment } from '../src/experiment/index.ts'
import { ReportClient } from '../src/report-client.ts'

const it = testWithEngines.override('variables', {
  MANC_ROLES: 'api,subscriber,ingester',
  MANC_EXPERIMENTS: '100',
})

/** Longer than any step takes on a busy machine. */
const soon = { timeout: 120_000, interval: 50 }
const testTimeoutMs = 400_000

let environment: TestEnvironment
let emulators: EmulatorProcess[] = []

it.beforeAll(async ({ environment: own }) => {
  environment = own
  await registerEmulatorApp(environment.url, environment.adminToken)
})

afterEach(() => {
  for (const { process } of emulators) process.kill('SIGKILL')
  emulators = []
})

/** Runs until it is killed. */
async function emulator(): Promise<EmulatorProcess> {
  const started = startEmulator(environment.url, environment)
  emulators.push(started)
  await expect.poll(() => started.id(), soon).not.toBe('')
  return started
}

const send = async <Body>(method: string, path: string, body?: unknown): Promise<Body> => {
  const { adminToken: token } = environment
  const response = await call(environment.url, method, `/api/v1/experiments${path}`, {
    token,
    ...(body !== undefined && { body }),
  })
  expect([response.status, response.body]).toEqual([200, expect.anything()])
  return response.body
}

const experimentOf = (id: string) => send<ExperimentDetails>('GET', `/${id}`)
const runOf = (id: string, run: number) => send<ExperimentRunDetails>('GET', `/${id}/runs/${run}`)

/** The run of the experiment that an emulator executes, as far as the controller knows; 0 for none. */
async function executedRun(id: string, by: EmulatorProcess): Promise<number> {
  const [found] = await environment.sql(
    `select run from experiment_runs where experiment_id = $1 and emulator = $2 and state = 'running'`,
    [id, by.id()],
  )
  return found?.run ?? 0
}

/** A run takes seconds of one core. */
const world: ExperimentWorld = {
  access_points: [
    { technology: '5G', count: 1, clients: 10, east_m: 80 },
    { technology: 'WiFi', count: 4, clients: 20 },
    { technology: 'LiFi', count: 4, clients: 4, room_m: 30 },
  ],
  scenario: 'rush_hour',
}
const durationS = 9000

/** A real access point with clients. */
async function accessPoint(latitude: number): Promise<string> {
  const apId = uniqueName('whatif')
  const geolocation = { latitude, longitude: -2.6 }
  const configuration = { technology: 'WiFi', geolocation, telemetry_interval_s: 600 }
  await environment.request('POST', '/api/v1/agents/', { ap_id: apId, password: 'p', configuration })
  const token = await tokenOf(environment.url, 'agent', apId, 'p')
  const body = { payload: { clients: 10, throughput_mbps: 40 } }
  await call(environment.url, 'POST', '/api/v1/agent_update/update', { token, body })
  const clients = async () =>
    (await environment.request('GET', `/api/v1/fleet/table?ap_id=${apId}`)).body.rows[0]?.clients
  await expect.poll(clients, soon).toBe(10)
  return apId
}

describe('a what-if', () => {
  it(
    'tells the difference that a command would make in the network, with its interval',
    async () => {
      const agents = [await accessPoint(51.45), await accessPoint(51.4502)]
      await emulator()
      const request = {
        agents,
        command: { ap_id: agents[0], command: 'power_off' },
        repetitions: 3,
        horizon_s: 600,
      }
      const { status, body } = await environment.request('POST', '/api/v1/what_if', request)
      expect([status, body]).toEqual([200, expect.anything()])
      await expect.poll(async () => (await experimentOf(body.id)).state, soon).toBe('finished')
      const [none, off] = (await experimentOf(body.id)).results
      expect([none?.policy, off?.policy]).toEqual(['none', 'command'])
      expect(none?.figures.kwh.difference).toBeNull()
      const { difference, difference_interval: interval } = off?.figures.kwh ?? {}
      expect(difference).toBeLessThan(0)
      expect(interval).toBeLessThan(Math.abs(difference ?? 0))
    },
    testTimeoutMs,
  )

  it(
    'about a command that access points do not know fails with the reason',
    async () => {
      const apId = await accessPoint(51.45)
      await emulator()
      const request = {
        agents: [apId],
        command: { ap_id: apId, command: 'dance' },
        repetitions: 1,
        horizon_s: 300,
      }
      const { body } = await environment.request('POST', '/api/v1/what_if', request)
      await expect.poll(async () => (await experimentOf(body.id)).state, soon).toBe('failed')
      const { run_list: runs } = await experimentOf(body.id)
      expect(runs.map(({ state }) => state)).toEqual(['finished', 'failed'])
      expect(runs[1]?.detail).toContain('dance is not known')
    },
    testTimeoutMs,
  )
})

describe('experiments', () => {
  it(
    'are executed by two emulators, of which one is killed, with the results of a direct run',
    async () => {
      const [victim, survivor] = [await emulator(), await emulator()]
      const { id } = await send<{ id: string }>('POST', '', {
        name: uniqueName('killed'),
        world,
        policies: ['none', 'best-experience'],
        repetitions: 3,
        seed: 'kill',
        duration_s: durationS,
      })
      await expect.poll(() => executedRun(id, survivor), soon).toBeGreaterThan(0)
      // Suspended first: it must not finish its run between the question and its end.
      let lostRun = 0
      const suspend = async () => {
        if ((await executedRun(id, victim)) === 0) return 0
        victim.process.kill('SIGSTOP')
        lostRun = await executedRun(id, victim)
        if (lostRun === 0) victim.process.kill('SIGCONT')
        return lostRun
      }
      await expect.poll(suspend, soon).toBeGreaterThan(0)
      victim.process.kill('SIGKILL')
      await expect.poll(async () => (await experimentOf(id)).state, soon).toBe('finished')

      const experiment = await experimentOf(id)
      expect(experiment).toMatchObject({ runs: 6, finished: 6, failed: 0 })
      // The run of the killed emulator was begun again.
      expect(experiment.run_list[lostRun - 1]?.attempts).toBeGreaterThanOrEqual(2)
      for (const { run, policy, seed } of experiment.run_list) {
        const { figures, series } = await runOf(id, run)
        const direct = runExperiment({
          world,
          duration_s: durationS,
          seed,
          policy: { name: policy as SteeringPolicyName },
        })
        expect(JSON.stringify({ figures, series })).toBe(JSON.stringify(direct))
      }
      const [none, ours] = experiment.results
      expect([none?.runs, ours?.runs]).toEqual([3, 3])
      expect(none?.figures.mean_mbps.mean).toBeGreaterThan(0)
      expect(ours?.figures.p5_mbps.difference_interval).toBeGreaterThan(0)
    },
    testTimeoutMs,
  )

  it(
    'that are cancelled are not executed to their end',
    async () => {
      // Of about 20 s of one core, if it were not cancelled.
      const large = { access_points: [{ technology: 'WiFi', count: 100, clients: 7 }] }
      const request = { name: uniqueName('cancelled'), policies: ['best-experience'], repetitions: 1 }
      const { id } = await send<{ id: string }>('POST', '', { ...request, world: large, duration_s: 14_000 })
      const only = await emulator()
      await expect.poll(async () => (await runOf(id, 1)).state, soon).toBe('running')
      await send('POST', `/${id}/cancel`)
      await expect.poll(() => only.output(), soon).toMatch(/run [\da-f-]{36}: stopped/)
      expect(await runOf(id, 1)).toMatchObject({ state: 'cancelled', figures: null, series: null })
      // It is free for the next one.
      const next = await send<{ id: string }>('POST', '', { ...request, world, duration_s: 300 })
      await expect.poll(async () => (await experimentOf(next.id)).state, soon).toBe('finished')
    },
    testTimeoutMs,
  )

  it(
    'of an emulator that is stopped are continued by another one',
    async () => {
      const request = { name: uniqueName('stopped'), world, policies: ['none'], repetitions: 2 }
      const { id } = await send<{ id: string }>('POST', '', { ...request, duration_s: durationS })
      const first = await emulator()
      await expect.poll(() => executedRun(id, first), soon).toBeGreaterThan(0)
      first.process.kill('SIGTERM')
      await expect.poll(() => first.process.exitCode, soon).toBe(0)
      await emulator()
      await expect.poll(async () => (await experimentOf(id)).state, soon).toBe('finished')
    },
    testTimeoutMs,
  )

  it('have results that the controller checks, and an emulator learns what is wrong', async () => {
    const { id } = await send<{ id: string }>('POST', '', {
      name: uniqueName('refused'),
      world,
      policies: ['none'],
      repetitions: 1,
    })
    const reports = new ReportClient({
      url: environment.url,
      tls: undefined,
      appName: 'emulator',
      apiKey: 'a-key',
    })
    const [found] = await environment.sql('select id from experiment_runs where experiment_id = $1', [id])
    const report = { run_id: found.id, emulator: randomUUID() }
    const { signal } = new AbortController()
    expect(await reports.postRun({ ...report, state: 'started' }, signal)).toEqual({ isWanted: true })
    const result = runExperiment({ world, duration_s: 300, seed: 'x', policy: {} })
    result.series.clients.pop()
    expect(await reports.postRun({ ...report, state: 'finished', result }, signal)).toEqual({
      isWanted: false,
      problem: expect.stringContaining('same length'),
    })
    // It is still wanted: as a failure.
    expect(await reports.postRun({ ...report, state: 'failed', detail: 'x' }, signal)).toEqual({
      isWanted: true,
    })
    expect(await reports.postRun({ ...report, state: 'running' }, signal)).toEqual({ isWanted: false })
  })
})

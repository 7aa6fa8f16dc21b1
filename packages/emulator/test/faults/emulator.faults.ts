import { setTimeout as sleep } from 'node:timers/promises'
import {
  admin,
  brokerManagement,
  call,
  type IsolatedEnvironment,
  type ServerProcess,
  startServerProcess,
  tokenOf,
} from '@manc/harness'
import { type EmulatorProcess, registerEmulatorApp, startEmulator } from '@manc/harness/emulator-process'
import { testWithEngines } from '@manc/harness/fixture'
import { sized } from '@manc/harness/load'
import { afterAll, expect } from 'vitest'
import { type Part, PartObserver } from '../part-observer.ts'
import { sentSamples } from '../sent-samples.ts'

const it = testWithEngines.override('withServer', false)

/**
 * Two parts, each of an emulation: one part is one world. The quick mode also expires leases
 * at once, and leaves out the emulator that is suspended.
 */
const isQuick = process.env['MANC_QUICK'] !== undefined
const emulations = isQuick ? [20, 20] : [250, 250]
const agents = emulations.reduce((sum, count) => sum + count, 0)
/** In the quick mode the broker is back after 9 s on a fast machine; the emulation must still be running then. */
const durationS = sized(170, 36)
/** The maximum age of the last report of an emulator when it is killed. */
const maxReportAgeS = 13

let environment: IsolatedEnvironment
let server: ServerProcess
let token: string
let observer: PartObserver
const emulators: EmulatorProcess[] = []

const start = () => startServerProcess({ ...environment.variables, MANC_ROLES: 'api,subscriber,ingester' })

it.beforeAll(async ({ environment: own }) => {
  environment = own
  Object.assign(environment.variables, { MANC_EMULATED_KEEP_SECONDS: '1', MANC_PORT: '0' })
  server = await start()
  token = await tokenOf(server.url, 'user', admin.username, admin.password)
  await registerEmulatorApp(server.url, token)
})

afterAll(async () => {
  for (const { process: child } of emulators) child.kill('SIGKILL')
  await server?.stop('SIGKILL')
}, 60_000)

/** Runs one part at a time, so that two emulators share the parts. */
function emulate(): EmulatorProcess {
  const emulator = startEmulator(server.url, environment, { MANC_EMULATOR_PARTS: '1' })
  emulators.push(emulator)
  return emulator
}

const get = async (route: string) => (await call(server.url, 'GET', `/api/v1${route}`, { token })).body
const online = async () => (await get('/fleet/summary')).online
const rows = async (text: string, values: unknown[] = []) => await environment.sql(text, values)

async function spinUp(count: number, duration: number) {
  const { status, body } = await call(server.url, 'POST', '/api/v1/emulator/spinup', {
    token,
    body: {
      emulators: [
        {
          access_point_type: 'WiFi',
          num_access_points: count,
          locations: ['Bristol'],
          num_devices: 10,
          duration,
          scenario: 'steady',
        },
      ],
    },
  })
  expect(status).toBe(200)
  return body as { job_number: string; agents: string[] }
}

/** The agent of each MQTT connection; an agent with two connections is listed twice. */
async function connected(): Promise<string[]> {
  const all = await brokerManagement(environment.engines, 'GET', '/api/connections?columns=user,protocol')
  return (all as { user: string; protocol: string }[])
    .filter(({ protocol }) => protocol.includes('MQTT'))
    .map(({ user }) => user)
}

/** Waits until every agent has one connection. */
async function allConnected(): Promise<void> {
  await expect.poll(connected, { timeout: 60_000, interval: 1000 }).toHaveLength(agents)
  expect(new Set(await connected()).size).toBe(agents)
}

/** The row of a part, with the emulator that runs it. */
async function readPart({ job, part }: Part) {
  const [row] = await rows(
    `select part.emulator, least(1000, agents) as agents, told ->> 'commands' as commands
     from emulation_parts as part join emulations using (job_number) where job_number = $1 and part = $2`,
    [job, part],
  )
  return row as { emulator: string | null; agents: number; commands: string }
}

async function holderOf(part: Part): Promise<EmulatorProcess> {
  const { emulator } = await readPart(part)
  const holder = emulators.find((each) => each.id() === emulator)
  if (!holder) throw new Error(`no emulator has part ${part.part} of ${part.job}`)
  return holder
}

/** Waits until another emulator has taken the part, and all agents are online again. */
async function takenOver(part: Part, from: EmulatorProcess): Promise<void> {
  if (isQuick) {
    observer.allow(part)
    await rows('update emulation_parts set leased_until = now() where job_number = $1 and part = $2', [
      part.job,
      part.part,
    ])
  }
  const isTaken = async () => ![null, from.id()].includes((await readPart(part)).emulator)
  await expect.poll(isTaken, { timeout: 60_000, interval: 100 }).toBe(true)
  await expect.poll(online, { timeout: 60_000, interval: 200 }).toBe(agents)
}

interface Summary {
  state: string
  live: number
  failed: number
  samples: number
  commands: number
}

/** The summary of a finished job, from the mailbox of its caller. */
async function summaryOf(job: string): Promise<Summary> {
  const state = async () => (await get(`/jobs/${job}`)).state
  await expect.poll(state, { timeout: (durationS + 60) * 1000, interval: 200 }).toBe('succeeded')
  const [{ data }] = await rows('select data from mailbox where job_number = $1 order by seq desc limit 1', [
    job,
  ])
  return JSON.parse(data)[0]
}

it('an emulation survives failures of emulators and broker: no agent runs twice, none is left over, and the summary is correct', async () => {
  emulate()
  emulate()
  const startedAt = Date.now()
  const sinceS = () => Math.round((Date.now() - startedAt) / 100) / 10
  const made = await Promise.all(emulations.map((count) => spinUp(count, durationS)))
  const jobs = made.map(({ job_number: job }) => job)
  const parts = jobs.map((job) => ({ job, part: 1 }))
  const [first, last] = [parts[0], parts[1]] as [Part, Part]
  observer = new PartObserver(environment.databaseUrl, jobs)
  await expect.poll(online, { timeout: 40_000, interval: 200 }).toBe(agents)
  const after: Record<string, number> = { live_s: sinceS() }
  const commanded = made.at(-1)?.agents.at(-1) ?? ''
  await call(server.url, 'POST', `/api/v1/send_command?agent_id=${commanded}&command=set_power%2010`, {
    token,
  })
  const reportedCommands = async () => (await readPart(last)).commands
  await expect.poll(reportedCommands, { timeout: 20_000, interval: 100 }).toBe('1')
  const dead = await holderOf(last)
  expect(await holderOf(first), 'they share').not.toBe(dead)

  emulate()
  dead.process.kill('SIGKILL')
  let maxUnreported = (await readPart(last)).agents * maxReportAgeS
  await expect.poll(online, { timeout: 30_000, interval: 100 }).toBeLessThan(agents)
  await takenOver(last, dead)
  after['takeover_s'] = sinceS()

  await environment.set.kill('rabbitmq')
  await environment.set.start('rabbitmq')
  const brokerBackAt = Date.now()
  after['broker_s'] = sinceS()
  if (!isQuick) {
    await allConnected()
    after['all_back_s'] = sinceS()
    maxUnreported += await suspend(first)
    after['suspended_s'] = sinceS()
  }

  const summaries = await Promise.all(jobs.map((job) => summaryOf(job)))
  await observer.stop()
  const sum = (name: 'live' | 'failed' | 'samples' | 'commands') =>
    summaries.reduce((all, each) => all + each[name], 0)
  const inStore = () => sentSamples(environment.engines.victoria, jobs, brokerBackAt)
  const stored = async () => (await inStore()).samples
  await expect.poll(stored, { timeout: 20_000, interval: 200 }).toBeGreaterThanOrEqual(sum('samples'))
  const sent = await inStore()
  const holders = [...observer.holders.values()].map((those) => those.length)
  console.log('report', JSON.stringify({ summaries, in_store: sent, holders, after }))
  expect(summaries.map(({ state }) => state)).toEqual(jobs.map(() => 'finished'))
  expect([sum('live'), sum('failed'), sum('commands')]).toEqual([agents, 0, 1])
  expect(sent.agents).toBe(agents)
  // Agents reconnect after random delays; in the quick mode the emulation may end before all are back.
  expect(sent.agentsSince).toBeGreaterThan(isQuick ? 0 : agents - 1)
  expect(sent.samples - sum('samples')).toBeLessThanOrEqual(maxUnreported)
  expect(observer.faults).toEqual([])
  // One sample a second, plus a shift when another emulator takes over. An agent that runs twice would have 20.
  expect(sent.busiest).toBeLessThanOrEqual(12)
  // The first of them may be removed already.
  expect(
    await rows(`select state from emulation_parts where job_number = any($1) and state <> 'finished'`, [
      jobs,
    ]),
  ).toEqual([])

  // Also after a restart of the server.
  await server.stop()
  server = await start()
  const left = async () => (await rows('select 1 from agents where emulation = any($1)', [jobs])).length
  await expect.poll(left, { timeout: 20_000, interval: 100 }).toBe(0)
  await expect.poll(connected, { timeout: 20_000, interval: 200 }).toEqual([])
  const past = await get(`/metrics/agent_multi_metric_data?agent=${commanded}&metrics=clients`)
  // In the quick mode its emulator is killed after a second or two, and the broker soon after the takeover.
  expect(past.series[0].points.length).toBeGreaterThan(isQuick ? 0 : 5)
}, 400_000)

/** Suspends an emulator until another has taken its part, then resumes it. Returns the maximum number of unreported samples. */
async function suspend(part: Part): Promise<number> {
  const holder = await holderOf(part)
  emulate()
  holder.process.kill('SIGSTOP')
  await takenOver(part, holder)
  const since = () => rows('select ap_id, connected_at from fleet order by ap_id')
  const before = await since()
  holder.process.kill('SIGCONT')
  await expect.poll(() => holder.output(), { timeout: 20_000 }).toContain('ended')
  await sleep(3000)
  expect(await since(), 'no agent was disconnected').toEqual(before)
  await allConnected()
  return (await readPart(part)).agents * maxReportAgeS
}

it.skipIf(isQuick)(
  'an emulator takes another part after the broker was down at the end of one',
  async () => {
    for (const { process: child } of emulators.splice(0)) child.kill('SIGKILL')
    const emulator = emulate()
    await spinUp(30, 15)
    await expect.poll(online, { timeout: 14_000, interval: 100 }).toBe(30)
    await environment.set.kill('rabbitmq')
    await expect.poll(() => emulator.output(), { timeout: 40_000 }).toContain('ended')
    await environment.set.start('rabbitmq')
    await spinUp(20, 60)
    await expect.poll(online, { timeout: 30_000, interval: 200 }).toBe(20)
  },
  120_000,
)

import { setTimeout as sleep } from 'node:timers/promises'
import {
  admin,
  brokerManagement,
  call,
  createIsolatedEnvironment,
  type IsolatedEnvironment,
  type ServerProcess,
  startServerProcess,
  tokenOf,
} from '@manc/harness'
import { type EmulatorProcess, registerEmulatorApp, startEmulator } from '@manc/harness/emulator-process'
import { sized } from '@manc/harness/load'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Part, PartWitness } from '../part-witness.ts'
import { sentSamples } from '../sent-samples.ts'

/**
 * Two parts: of one emulation, or quick, since a part has 250 agents and those take their time, of two small ones. Quick, nobody
 * waits for leases to lapse either, and the emulator that stands still is left out.
 */
const isQuick = process.env['MANC_QUICK'] !== undefined
const emulations = isQuick ? [20, 20] : [500]
const agents = emulations.reduce((sum, count) => sum + count, 0)
/** Quick, the broker is back after 9 s where nothing is slow, and they have to be there still. */
const durationS = sized(170, 36)
/** An emulator that dies has told of its samples so long ago at the most. */
const untoldS = 13

let environment: IsolatedEnvironment
let server: ServerProcess
let token: string
let witness: PartWitness
const emulators: EmulatorProcess[] = []

const start = () => startServerProcess({ ...environment.variables, MANC_ROLES: 'api,subscriber,ingester' })

beforeAll(async () => {
  environment = await createIsolatedEnvironment()
  Object.assign(environment.variables, { MANC_EMULATED_KEEP_SECONDS: '1', MANC_PORT: '0' })
  server = await start()
  token = await tokenOf(server.url, 'user', admin.username, admin.password)
  await registerEmulatorApp(server.url, token)
}, 120_000)

afterAll(async () => {
  for (const { process: child } of emulators) child.kill('SIGKILL')
  await server?.stop('SIGKILL')
  await environment?.drop()
}, 60_000)

/** One part each, so that they have to share. */
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

/** Each agent that has a connection, as often as it has one. */
async function connected(): Promise<string[]> {
  const all = await brokerManagement(environment.engines, 'GET', '/api/connections?columns=user,protocol')
  return (all as { user: string; protocol: string }[])
    .filter(({ protocol }) => protocol.includes('MQTT'))
    .map(({ user }) => user)
}

/** Each of them once. */
async function allConnected(): Promise<void> {
  await expect.poll(connected, { timeout: 60_000, interval: 1000 }).toHaveLength(agents)
  expect(new Set(await connected()).size).toBe(agents)
}

/** What the database has of a part, among it the emulator that runs it. */
async function look({ job, part }: Part) {
  const [row] = await rows(
    `select part.emulator, least(250, agents) as agents, told ->> 'commands' as commands
     from emulation_parts as part join emulations using (job_number) where job_number = $1 and part = $2`,
    [job, part],
  )
  return row as { emulator: string | null; agents: number; commands: string }
}

async function holderOf(part: Part): Promise<EmulatorProcess> {
  const { emulator } = await look(part)
  const holder = emulators.find((each) => each.id() === emulator)
  if (!holder) throw new Error(`nobody has part ${part.part} of ${part.job}`)
  return holder
}

/** Until another has the part of one that is gone, and all agents are there again. */
async function takenOver(part: Part, from: EmulatorProcess): Promise<void> {
  if (isQuick) {
    witness.allow(part)
    await rows('update emulation_parts set leased_until = now() where job_number = $1 and part = $2', [
      part.job,
      part.part,
    ])
  }
  const isTaken = async () => ![null, from.id()].includes((await look(part)).emulator)
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

/** How a job has ended, as its caller is told. */
async function summaryOf(job: string): Promise<Summary> {
  const state = async () => (await get(`/jobs/${job}`)).state
  await expect.poll(state, { timeout: (durationS + 60) * 1000, interval: 200 }).toBe('succeeded')
  const [{ data }] = await rows('select data from mailbox where job_number = $1 order by seq desc limit 1', [
    job,
  ])
  return JSON.parse(data)[0]
}

it('an emulation goes on whoever dies: no agent is run twice, none is left, and the summary is true', async () => {
  emulate()
  emulate()
  const startedAt = Date.now()
  const sinceS = () => Math.round((Date.now() - startedAt) / 100) / 10
  const made = await Promise.all(emulations.map((count) => spinUp(count, durationS)))
  const jobs = made.map(({ job_number: job }) => job)
  const parts = made.flatMap(({ job_number: job, agents: those }) =>
    those.length > 250
      ? [
          { job, part: 1 },
          { job, part: 2 },
        ]
      : [{ job, part: 1 }],
  )
  const [first, last] = [parts[0], parts[1]] as [Part, Part]
  witness = new PartWitness(environment.databaseUrl, jobs)
  await expect.poll(online, { timeout: 40_000, interval: 200 }).toBe(agents)
  const after: Record<string, number> = { live_s: sinceS() }
  const commanded = made.at(-1)?.agents.at(-1) ?? ''
  await call(server.url, 'POST', `/api/v1/send_command?agent_id=${commanded}&command=set_power%2010`, {
    token,
  })
  const toldCommands = async () => (await look(last)).commands
  await expect.poll(toldCommands, { timeout: 20_000, interval: 100 }).toBe('1')
  const dead = await holderOf(last)
  expect(await holderOf(first), 'they share').not.toBe(dead)

  emulate()
  dead.process.kill('SIGKILL')
  let mostUntold = (await look(last)).agents * untoldS
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
    mostUntold += await standStill(first)
    after['stood_still_s'] = sinceS()
  }

  const summaries = await Promise.all(jobs.map((job) => summaryOf(job)))
  await witness.stop()
  const sum = (name: 'live' | 'failed' | 'samples' | 'commands') =>
    summaries.reduce((all, each) => all + each[name], 0)
  const inStore = () => sentSamples(environment.engines.victoria, jobs, brokerBackAt)
  const stored = async () => (await inStore()).samples
  await expect.poll(stored, { timeout: 20_000, interval: 200 }).toBeGreaterThanOrEqual(sum('samples'))
  const sent = await inStore()
  const holders = [...witness.holders.values()].map((those) => those.length)
  console.log('report', JSON.stringify({ summaries, in_store: sent, holders, after }))
  expect(summaries.map(({ state }) => state)).toEqual(jobs.map(() => 'finished'))
  expect([sum('live'), sum('failed'), sum('commands')]).toEqual([agents, 0, 1])
  expect(sent.agents).toBe(agents)
  // They come back one by one, each after a while of its own; quick, it may end before all are there.
  expect(sent.agentsSince).toBeGreaterThan(isQuick ? 0 : agents - 1)
  expect(sent.samples - sum('samples')).toBeLessThanOrEqual(mostUntold)
  expect(witness.faults).toEqual([])
  // Once a second; and the moment of the second may be another with another emulator. Run twice, it would be 20.
  expect(sent.busiest).toBeLessThanOrEqual(12)
  expect(await rows('select state from emulation_parts where job_number = any($1)', [jobs])).toEqual([
    { state: 'finished' },
    { state: 'finished' },
  ])

  // What is due is swept up at the start, and once a minute.
  await server.stop()
  server = await start()
  const left = async () => (await rows('select 1 from agents where emulation = any($1)', [jobs])).length
  await expect.poll(left, { timeout: 20_000, interval: 100 }).toBe(0)
  await expect.poll(connected, { timeout: 20_000, interval: 200 }).toEqual([])
  const past = await get(`/metrics/agent_multi_metric_data?agent=${commanded}&metrics=clients`)
  // Quick, its emulator is killed after a second or two, and the broker soon after the next has taken it.
  expect(past.series[0].points.length).toBeGreaterThan(isQuick ? 0 : 5)
}, 400_000)

/** An emulator stands still for longer than its lease, and goes on when another has its part. Answers how much it has not told. */
async function standStill(part: Part): Promise<number> {
  const holder = await holderOf(part)
  emulate()
  holder.process.kill('SIGSTOP')
  await takenOver(part, holder)
  const since = () => rows('select ap_id, connected_at from fleet order by ap_id')
  const before = await since()
  holder.process.kill('SIGCONT')
  await expect.poll(() => holder.output(), { timeout: 20_000 }).toContain('ended')
  await sleep(3000)
  expect(await since(), 'nobody was pushed out').toEqual(before)
  await allConnected()
  return (await look(part)).agents * untoldS
}

it.skipIf(isQuick)(
  'an emulator whose broker is away at the end of a part takes another when it is back',
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

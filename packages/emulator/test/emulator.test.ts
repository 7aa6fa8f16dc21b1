import { envelopeProtocol, socketPath } from '@manc/contract'
import {
  admin,
  brokerManagement,
  call,
  closedPort,
  type IsolatedEnvironment,
  type Replica,
  startReplica,
  tokenOf,
} from '@manc/harness'
import { type EmulatorProcess, registerEmulatorApp, startEmulator } from '@manc/harness/emulator-process'
import { testWithEngines } from '@manc/harness/fixture'
import { afterAll, describe, expect } from 'vitest'
import WebSocket from 'ws'

const it = testWithEngines.override('withServer', false)

let environment: IsolatedEnvironment
let server: Replica
let token: string
let emulator: EmulatorProcess
let port: string
/** Longer than any step takes on a busy machine. */
const soon = { timeout: 90_000, interval: 100 }
/** Promised are 10 s on an idle machine, which the emulator bench measures. */
const maxLiveMs = 85_000

const start = () =>
  startReplica({
    ...environment.variables,
    MANC_ROLES: 'api,subscriber,ingester',
    MANC_EMULATED_KEEP_SECONDS: '1',
    // The same port after a restart, so that the emulator can reconnect.
    MANC_PORT: port,
  })

it.beforeAll(async ({ environment: own }) => {
  environment = own
  port = String(await closedPort())
  server = await start()
  token = await tokenOf(server.url, 'user', admin.username, admin.password)
  await registerEmulatorApp(server.url, token)
  emulator = startEmulator(server.url, environment)
})

afterAll(async () => {
  emulator?.process.kill('SIGKILL')
  await server?.stop()
})

const get = async (route: string) => (await call(server.url, 'GET', `/api/v1${route}`, { token })).body

/** Agents of an earlier attempt may still exist, so all counts are of one emulation. */
interface Emulation {
  job_number: string
  agents: string[]
}

/** The rows of the emulation and of its agents that are left. */
async function left({ job_number: job, agents }: Emulation): Promise<unknown> {
  const rows = await environment.sql(
    `select (select count(*)::int from agents where ap_id = any($2)) as agents,
       (select count(*)::int from fleet where ap_id = any($2)) as fleet,
       (select count(*)::int from emulations where job_number = $1) as emulations,
       (select count(*)::int from emulation_parts where job_number = $1) as parts`,
    [job, agents],
  )
  return rows[0]
}

/** The connections of its agents at the broker. */
async function connections({ agents }: Emulation): Promise<number> {
  const all = (await brokerManagement(environment.engines, 'GET', '/api/connections')) as { user: string }[]
  return all.filter(({ user }) => agents.includes(user)).length
}

/** Its agents as the fleet shows them, with their states. */
async function shown({ agents }: Emulation): Promise<string[]> {
  const fleet = (await get('/fleet/agents?limit=1000')) as { ap_id: string; state: string }[]
  return fleet.filter(({ ap_id }) => agents.includes(ap_id)).map(({ state }) => state)
}

const online = async (emulation: Emulation) =>
  (await shown(emulation)).filter((state) => state === 'online').length

function follow(number: string): any[] {
  const socket = new WebSocket(
    `${server.url.replace('http', 'ws')}${socketPath}/${number}`,
    [envelopeProtocol],
    {
      headers: { authorization: `Bearer ${token}` },
    },
  )
  const received: any[] = []
  socket.on('message', (data) => {
    const message = JSON.parse((data as Buffer).toString())
    received.push(message)
    socket.send(JSON.stringify({ type: 'ack', seq: message.seq }))
  })
  // The test fails by the missing messages.
  socket.on('error', () => {})
  return received
}

describe('an emulation of 60 access points', () => {
  it('becomes live, executes commands, ends after its duration with a summary, and leaves only history', async () => {
    const emulators = ['5G', 'WiFi', 'LiFi'].map((technology) => ({
      access_point_type: technology,
      num_access_points: 20,
      locations: ['Bristol'],
      num_devices: 10,
      // Longer than they may take to be live, so that all of them are live at the same time.
      duration: 90,
      scenario: 'steady',
    }))
    const startedAt = Date.now()
    const { status, body } = await call(server.url, 'POST', '/api/v1/emulator/spinup', {
      token,
      body: { emulators },
    })
    expect(status).toBe(200)
    const received = follow(body.job_number)
    const live = () => Math.max(0, ...received.flatMap(({ data }) => data[0]?.live ?? 0))
    await expect.poll(live, soon).toBe(60)
    const series = async (agent: string, metrics: string) =>
      (await get(`/metrics/agent_multi_metric_data?agent=${agent}&metrics=${metrics}`)).series
    const own = { '5g': 'rsrp_dbm', wifi: 'rssi_dbm', lifi: 'illuminance_lux' }
    const ownOf = (agent: string) => own[agent.split('-')[1] as keyof typeof own]
    for (const agent of body.agents)
      await expect
        .poll(
          async () =>
            (await series(agent, `clients,${ownOf(agent)}`)).map((one: any) => one.points.length > 0),
          soon,
        )
        .toEqual([true, true])
    const liveAfterMs = Date.now() - startedAt
    process.stdout.write(`60 agents live and readable after ${liveAfterMs} ms\n`)
    expect(liveAfterMs).toBeLessThan(maxLiveMs)
    await expect.poll(() => online(body), soon).toBe(60)
    await expect.poll(() => connections(body), soon).toBe(60)

    const last = body.agents.at(-1)
    const send = await call(server.url, 'POST', `/api/v1/send_command?agent_id=${last}&command=power_off`, {
      token,
    })
    await expect.poll(async () => (await get(`/jobs/${send.body.job_number}`)).state, soon).toBe('succeeded')
    await expect.poll(async () => (await series(last, 'clients'))[0].points.at(-1).value, soon).toBe(0)

    await expect.poll(() => received.at(-1)?.final, { timeout: 180_000 }).toBe(true)
    expect(received.at(-1).data[0]).toMatchObject({
      state: 'finished',
      agents: 60,
      live: 60,
      failed: 0,
      commands: 1,
    })
    expect(received.at(-1).data[0].samples).toBeGreaterThan(60 * 8)
    expect((await get(`/jobs/${body.job_number}`)).state).toBe('succeeded')
    await expect.poll(() => online(body), soon).toBe(0)
    expect(emulator.output()).toContain('ended')

    // What is due is removed, also after a restart of the server.
    await server.stop()
    server = await start()
    await expect.poll(() => left(body), soon).toEqual({ agents: 0, fleet: 0, emulations: 0, parts: 0 })
    await expect.poll(() => connections(body), soon).toBe(0)
    expect(await shown(body)).toEqual([])
    for (const agent of [body.agents[0], body.agents[30], body.agents[50]]) {
      expect((await call(server.url, 'GET', `/api/v1/agents/${agent}`, { token })).status).toBe(404)
      for (const { metric, points } of await series(agent, `clients,${ownOf(agent)}`))
        expect([metric, points.length > 8]).toEqual([metric, true])
    }
  }, 400_000)
})

describe('an emulation that is stopped', () => {
  it('has no connected agent after a few seconds, and then no agents', async () => {
    const { body } = await call(server.url, 'POST', '/api/v1/emulator/spinup', {
      token,
      body: {
        emulators: [
          {
            access_point_type: 'WiFi',
            num_access_points: 30,
            locations: ['Bristol'],
            num_devices: 5,
            duration: 3600,
          },
        ],
      },
    })
    await expect.poll(() => connections(body), soon).toBe(30)
    const startedAt = Date.now()
    const route = `/api/v1/emulations/${body.job_number}`
    expect((await call(server.url, 'DELETE', route, { token })).status).toBe(200)
    await expect.poll(() => connections(body), soon).toBe(0)
    const stoppedMs = Date.now() - startedAt
    await expect.poll(() => left(body), soon).toEqual({ agents: 0, fleet: 0, emulations: 0, parts: 0 })
    process.stdout.write(
      `30 agents disconnected after ${stoppedMs} ms, removed after ${Date.now() - startedAt} ms\n`,
    )
    expect(await get(`/jobs/${body.job_number}`)).toMatchObject({
      state: 'succeeded',
      detail: `Stopped by ${admin.username}.`,
    })
    const failures = await environment.sql('select 1 from login_failures')
    expect(failures).toEqual([])
  }, 200_000)
})

describe('the seed of an emulation', () => {
  const count = 4

  async function spinUp(seed: string): Promise<Emulation> {
    const spec = {
      access_point_type: 'WiFi',
      num_access_points: count,
      locations: ['Bristol'],
      num_devices: 5,
      duration: 120,
      scenario: 'steady',
      seed,
    }
    const { status, body } = await call(server.url, 'POST', '/api/v1/emulator/spinup', {
      token,
      body: { emulators: [spec] },
    })
    expect(status).toBe(200)
    return body
  }

  /** Of each access point what does not depend on the moment of a sample: its channel, and its uptime when it began. */
  async function measured({ job_number: job, agents }: Emulation) {
    const [{ begun }] = await environment.sql(
      'select begins_at as begun from emulations where job_number = $1',
      [job],
    )
    const first = async (apId: string) => {
      const read = async (): Promise<any[]> =>
        (await get(`/metrics/agent_multi_metric_data?agent=${apId}&metrics=channel,uptime_s`)).series.map(
          ({ points }: { points: unknown[] }) => points[0],
        )
      await expect.poll(read, soon).toEqual([expect.anything(), expect.anything()])
      const [channel, uptime] = await read()
      return {
        channel: channel.value,
        uptimeS: uptime.value - (Date.parse(uptime.ts) - begun.getTime()) / 1000,
      }
    }
    return Promise.all(agents.map(first))
  }

  it('two emulations with the same seed give the same values, and one with another seed gives others', async () => {
    const [one, same, other] = await Promise.all(
      ['first', 'first', 'second'].map(async (seed) => measured(await spinUp(seed))),
    )
    const channels = (points: typeof one) => points?.map(({ channel }) => channel)
    expect(channels(same)).toEqual(channels(one))
    const apartS = (points: typeof one) =>
      points?.map(({ uptimeS }, n) => Math.abs(uptimeS - (one?.[n]?.uptimeS ?? 0)))
    // The uptime is sent in whole seconds.
    expect(apartS(same)?.filter((apart) => apart > 1)).toEqual([])
    expect(apartS(other)?.filter((apart) => apart > 1)).toHaveLength(count)
  }, 240_000)
})

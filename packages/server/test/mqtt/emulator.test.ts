import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import WebSocket from 'ws'
import { call, tokenOf } from '../client.ts'
import { admin, type Replica, startReplica } from '../harness.ts'
import { makeStage, type Stage } from './stage.ts'

let stage: Stage
let server: Replica
let token: string
let emulator: ChildProcess
let output = ''
const soon = { timeout: 20_000, interval: 100 }

beforeAll(async () => {
  stage = await makeStage()
  server = await startReplica({ ...stage.environment, MANC_ROLES: 'api,subscriber,ingester' })
  token = await tokenOf(server.url, 'user', admin.username, admin.password)
  const body = { app_name: 'emulator', api_key: 'a-key', permissions: { scopes: ['callbacks:post'] } }
  await call(server.url, 'POST', '/api/v1/third_party_apps/', { token, body })
  emulator = spawn(process.execPath, [path.join(import.meta.dirname, '../../../emulator/src/main.ts')], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      PATH: process.env['PATH'],
      MANC_API_URL: server.url,
      MANC_MQTT_URL: stage.set.urls.mqtt,
      MANC_RABBITMQ_URL: stage.set.urls.rabbitmq,
      MANC_EMULATOR_APP: 'emulator',
      MANC_EMULATOR_KEY: 'a-key',
    },
  })
  for (const stream of [emulator.stdout, emulator.stderr])
    stream?.on('data', (chunk) => {
      output += String(chunk)
    })
}, 120_000)

afterAll(async () => {
  emulator?.kill('SIGKILL')
  await server?.stop()
  await stage?.set.down()
})

const get = async (route: string) => (await call(server.url, 'GET', `/api/v1${route}`, { token })).body

function follow(number: string): any[] {
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/api/v1/ws/${number}`, ['manc.v1'], {
    headers: { authorization: `Bearer ${token}` },
  })
  const told: any[] = []
  socket.on('message', (data) => {
    const message = JSON.parse((data as Buffer).toString())
    told.push(message)
    socket.send(JSON.stringify({ type: 'ack', seq: message.seq }))
  })
  return told
}

describe('60 access points in Bristol', () => {
  it('are live within 10 s, take commands, and end after their duration with a summary', async () => {
    const emulators = ['5G', 'WiFi', 'LiFi'].map((technology) => ({
      access_point_type: technology,
      num_access_points: 20,
      locations: ['Bristol'],
      num_devices: 10,
      duration: 25,
      scenario: 'steady',
    }))
    const startedAt = Date.now()
    const { status, body } = await call(server.url, 'POST', '/api/v1/emulator/spinup', {
      token,
      body: { emulators },
    })
    expect(status).toBe(200)
    const told = follow(body.job_number)
    const live = () => Math.max(0, ...told.flatMap(({ data }) => data[0]?.live ?? 0))
    await expect.poll(live, soon).toBe(60)
    const last = body.agents.at(-1)
    const series = async (metrics: string) =>
      (await get(`/metrics/agent_multi_metric_data?agent=${last}&metrics=${metrics}`)).series
    await expect
      .poll(
        async () => (await series('clients,illuminance_lux')).every((one: any) => one.points.length > 0),
        soon,
      )
      .toBe(true)
    const liveAfterMs = Date.now() - startedAt
    process.stdout.write(`60 agents live and readable after ${liveAfterMs} ms\n`)
    expect(liveAfterMs).toBeLessThan(10_000)
    expect((await get('/fleet/summary')).online).toBe(60)

    const send = await call(server.url, 'POST', `/api/v1/send_command?agent_id=${last}&command=power_off`, {
      token,
    })
    await expect.poll(async () => (await get(`/jobs/${send.body.job_number}`)).state, soon).toBe('succeeded')
    await expect.poll(async () => (await series('clients'))[0].points.at(-1).value, soon).toBe(0)

    await expect.poll(() => told.at(-1)?.final, { timeout: 40_000 }).toBe(true)
    expect(told.at(-1).data[0]).toMatchObject({
      state: 'finished',
      agents: 60,
      live: 60,
      failed: 0,
      commands: 1,
    })
    expect(told.at(-1).data[0].samples).toBeGreaterThan(60 * 8)
    expect((await get(`/jobs/${body.job_number}`)).state).toBe('succeeded')
    await expect.poll(async () => (await get('/fleet/summary')).online, soon).toBe(0)
    expect(output).toContain('over')
  }, 90_000)
})

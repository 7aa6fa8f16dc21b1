import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  createIsolatedEnvironment,
  type IsolatedEnvironment,
  type ServerProcess,
  startServerProcess,
} from '@manc/harness'
import {
  createFleet,
  hashPasswords,
  isQuick,
  type LoadProcess,
  startLoad,
  waitUntilSettled,
} from '@manc/harness/load'
import { afterAll, beforeAll, expect, it } from 'vitest'

const withToken = 5000
const withPassword = 1000
const agents = withToken + withPassword
const metrics = 5

let environment: IsolatedEnvironment
let servers: ServerProcess[] = []
let load: LoadProcess
let folder: string
let sampleLog: string

const start = (roles: string) =>
  startServerProcess({
    ...environment.variables,
    MANC_ROLES: roles,
    ...(roles === 'ingester' && { MANC_INTERNAL_PORT: '0' }),
  })

beforeAll(async () => {
  const [made, passwords] = await Promise.all([createIsolatedEnvironment(), hashPasswords(withPassword)])
  environment = made
  servers = [await start('api,subscriber'), await start('ingester')]
  folder = mkdtempSync(path.join(tmpdir(), 'manc-storm-'))
  sampleLog = path.join(folder, 'sampleLog')
  const { variables, set } = environment
  load = startLoad({
    mqttUrl: set.urls.mqtt,
    httpUrls: [servers[0]?.url ?? ''],
    withToken: await createFleet(variables, 'storm-token', withToken),
    withPassword: await createFleet(variables, 'storm-password', withPassword, passwords),
    metrics,
    intervalMs: 10_000,
    seconds: 300,
    sampleLog,
  })
  await load.connected
}, 240_000)

afterAll(async () => {
  load?.kill()
  for (const server of servers) await server.stop('SIGKILL')
  await environment?.drop()
  rmSync(folder, { recursive: true, force: true })
}, 60_000)

/** Seconds until half of the agents, and until all, were connected again. */
async function untilAllAreBack(fromMs: number): Promise<{ medianS: number; maxS: number }> {
  const since = () => Math.round((Date.now() - fromMs) / 100) / 10
  const reached = async (count: number) => {
    while (load.now().connections < count && since() < 150) await sleep(100)
    return since()
  }
  return { medianS: await reached(agents / 2), maxS: await reached(agents) }
}

// A smaller storm is in the telemetry suite.
it.skipIf(isQuick)(
  `${withToken} agents with tokens and ${withPassword} with passwords reconnect within a minute of the broker's return, and nothing is lost`,
  async () => {
    await sleep(20_000)
    await environment.set.kill('rabbitmq')
    await environment.set.start('rabbitmq')
    const back = await untilAllAreBack(Date.now())
    load.stopSending()
    await load.sent
    const healedAt = Date.now()
    await load.done
    const report = await waitUntilSettled({
      urls: environment.engines,
      sampleLog,
      prefix: 'storm',
      metrics,
      healedAt,
    })
    console.log('report', JSON.stringify({ ...back, ...report }))
    expect(back.maxS).toBeLessThan(60)
    expect(report).toMatchObject({ lost: 0, duplicated: 0, unexpected: 0 })
    expect(report.nothingLostAfterS).toBeLessThan(30)
    expect(report.nothingUnacknowledgedAfterS).toBeLessThan(60)
  },
  400_000,
)

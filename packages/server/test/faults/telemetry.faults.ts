import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createEnvironment, type ServerProcess, startServerProcess, type Variables } from '@manc/harness'
import {
  createFleet,
  isQuick,
  type LoadProcess,
  moveToSmallDisk,
  type Settled,
  type SmallDisk,
  sized,
  startLoad,
  waitUntilSettled,
} from '@manc/harness/load'
import { afterEach, describe, expect, it } from 'vitest'
import { EngineError, type EngineName, type EngineSet, startSet } from '../../../../tools/engines/index.ts'

const metrics = 20
const overMqtt = sized(1000, 300)
const overHttp = sized(100, 50)
let engines: EngineSet
let processes: Record<'api' | 'ingester', ServerProcess>
let variables: Variables
let folder: string
let disk: SmallDisk | undefined
let load: LoadProcess | undefined

/** Engines of its own, the roles in processes of their own, as a site would run them. */
async function setUp(): Promise<void> {
  engines = await startSet({ name: 'telemetry', ephemeral: true })
  const environment = await createEnvironment(engines.urls)
  variables = {
    ...environment.variables,
    MANC_RABBITMQ_URL: engines.urls.rabbitmq,
    MANC_LOG_LEVEL: 'warn',
    MANC_RATE_AGENT_PER_MINUTE: '100000',
  }
  processes = { api: await start('api'), ingester: await start('ingester') }
  folder = mkdtempSync(path.join(tmpdir(), 'manc-load-'))
}

afterEach(async () => {
  load?.kill()
  for (const each of Object.values(processes ?? {})) await each.stop('SIGKILL')
  await engines?.down()
  disk?.unmount()
  disk = undefined
  rmSync(folder, { recursive: true, force: true })
})

function start(role: 'api' | 'ingester', httpPort = '0'): Promise<ServerProcess> {
  return startServerProcess(
    {
      ...variables,
      MANC_LOG_LEVEL: 'info',
      MANC_ROLES: role === 'api' ? 'api,subscriber' : 'ingester',
      ...(role === 'api' && { MANC_PORT: httpPort, MANC_INTERNAL_PORT: String(engines.ports.internal) }),
    },
    [],
  )
}

async function restart(role: 'api' | 'ingester'): Promise<void> {
  const { url } = processes[role]
  await processes[role].stop('SIGKILL')
  await sleep(1000)
  processes[role] = await start(role, role === 'api' ? new URL(url).port : '0')
}

async function killAndStart(engine: EngineName): Promise<void> {
  await engines.kill(engine)
  await sleep(2000)
  await engines.start(engine)
}

/** As a supervisor does, the store is started again whenever it has ended, while its disk is full and after. */
async function fillDisk(full: SmallDisk, ms: number): Promise<void> {
  const until = Date.now() + ms
  while (Date.now() < until) {
    full.fill()
    await sleep(1000)
    await engines.start('victoria').catch((error: unknown) => {
      if (!(error instanceof EngineError)) throw error
    })
  }
  full.free()
  await engines.start('victoria')
}

/** Lasts a while, or as long as the trouble does. */
async function underLoad(trouble?: () => Promise<void>): Promise<Settled> {
  const fleet = await createFleet(variables, 'load', overMqtt + overHttp)
  const sampleLog = path.join(folder, 'sampleLog')
  load = startLoad({
    mqttUrl: engines.urls.mqtt,
    httpUrls: [processes.api.url],
    overMqtt: fleet.slice(0, overMqtt),
    overHttp: fleet.slice(overMqtt),
    metrics,
    intervalMs: 1000,
    seconds: trouble ? 300 : sized(60, 20),
    sampleLog,
  })
  await load.connected
  await trouble?.()
  if (trouble) load.stopSending()
  // The heal: every engine and process is back, and the last sample is on its way. What was held up by the trouble,
  // and is acknowledged only from now on, has to be there within the same time.
  await load.sent
  const healedAt = Date.now()
  await load.done
  return waitUntilSettled({ urls: engines.urls, sampleLog, prefix: 'load', metrics, healedAt })
}

/** The report is printed, since it is what this suite is run for. */
function expectAllKept(report: Settled): void {
  console.log('report', JSON.stringify(report))
  expect(report).toMatchObject({ lost: 0, duplicated: 0, unexpected: 0 })
  expect(report.nothingReadyAfterS).toBeLessThan(30)
  expect(report.nothingLostAfterS).toBeLessThan(30)
  expect(report.nothingUnacknowledgedAfterS).toBeLessThan(60)
}

describe(`telemetry of ${overMqtt} agents over MQTT and ${overHttp} over HTTP`, () => {
  // The other run has the same load, and trouble besides.
  it.skipIf(isQuick)(
    'is stored exactly once, with its value and time',
    async () => {
      await setUp()
      const report = await underLoad()
      expectAllKept(report)
      expect(report.acknowledged).toBe(report.intended)
    },
    240_000,
  )

  it('is not lost after its acknowledgement, whichever process is killed, hangs or runs out of disk space', async () => {
    await setUp()
    disk = await moveToSmallDisk(engines, 'victoria', '512m')
    const full = disk
    const report = await underLoad(async () => {
      await sleep(sized(15_000, 4000))
      await killAndStart('victoria')
      await sleep(sized(10_000, 4000))
      await restart('ingester')
      await sleep(sized(8000, 3000))
      await killAndStart('rabbitmq')
      await sleep(sized(10_000, 5000))
      await restart('api')
      await sleep(sized(5000, 2000))
      await killAndStart('postgres')
      await sleep(sized(5000, 2000))
      await engines.pause('victoria')
      await sleep(sized(30_000, 8000))
      await engines.resume('victoria')
      await sleep(3000)
      await killAndStart('victoria')
      await sleep(sized(10_000, 5000))
      await fillDisk(full, sized(20_000, 10_000))
    })
    expectAllKept(report)
    expect(full.wasFull(), 'the store was refused a write for want of space').toBe(true)
    expect(report.acknowledged).toBeGreaterThan(report.intended * 0.5)
  }, 420_000)
})

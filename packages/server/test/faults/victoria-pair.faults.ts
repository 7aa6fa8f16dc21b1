import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  admin,
  createEnvironment,
  type ServerProcess,
  sqlAt,
  startServerProcess,
  tokenOf,
  type Variables,
} from '@manc/harness'
import {
  compareWithStore,
  createFleet,
  type LoadProcess,
  readSampleLog,
  sized,
  startLoad,
  waitUntilSettled,
} from '@manc/harness/load'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type EngineSet, startSet } from '../../../../tools/engines/index.ts'
import { Reader } from './reader.ts'

const metrics = 20
const agents = sized(500, 100)
const prefix = 'load'
/** Longer than a store may be silent (10 s) and than a sample takes to be durable (18 s). */
const outageMs = sized(60_000, 35_000)
const maxRepairMs = 120_000

/** The second one is used for its VictoriaMetrics only. */
let engines: EngineSet[]
let processes: ServerProcess[] = []
let variables: Variables
let folder: string
let load: LoadProcess
let reader: Reader

beforeAll(async () => {
  const first = await startSet({ name: 'pair', ephemeral: true })
  const second = await startSet({ name: 'pair-second', ephemeral: true })
  engines = [first, second]
  await Promise.all([second.stop('postgres'), second.stop('rabbitmq')])
  variables = {
    ...(await createEnvironment(first.urls)).variables,
    MANC_RABBITMQ_URL: first.urls.rabbitmq,
    MANC_VICTORIA_URL: `${first.urls.victoria},${second.urls.victoria}`,
    MANC_LOG_LEVEL: 'info',
    MANC_RATE_CALLER_PER_MINUTE: '100000',
  }
  const api = await startServerProcess({
    ...variables,
    MANC_ROLES: 'api,subscriber',
    MANC_INTERNAL_PORT: String(first.ports.internal),
  })
  processes = [api, await startServerProcess({ ...variables, MANC_ROLES: 'ingester' })]
  folder = mkdtempSync(path.join(tmpdir(), 'manc-pair-'))
  // The second store is new, and would be copied to ten minutes from now: there is no history yet.
  await sql('delete from metrics_gaps')
  load = startLoad({
    mqttUrl: first.urls.mqtt,
    httpUrls: [api.url],
    overMqtt: await createFleet(variables, prefix, agents),
    metrics,
    intervalMs: 1000,
    seconds: 1200,
    sampleLog: sampleLog(),
  })
  await load.connected
  const token = await tokenOf(api.url, 'user', admin.username, admin.password)
  reader = new Reader(api.url, token, `${prefix}-0`)
  await untilAcknowledged(agents * 20)
  reader.start()
}, 240_000)

afterAll(async () => {
  await reader?.stop()
  load?.kill()
  for (const each of processes) await each.stop('SIGKILL')
  for (const set of engines ?? []) await set.down()
  rmSync(folder, { recursive: true, force: true })
})

const sampleLog = () => path.join(folder, 'samples')

const sql = async (text: string): Promise<any[]> =>
  (await sqlAt(variables['MANC_DATABASE_URL'] ?? '', text, [])).rows

const setOf = (n: 0 | 1): EngineSet => {
  const set = engines[n]
  if (!set) throw new Error(`there is no engine set ${n}`)
  return set
}

async function untilAcknowledged(count: number): Promise<void> {
  while ((await readSampleLog(sampleLog())).acknowledged.size < count) await sleep(500)
}

/** Of the samples that were acknowledged so far and are old enough to be stored. */
async function lostIn(n: 0 | 1, until = Date.now() - 5000): Promise<number> {
  const { intended, acknowledged } = await readSampleLog(sampleLog())
  const old = new Set([...acknowledged].filter((key) => Number(key.split(' ')[1]) < until))
  const { lost } = await compareWithStore(
    { intended, acknowledged: old },
    setOf(n).urls.victoria,
    prefix,
    metrics,
  )
  return lost
}

async function heldMessages(): Promise<number> {
  const text = await (await fetch(`${processes[1]?.internalUrl}/metrics`)).text()
  const found = text.matchAll(/^manc_ingest_held_messages\{.*\} (\S+)$/gm)
  return [...found].reduce((sum, [, count]) => sum + Number(count), 0)
}

/** Kills a store, keeps it down, starts it, and waits until its gap is repaired. */
async function outage(n: 0 | 1, meanwhile?: () => Promise<void>): Promise<void> {
  const killedAt = Date.now()
  await setOf(n).kill('victoria')
  await sleep(outageMs)
  await meanwhile?.()
  // What the other store has is acknowledged: nothing older than about 28 s is held.
  expect(await heldMessages()).toBeLessThan(agents * 30)
  expect((await sql('select * from metrics_gaps')).length).toBeGreaterThan(0)
  const restartedAt = Date.now()
  await setOf(n).start('victoria')
  const lost = await lostIn(n, restartedAt - 30_000)
  const lostBefore = await lostIn(n, killedAt)
  await untilRepaired(restartedAt)
  const report = {
    lostAtRestart: lost,
    ofThemBeforeTheKill: lostBefore,
    repairedAfterS: secondsSince(restartedAt),
  }
  console.log('outage of store', n, JSON.stringify(report))
}

async function untilRepaired(since: number): Promise<void> {
  while ((await sql('select * from metrics_gaps')).length > 0) {
    if (Date.now() > since + maxRepairMs)
      throw new Error(`not repaired: ${JSON.stringify(await sql('select * from metrics_gaps'))}`)
    await sleep(500)
  }
}

/** For half a minute after a store is back, reads prefer the other one. */
async function untilReadFrom(n: 0 | 1): Promise<void> {
  const exports = async () => {
    const text = await (await fetch(`${setOf(n).urls.victoria}/metrics`)).text()
    return Number(/^vm_http_requests_total\{path="\/api\/v1\/export"\} (\S+)$/m.exec(text)?.[1])
  }
  for (const before = await exports(); (await exports()) < before + 3; ) await sleep(200)
}

const secondsSince = (at: number) => Math.round((Date.now() - at) / 100) / 10

/** Of the requests since the last call. */
function expectReadable(): void {
  const { requests, failed, longestMs, oldestMs } = reader.report()
  console.log('reads', JSON.stringify({ requests, failed, longestMs, oldestMs }))
  expect(failed).toEqual([])
  expect(longestMs).toBeLessThan(2000)
  // No read is answered by a store that misses what was just sent.
  expect(oldestMs).toBeLessThan(10_000)
}

describe(`With two metrics stores and ${agents} agents`, () => {
  it('the second is repaired after an outage, and reads go on', async () => {
    await outage(1)
    expect(await lostIn(1)).toBe(0)
    expectReadable()
  }, 300_000)

  it('the first is repaired after an outage; meanwhile the second has everything', async () => {
    await outage(0, async () => {
      expect(await lostIn(1)).toBe(0)
    })
    expect(await lostIn(0)).toBe(0)
    expectReadable()
  }, 300_000)

  it('reads go on while the first hangs', async () => {
    await untilReadFrom(0)
    await setOf(0).pause('victoria')
    await sleep(sized(30_000, 20_000))
    const resumedAt = Date.now()
    await setOf(0).resume('victoria')
    await untilRepaired(resumedAt)
    expectReadable()
  }, 300_000)

  it('nothing is lost in either after both were down', async () => {
    await reader.stop()
    await Promise.all([setOf(0).kill('victoria'), setOf(1).kill('victoria')])
    await sleep(sized(30_000, 15_000))
    await Promise.all([setOf(0).start('victoria'), setOf(1).start('victoria')])
    load.stopSending()
    await load.sent
    const healedAt = Date.now()
    await load.done
    for (const n of [0, 1] as const) {
      const urls = { ...setOf(0).urls, victoria: setOf(n).urls.victoria }
      const report = await waitUntilSettled({ urls, sampleLog: sampleLog(), prefix, metrics, healedAt })
      console.log('store', n, JSON.stringify(report))
      expect(report).toMatchObject({ lost: 0, duplicated: 0, unexpected: 0 })
      expect(report.acknowledged).toBe(report.intended)
    }
  }, 300_000)
})

import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { call, logIn, sqlAt, type Variables } from '@manc/harness'
import {
  compareWithStore,
  createFleet,
  type FleetAgent,
  type LoadProcess,
  readSampleLog,
  type SampleLog,
  sized,
  startLoad,
} from '@manc/harness/load'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Backup, Site, secondsSince } from './site.ts'
import { compareRows, countFutureRows, readTables, type TableRows } from './table-rows.ts'

const metrics = 20
const overMqtt = sized(500, 100)
const overHttp = sized(50, 20)
const prefix = 'load'
/** Far more than the ingester needs, also on a busy machine. */
const maxIngestLagMs = 5000
const user = { username: 'ann@example.test', password: 'ann-password', roles: [] }
const app = { app_name: 'weather', api_key: 'the-key-of-weather', permissions: { agents: ['load-*'] } }

let folder: string
let backups: string
const sites: Site[] = []
let load: LoadProcess | undefined

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'manc-restore-'))
  backups = path.join(folder, 'backups')
  mkdirSync(backups)
})

afterAll(async () => {
  load?.kill()
  for (const site of sites) await site.destroy()
  rmSync(folder, { recursive: true, force: true })
})

async function createSite(keys?: Variables): Promise<Site> {
  const site = await Site.create(keys)
  sites.push(site)
  return site
}

async function post(site: Site, route: string, body: unknown): Promise<any> {
  const { status, body: answer } = await call(site.url, 'POST', route, { token: site.token, body })
  expect({ route, status }).toEqual({ route, status: 200 })
  return answer
}

/** Creates users one after the other, as long as the site exists. */
function createUsers(site: Site): { created: string[]; stop(): Promise<void> } {
  const created: string[] = []
  const stopping = new AbortController()
  const run = async () => {
    while (!stopping.signal.aborted) {
      const username = `churn-${created.length}@example.test`
      const body = { username, password: 'churn-password', roles: [] }
      const { status } = await call(site.url, 'POST', '/api/v1/users/', { token: site.token, body })
      if (status === 200) created.push(username)
      await sleep(20)
    }
  }
  const running = run()
  // A suite that fails does not stop it.
  running.catch(() => {})
  return {
    created,
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}

const sampleLogFile = () => path.join(folder, 'samples')

async function untilAcknowledged(count: number): Promise<SampleLog> {
  for (;;) {
    const log = await readSampleLog(sampleLogFile())
    if (log.acknowledged.size >= count) return log
    await sleep(1000)
  }
}

describe('after a backup under load and the loss of all engines', () => {
  let fleet: FleetAgent[]
  let old: Site
  let restored: Site
  let backup: Backup
  let oldTransaction: number
  let jobNumber: string
  const created = { beforeBackup: [] as string[] }
  const rows = { before: new Map() as TableRows, after: new Map() as TableRows }
  const samples = {} as { beforeBackup: SampleLog; all: SampleLog }
  let backupBeganAt: number

  beforeAll(async () => {
    old = await createSite()
    await old.start()
    fleet = await createFleet(old.variables, prefix, overMqtt + overHttp)
    await post(old, '/api/v1/users/', user)
    await post(old, '/api/v1/third_party_apps/', app)
    const agents = fleet.slice(0, 10).map(({ apId }) => apId)
    const job = await post(old, '/api/v1/commands', { command: 'restart_ap', agents })
    jobNumber = job.job_number
    load = startLoad({
      mqttUrl: old.engines.urls.mqtt,
      httpUrls: [old.url],
      overMqtt: fleet.slice(0, overMqtt),
      overHttp: fleet.slice(overMqtt),
      metrics,
      intervalMs: 1000,
      seconds: 600,
      sampleLog: sampleLogFile(),
    })
    await load.connected
    const users = createUsers(old)
    await untilAcknowledged(fleet.length * sized(20, 5))
    // The next backup has hard links to the files of this one.
    const first = await old.backUp(backups)
    await untilAcknowledged(fleet.length * sized(40, 10))
    created.beforeBackup = [...users.created]
    rows.before = await readTables(old.databaseUrl)
    samples.beforeBackup = await readSampleLog(sampleLogFile())
    backupBeganAt = Date.now()
    backup = await old.backUp(backups, '--keep', '1')
    rows.after = await readTables(old.databaseUrl)
    expect(readdirSync(backups).filter((name) => name.startsWith('manc-'))).toHaveLength(1)
    await untilAcknowledged((await readSampleLog(sampleLogFile())).acknowledged.size + fleet.length * 5)
    await users.stop()
    oldTransaction = await currentTransaction(old)
    await old.destroy()
    load.kill()
    samples.all = await readSampleLog(sampleLogFile())
    const figures = { first: [first.seconds, first.bytes], second: [backup.seconds, backup.bytes] }
    console.log('backups: seconds, bytes', JSON.stringify(figures))
    const { MANC_DATA_KEY = '' } = old.variables
    restored = await createSite({ MANC_DATA_KEY })
    await restored.engines.stop('victoria')
  }, 900_000)

  async function currentTransaction(site: Site): Promise<number> {
    const text = 'select pg_snapshot_xmax(pg_current_snapshot())::text as id'
    return Number((await sqlAt(site.databaseUrl, text)).rows[0].id)
  }

  const isDatabaseEmpty = async () => (await readTables(restored.databaseUrl)).size === 0

  it('restore refuses a wrong key, a damaged backup and a folder that is not empty', async () => {
    const { code, output } = await restored.restore(backup.folder, { MANC_DATA_KEY: 'x'.repeat(64) })
    expect({ code, output }).toMatchObject({
      code: 1,
      output: expect.stringContaining('not the key of this backup'),
    })

    const damaged = path.join(folder, 'damaged')
    cpSync(backup.folder, damaged, { recursive: true })
    appendFileSync(path.join(damaged, 'postgres.dump'), 'x')
    expect(await restored.restore(damaged)).toMatchObject({
      code: 1,
      output: expect.stringContaining('is damaged'),
    })

    expect(await restored.restore(backup.folder)).toMatchObject({
      code: 1,
      output: expect.stringContaining('is not empty'),
    })
    expect(await isDatabaseEmpty()).toBe(true)
  })

  it('restore brings back every row, and every sample that was stored when the backup began', async () => {
    for (const name of readdirSync(restored.victoriaDir))
      rmSync(path.join(restored.victoriaDir, name), { recursive: true })
    expect(await currentTransaction(restored)).toBeLessThan(oldTransaction)
    const startedAt = performance.now()
    const { code, output } = await restored.restore(backup.folder)
    const seconds = secondsSince(startedAt)
    expect(output).toContain('Set MANC_TOKEN_KEY to a new value')
    expect(code).toBe(0)

    const databaseUrl = restored.databaseUrl
    const comparison = compareRows(rows.before, rows.after, await readTables(databaseUrl))
    expect(comparison.missing).toEqual([])
    expect(await countFutureRows(databaseUrl)).toBe(0)
    const { rows: users } = await sqlAt(
      databaseUrl,
      `select username from users where username like 'churn-%'`,
    )
    expect(users.map(({ username }) => username)).toEqual(expect.arrayContaining(created.beforeBackup))
    // One transaction writes a user and its audit entry: a snapshot has both or none.
    const { rows: audited } = await sqlAt(databaseUrl, `select target from audit where target like 'churn-%'`)
    expect(audited).toHaveLength(users.length)

    await restored.engines.start('victoria')
    const { victoria } = restored.engines.urls
    const { intended } = samples.all
    const acknowledgedBefore = { intended, acknowledged: samples.beforeBackup.acknowledged }
    const before = await compareWithStore(acknowledgedBefore, victoria, prefix, metrics)
    const all = await compareWithStore(samples.all, victoria, prefix, metrics)
    const lostBeforeBackup = before.firstLostAt && backupBeganAt - before.firstLostAt
    const figures = {
      rows: comparison.restored,
      rowsChangedMeanwhile: comparison.changedMeanwhile,
      acknowledgedBefore: before.acknowledged,
      lostOfThese: before.lost,
      lostBeforeBackupMs: lostBeforeBackup,
      acknowledgedInTotal: all.acknowledged,
      lostInTotal: all.lost,
      firstLostAfterBackupBeganS: all.firstLostAt && (all.firstLostAt - backupBeganAt) / 1000,
      manifest: backup.manifest,
      restoreSeconds: seconds,
    }
    console.log('report', JSON.stringify(figures))
    // Between its acknowledgement and its storage a sample is only in the broker.
    expect(lostBeforeBackup ?? 0).toBeLessThan(maxIngestLagMs)
    expect(all).toMatchObject({ duplicated: 0, unexpected: 0 })
    expect(all.acknowledged - all.lost).toBeGreaterThan(before.acknowledged * 0.5)
  })

  it('the restored controller serves users, applications and agents', async () => {
    await restored.start()
    const { url, token } = restored
    expect((await logIn(url, 'user', user.username, user.password)).status).toBe(200)
    expect((await logIn(url, 'third_party_app', app.app_name, app.api_key)).status).toBe(200)
    const get = (route: string, as = token) => call(url, 'GET', route, { token: as })
    expect((await get(`/api/v1/third_party_apps/${app.app_name}`)).body).toMatchObject({
      api_key: app.api_key,
    })
    expect((await get('/api/v1/users/me', old.token)).status, 'a token of the old key').toBe(401)
    expect((await get(`/api/v1/jobs/${jobNumber}`)).status).toBe(200)
    const history = await get(`/api/v1/metrics/agent_data?agent=${prefix}-0&window=60`)
    expect(history.status).toBe(200)

    const sampleLog = path.join(folder, 'samples-after')
    load = startLoad({
      mqttUrl: restored.engines.urls.mqtt,
      httpUrls: [url],
      withPassword: fleet.slice(0, 20),
      metrics,
      intervalMs: 1000,
      seconds: 5,
      sampleLog,
    })
    await load.done
    const { intended, acknowledged } = await readSampleLog(sampleLog)
    expect(acknowledged.size).toBe(intended.size)
    const everything = { intended: new Set([...intended, ...samples.all.intended]), acknowledged }
    const compare = () => compareWithStore(everything, restored.engines.urls.victoria, prefix, metrics)
    await expect.poll(compare, { timeout: 30_000, interval: 1000 }).toMatchObject({ lost: 0, unexpected: 0 })
    // Agents that were online at the time of the backup and are silent now.
    const offline = async () => (await get('/api/v1/fleet/summary')).body.offline
    await expect
      .poll(offline, { timeout: 90_000, interval: 1000 })
      .toBeGreaterThanOrEqual(overMqtt + overHttp - 20)
  })
})

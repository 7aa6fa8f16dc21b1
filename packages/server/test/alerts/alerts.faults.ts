import { call, closedPort } from '@manc/harness'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { alerts } from '../../../../tools/monitoring/alerts.ts'
import { createFaults, type Fault, repeat } from './faults.ts'
import { Installation, processNames } from './installation.ts'
import { type FiringAlert, Monitoring } from './monitoring.ts'
import { Syslog } from './syslog.ts'

/** All durations of the rules are divided by this: 1 minute becomes 6 s. Thresholds are those of the shipped rules. */
const divisor = 10
const longestForMs = (5 * 60_000) / divisor
const patience = { timeout: 150_000, interval: 200 }
const raisedLimit = { MANC_MAILBOXES_BYTES: '1000000000' }

let installation: Installation
let monitoring: Monitoring
let syslog: Syslog
let faults: ReturnType<typeof createFaults>
let stopRequests = async () => {}
const rows: { alert: string; fault: string; 'fires after s': number; 'resolves after s': number }[] = []

beforeAll(async () => {
  syslog = new Syslog(await closedPort())
  await syslog.start()
  installation = await Installation.start({
    MANC_AUDIT_SYSLOG_URL: `tcp://127.0.0.1:${syslog.port}`,
    MANC_LOG_LEVEL: 'info',
    MANC_INGESTER_HELD_BYTES: '16000000',
    MANC_MAILBOXES_BYTES: '10000000',
    MANC_PASSWORD_HASHES_PER_OWNER: '1000000000',
    MANC_RATE_ANONYMOUS_PER_MINUTE: '1000000000',
    MANC_RATE_CALLER_PER_MINUTE: '1000000000',
    MANC_LOGINS_PER_MINUTE: '1000000000',
  })
  monitoring = new Monitoring()
  await monitoring.start({ targets: installation.targets, divisor })
})

afterAll(async () => {
  // oxlint-disable-next-line no-console -- the figures of docs/operations/alerts.md
  console.table(rows)
  await stopRequests()
  await monitoring?.stop()
  await installation?.stop()
  await syslog?.stop()
})

const names = (all: readonly FiringAlert[]) => [...new Set(all.map(({ name }) => name))].sort()
const seconds = (ms: number) => Math.round(ms / 100) / 10

/** Waits without a fault, for longer than any rule takes. */
async function expectNothingFires(since: number, except: readonly string[] = []): Promise<void> {
  await expect.poll(() => Date.now(), patience).toBeGreaterThan(since + longestForMs + 5000)
  expect(names(monitoring.firedSince(since)).filter((name) => !except.includes(name))).toEqual([])
}

/**
 * Starts the faults, waits until each of their alerts fires, heals them and waits until all alerts have resolved. No
 * alert may have fired before its fault; only those of the faults and the `also` named ones may fire.
 */
async function expectAlerts(inProgress: Fault[], also: string[] = []): Promise<void> {
  const since = Date.now()
  const expected: { fault: Fault; alert: FiringAlert; since: number }[] = []
  for (const fault of inProgress) {
    for (const each of fault.alerts) expected.push({ fault, alert: each, since: Date.now() })
    await fault.start()
  }
  const missing = () =>
    names(expected.filter((each) => !monitoring.firedAt(each.alert)).map((each) => each.alert))
  await expect.poll(missing, patience).toEqual([])
  const healedAt = new Map<Fault, number>()
  await Promise.all(inProgress.map(async (fault) => fault.heal().then(() => healedAt.set(fault, Date.now()))))
  await expect.poll(() => names(monitoring.firing), patience).toEqual([])
  for (const each of expected) {
    const firedAt = monitoring.firedAt(each.alert) ?? 0
    expect(firedAt, `${each.alert.name} fired before its fault`).toBeGreaterThan(each.since)
    rows.push({
      alert: [each.alert.name, ...Object.values(each.alert.labels)].join(' '),
      fault: each.fault.what,
      'fires after s': seconds(firedAt - each.since),
      // A repair takes time: the alert may resolve before it is complete.
      'resolves after s': seconds(
        Math.max(0, (monitoring.resolvedAt(each.alert) ?? 0) - (healedAt.get(each.fault) ?? 0)),
      ),
    })
  }
  const allowed = new Set([...names(expected.map((each) => each.alert)), ...also])
  expect(names(monitoring.firedSince(since)).filter((name) => !allowed.has(name))).toEqual([])
}

it('no alert rule fires for an idle new installation', async () => {
  await expectNothingFires(Date.now())
})

describe('under load, the alert rules', () => {
  beforeAll(async () => {
    await installation.startTelemetry()
    const token = await installation.adminToken()
    faults = createFaults(installation, token)
    const requests = (['api1', 'api2'] as const).map((name) =>
      repeat(1, 100, () => call(installation.url(name), 'GET', '/api/v1/users/me', { token })),
    )
    stopRequests = async () => {
      await Promise.all(requests.map((stop) => stop()))
    }
  })

  it('do not fire while all processes are restarted one after the other', async () => {
    const since = Date.now()
    let longestRestartMs = 0
    for (const name of processNames) {
      const stoppedAt = Date.now()
      await installation.stopProcess(name, 'SIGTERM')
      await installation.startProcess(name)
      longestRestartMs = Math.max(longestRestartMs, Date.now() - stoppedAt)
    }
    // The time of a restart is not divided: on a busy machine it may be longer than this rule allows.
    const isSlow = longestRestartMs > 60_000 / divisor
    await expectNothingFires(since, isSlow ? ['MancProcessDown'] : [])
  })

  it('fire for a metrics store and a database that are down', async () => {
    await expectAlerts([faults.killedVictoria(), faults.killedPostgres()])
  })

  it('fire for an overloaded process, a slow metrics store and a blocked database table', async () => {
    // VictoriaMetrics does not answer for most of the time. Some requests wait longer than they may.
    const also = ['MancEngineDown', 'MancTelemetryPaused', 'MancRequestsFail']
    await expectAlerts([faults.throttledProcess(), faults.slowVictoria(), faults.blockedTable()], also)
  })

  it('fire for a process that is down, queued jobs and logins, unread results, invalid samples', async () => {
    const inProgress = [
      faults.fullMailboxes(await installation.largeJobPath(), raisedLimit),
      faults.invalidSample(),
      faults.stoppedSyslog(syslog),
      faults.killedApi(raisedLimit),
      await faults.manyLogins(),
    ]
    // Logins that wait are slow requests.
    await expectAlerts(inProgress, ['MancRequestsSlow'])
  })

  it('fire for alarms that are not notified, a broker that is down, and a role without a process', async () => {
    await expectAlerts([faults.lockedNotifications(), faults.killedRabbitMq(), faults.killedIngesters()])
  })

  it('have all fired', () => {
    const fired = new Set(monitoring.firedSince(0).map(({ name }) => name))
    expect(alerts.map(({ name }) => name).filter((name) => !fired.has(name))).toEqual([])
  })
})

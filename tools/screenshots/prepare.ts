/** What the pages show: a network with a day of history, faults, alarms, silences, jobs, users and more. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Alarm, Conflict, Manc } from '@manc/sdk'
import { Client } from 'pg'
import { createAgents, runAgents } from './agents.ts'
import { accessPoints, measure, type Technology } from './campus.ts'
import { insertClients } from './clients.ts'
import { createDecisions, runExperiment } from './decisions.ts'

export interface Prepared {
  /** A healthy access point, and one with alarms. */
  healthy: string
  faulty: string
  alarm: Alarm
  /** A client that has moved between access points. */
  client: string
  /** A bulk command that has ended. */
  job: string
  /** With results. */
  experiment: string
}

interface Options {
  url: string
  admin: { username: string; password: string }
  postgresUrl: string
  signal: AbortSignal
}

const operator = { username: 'nina@campus.example', password: 'a-password-of-nina' }
const minuteMs = 60_000
/** Rules hold for a minute before an alarm is raised; the metrics store and vmalert add some seconds. */
const alarmsTimeoutMs = 8 * minuteMs

export async function prepare({ url, admin, postgresUrl, signal }: Options): Promise<Prepared> {
  const manc = new Manc({ url, credentials: admin })
  const nowMs = Date.now()
  console.log('Registering access points with a day of samples …')
  const agents = await createAgents(manc, url, nowMs)
  await insertTrends(postgresUrl, nowMs)
  const client = await insertClients(postgresUrl, nowMs)
  void runAgents(agents, nowMs, signal)
  console.log('Creating users, applications, notifications, silences and jobs …')
  await createPeople(manc)
  await createNotifications(manc)
  await createSilences(manc)
  await manc.views.create({
    name: 'Busiest WiFi',
    columns: ['health', 'name', 'place', 'clients', 'load_pct', 'throughput_mbps', 'latency_ms', 'last_seen'],
    sort: 'load_pct',
    order: 'desc',
    filters: { technology: ['WiFi'] },
    shared: true,
  })
  const job = await createJobs(manc, new Manc({ url, credentials: operator }))
  await createDecisions(manc, url)
  const experiment = await runExperiment(manc)
  console.log('Waiting for alarms, which takes about two minutes …')
  const alarm = await untilAlarms(manc, signal)
  await manc.alarms.assign(alarm.id, { username: operator.username })
  return { healthy: 'library-lifi-1', faulty: alarm.ap_id, alarm, client, job, experiment }
}

async function createPeople(manc: Manc): Promise<void> {
  await manc.users.create({ ...operator, roles: ['operator'] })
  for (const name of ['tom', 'grace', 'omar'])
    await manc.users.create({
      username: `${name}@campus.example`,
      password: 'a-password-of-people',
      roles: ['user'],
    })
  await manc.users.update('grace@campus.example', { roles: ['operator'] })
  await registerApp(manc, 'steering', ['agents:read', 'metrics:read', 'commands:send'])
  await registerApp(manc, 'energy-report', ['metrics:read', 'history:read'])
  await manc.enrolment.create({ ap_id_pattern: 'library-*', max_uses: 20 })
  await manc.enrolment.create({ ap_id_pattern: 'union-lifi-*', max_uses: 4 })
}

async function registerApp(manc: Manc, name: string, scopes: string[]): Promise<void> {
  await manc.apps.register({ app_name: name, api_key: `a-key-of-${name}`, permissions: { scopes } })
}

async function createNotifications(manc: Manc): Promise<void> {
  const mail = await manc.notifications.createReceiver({
    name: 'Network operations',
    type: 'email',
    addresses: ['noc@campus.example'],
  })
  await manc.notifications.createRoute({
    name: 'Critical alarms',
    receiver_id: mail.id,
    severities: ['critical'],
  })
  await manc.notifications.test(mail.id)
}

async function createSilences(manc: Manc): Promise<void> {
  await manc.alarms.silence({
    comment: 'Backhaul of the roof cell is moved to the new switch',
    ap_ids: ['union-5g-*'],
    ends_at: new Date(Date.now() + 3 * 60 * minuteMs),
  })
  await manc.alarms.silence({
    comment: 'Weekly firmware updates',
    technologies: ['LiFi'],
    recurrence: { days: ['sun'], at: '02:00', duration_min: 120, time_zone: 'Europe/London' },
  })
}

/** Commands that succeed and fail, a request for data, changes of a configuration, and a running emulation. */
async function createJobs(manc: Manc, byOperator: Manc): Promise<string> {
  const version = { software_version: '2.4.2' }
  const { configuration } = await manc.agents.get('library-lifi-1')
  await manc.agents.update('library-lifi-1', { configuration: { ...configuration, ...version } })
  await manc.agents.update('library-lifi-1', {
    configuration: { ...configuration, ...version, tx_power_dbm: 38, channel: 1, illumination_lux: 500 },
  })
  await manc.emulator.spinUp([
    {
      access_point_type: 'LiFi',
      name: 'Planned lamp',
      place: 'New library wing',
      num_access_points: 6,
      locations: ['51.4588,-2.60425'],
      num_devices: 8,
      duration: 4 * 3600,
      scenario: 'steady',
      seed: 'new-wing',
    },
  ])
  const { jobNumber } = await manc.commands.sendToMany({
    command: 'set_power 38',
    technology: 'LiFi',
    emulated: 'none',
  })
  await byOperator.commands.send('physics-wifi-2', 'reboot')
  await manc.commands.send('engineering-wifi-1', 'set_channel 190')
  await manc.commands.send('hall-wifi-2', 'steer_client hall-wifi-1 10')
  return jobNumber
}

/** The newest critical alarm, once there are several and one access point is offline. */
async function untilAlarms(manc: Manc, signal: AbortSignal): Promise<Alarm> {
  const timeout = AbortSignal.any([signal, AbortSignal.timeout(alarmsTimeoutMs)])
  for (;;) {
    const open = await Array.fromAsync(manc.alarms.list())
    const critical = open.find(({ severity, metric }) => severity === 'critical' && metric === 'load_pct')
    const isOffline = open.some(({ metric }) => metric === 'presence')
    if (critical && isOffline && open.length >= 4) {
      const degraded = open.find(({ severity, metric }) => severity === 'warning' && metric === 'load_pct')
      if (degraded) await acknowledge(manc, degraded)
      return critical
    }
    await sleep(2000, undefined, { signal: timeout })
  }
}

async function acknowledge(manc: Manc, { id }: Alarm): Promise<void> {
  try {
    await manc.alarms.acknowledge(id, { comment: 'Ticket 4711: a second access point is ordered.' })
  } catch (error) {
    // It was cleared in the meantime.
    if (!(error instanceof Conflict)) throw error
  }
}

/** The hour before the start, in which the controller would have recorded these sums once a minute. */
async function insertTrends(postgresUrl: string, nowMs: number): Promise<void> {
  const client = new Client({ connectionString: postgresUrl })
  await client.connect()
  try {
    for (let minutesAgo = 60; minutesAgo >= 1; minutesAgo--)
      for (const technology of ['5G', 'WiFi', 'LiFi'] as const)
        await client.query(
          `insert into fleet_trends
             (at, technology, emulated_by, online, degraded, bad, offline, clients, throughput_mbps, power_w)
           values (date_trunc('minute', now()) - make_interval(mins => $1), $2, null, $3, 0, 0, 0, $4, $5, $6)
           on conflict do nothing`,
          [minutesAgo, technology, ...sumsAt(technology, nowMs - minutesAgo * minuteMs, nowMs)],
        )
  } finally {
    await client.end()
  }
}

function sumsAt(technology: Technology, atMs: number, nowMs: number): number[] {
  const own = accessPoints.filter((each) => each.technology === technology)
  const values = own.map((each) => measure(each, atMs, nowMs))
  const sum = (name: string) => values.reduce((total, value) => total + (value[name] ?? 0), 0)
  return [own.length, sum('clients'), sum('throughput_mbps'), sum('power_w')]
}

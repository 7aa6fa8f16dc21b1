import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { admin as administrator, call, closedPort, tokenOf, uniqueName } from '@manc/harness'
import { type MailInbox, startMailInbox } from '@manc/harness/mail-inbox'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { fill } from '../src/command-registry.ts'
import { resources } from '../src/generated/resources.ts'
import { createProgram } from '../src/main.ts'
import { CliEnvironment } from './environment.ts'
import { type Act, transcriptOf, Way } from './transcript.ts'
import { networkTranscripts, transcripts } from './transcript-table.ts'

const soon = { timeout: 60_000, interval: 200 }
let mailboxes: MailInbox[]
let environments: CliEnvironment[]
let ways: Way[]

/** One controller for each terminal mode, so that both have the same data. The telemetry store is shared: agents need unique names. */
beforeAll(async () => {
  const away = `http://127.0.0.1:${await closedPort()}`
  mailboxes = [await startMailInbox(), await startMailInbox()]
  const MANC_PUBLIC_URL = 'https://manc.example.test'
  environments = await Promise.all(
    mailboxes.map((box) => CliEnvironment.open({ MANC_SMTP_URL: box.url, MANC_PUBLIC_URL })),
  )
  ways = environments.map(({ url, admin }, n) => {
    const way = new Way(n === 1, url, admin)
    rename(way, 'wifi-1', 'wifi-2', 'wifi-3', 'lifi-1', 'lifi-2')
    for (const name of ['results.json', 'history.ndjson']) way.names.set(name, path.join(admin.home, name))
    writeFileSync(path.join(admin.home, 'results.json'), '[{"hello": "there"}]')
    way.names.set('MQTT_URL', inject('engines').mqtt).set('http://localhost:9999', away)
    return way
  })
})

afterAll(async () => {
  for (const way of ways ?? []) way.close()
  for (const environment of environments ?? []) await environment.drop()
  for (const mailbox of mailboxes ?? []) await mailbox.stop()
})

/** Unique real names, also on a retry. */
function rename({ names }: Way, ...recorded: string[]): void {
  for (const name of recorded) {
    const [first = '', ...rest] = name.split('@')
    names.set(name, [uniqueName(first), ...rest].join('@'))
  }
}

const sql = (environment: CliEnvironment, text: string, values: unknown[] = []) =>
  environment.sql(text, values)

/** Preparation of a transcript: waits for a state, or removes what a failed attempt has left. */
const before: Record<string, (environment: CliEnvironment, way: Way, mailbox: MailInbox) => Promise<void>> = {
  async agents(environment, way) {
    await sql(environment, 'delete from agents')
    rename(way, 'wifi-1', 'lifi-1')
  },
  async alarms(environment, { names }) {
    await sql(environment, 'delete from alarms')
    await sql(environment, 'delete from alarm_rules where not is_builtin')
    await sql(environment, 'delete from silences')
    // An id that nothing else in the output contains.
    await sql(
      environment,
      `insert into alarms (id, rule_id, rule_name, severity, metric, ap_id, technology, value)
       overriding system value
       values (7300461, 'load_pct.bad', 'Load is bad', 'critical', 'load_pct', $1, 'WiFi', 97)`,
      [names.get('wifi-1')],
    )
    names.set('ALARM', '7300461')
  },
  async decisions(environment) {
    await sql(environment, 'delete from decisions')
    await sql(environment, 'delete from command_holds')
  },
  async experiments(environment, { names }) {
    await sql(environment, 'delete from experiments')
    const id = names.set('EXPERIMENT', randomUUID()).get('EXPERIMENT')
    await sql(
      environment,
      `insert into experiments (id, owner, owner_kind, owner_name, name, world, policies, documents, seed, repetitions, runs,
         state, finished, ended_at, expires_at)
       values ($1, gen_random_uuid(), 'user', 'admin@manc.test', 'Stadium', '{"name":"stadium"}',
         '["none","best-experience"]', '[]', 'paper', 2, 4, 'finished', 4, now(), now() + interval '1 day')`,
      [id],
    )
    await sql(
      environment,
      `insert into experiment_runs (id, experiment_id, run, policy, seed, state, progress_pct, attempts, due_at, figures, series)
       select gen_random_uuid(), $1, n, case n % 2 when 1 then 'none' else 'best-experience' end,
         'paper-' || (n + 1) / 2, 'finished', 100, 1, null,
         json_build_object('mean_mbps', 4 + n, 'p5_mbps', n, 'asked_p5_mbps', 9, 'short_s', 0, 'outage_s', null,
           'outage_predictable_s', null, 'blockages', 0, 'predictable', 0, 'handovers', 2.5, 'ping_pongs', 0.25, 'kwh', 1.5,
           'lifi_part', 0, 'refused', 0)::text,
         '{"step_s":10,"s":[9,19],"mean_mbps":[5,6.5],"p5_mbps":[1,2],"clients":[30,31],"handovers":[0,4]}'
       from generate_series(1, 4) as n`,
      [id],
    )
  },
  async views(environment) {
    await sql(environment, 'delete from saved_views')
  },
  async notifications(environment, { names }) {
    await sql(environment, 'delete from notification_routes')
    await sql(environment, 'delete from notification_receivers')
    await sql(environment, 'delete from notification_deliveries')
    names.set('ONCALL', randomUUID()).set('DELIVERY', randomUUID())
    const [receiver, delivery] = [names.get('ONCALL'), names.get('DELIVERY')]
    await sql(
      environment,
      `insert into notification_receivers (id, name, type, addresses, is_enabled, updated_by)
       values ($1, 'On call', 'email', '{oncall@manc.test}', true, 'admin@manc.test')`,
      [receiver],
    )
    await sql(
      environment,
      `insert into notification_deliveries (id, kind, receiver_id, receiver_name, type, subject, raised, cleared,
         content, status, attempts, give_up_at, error)
       values ($1, 'test', $2, 'On call', 'email', 'Test message of MANC', 0, 0, '{"alarms": []}', 'failed', 3, now(),
         'connect ECONNREFUSED 192.0.2.1:25')`,
      [delivery, receiver],
    )
  },
  async enrolment(environment, way) {
    const others = [way.names.get('wifi-1'), way.names.get('lifi-1')]
    await sql(environment, 'delete from agents where ap_id <> all($1)', [others])
    await sql(environment, 'delete from enrolment_tokens')
    rename(way, 'wifi-2', 'wifi-3', 'lifi-2')
  },
  async telemetry({ admin }, { names }) {
    const values = () => admin.json(['telemetry', 'history', names.get('wifi-1') ?? '', '--from', '10m'])
    await expect.poll(values, soon).toHaveLength(3)
  },
  async fleet({ admin, url }, { names }) {
    const apId = names.get('lifi-1') ?? ''
    await admin.must(['agents', 'update', apId, '--password-stdin'], { input: 'agent-password\n' })
    const token = await tokenOf(url, 'agent', apId, 'agent-password')
    const body = { payload: { clients: 4 } }
    const send = () => call(url, 'POST', '/api/v1/agent_update/update', { token, body })
    await send()
    const online = async () => (await admin.json(['fleet'])).summary.online
    await expect.poll(online, soon).toBe(1)
    // Figures cover the last 30 s, and on a slow machine the first samples are older by now.
    const wifi = names.get('wifi-1') ?? ''
    const values = async () => (await admin.json(['telemetry', 'history', wifi, '--from', '10m'])).length
    const first = await values()
    await admin.must(['agents', 'send-update', wifi, 'clients=12'])
    await send()
    await expect.poll(values, soon).toBeGreaterThan(first)
    const counted = async () => (await admin.json(['fleet', 'figures'])).agents
    await expect.poll(counted, soon).toBe(2)
  },
  async health(environment, { names }) {
    const since = new Date(Date.now() - 49 * 3_600_000).toISOString()
    const reasons = [
      { kpi: 'load_pct', level: 'bad', value: 98, since },
      { kpi: 'packet_loss_pct', level: 'degraded', value: 3.2, since },
    ]
    await sql(environment, `update fleet set kpi_health = 'bad', reasons = $2 where ap_id = $1`, [
      names.get('lifi-1'),
      JSON.stringify(reasons),
    ])
  },
  async users(environment, way) {
    await sql(environment, 'delete from users where username <> $1', [administrator.username])
    await sql(environment, `delete from audit where target = 'op@manc.test'`)
    rename(way, 'guest@manc.test')
  },
  async 'password-reset'({ url }, way, mailbox) {
    // An attempt that failed may have spent the token and removed the guest.
    const isRepeated = way.names.has('RESET_TOKEN')
    if (isRepeated) rename(way, 'guest@manc.test')
    const username = way.names.get('guest@manc.test') ?? ''
    if (isRepeated) {
      const body = { username, password: 'first-password' }
      await call(url, 'POST', '/api/v1/users/signup', { body })
      await call(url, 'POST', '/api/v1/users/password-recovery', { body: { username } })
    }
    way.names.set('RESET_TOKEN', await mailbox.resetTokenFor(username))
  },
  async 'sign-up-confirmation'(environment, way, mailbox) {
    const { url, admin } = environment
    rename(way, 'unconfirmed@manc.test')
    const username = way.names.get('unconfirmed@manc.test') ?? ''
    await admin.must(['users', 'create', username, '--password-stdin'], { input: 'first-password\n' })
    await sql(environment, `update users set confirm_by = now() + interval '1 hour' where username = $1`, [
      username,
    ])
    await call(url, 'POST', '/api/v1/users/password-recovery', { body: { username } })
    way.names.set('CONFIRMATION_TOKEN', await mailbox.confirmationTokenFor(username))
  },
  async apps(environment) {
    await sql(environment, 'delete from third_party_apps')
  },
  async jobs(_environment, way) {
    rename(way, 'my-mailbox')
  },
  async admin(_environment, way) {
    rename(way, 'second@manc.test')
  },
}

// The files in transcripts/ are documentation too. `npx vitest run packages/cli/test -u` rewrites them.
it.for(Object.entries<Act[]>(transcripts))(
  'the output of manc equals its transcript, in pipes and in a terminal: %s',
  { timeout: 300_000 },
  async ([name, acts]) => {
    await Promise.all(
      environments.map(async (environment, n) =>
        before[name]?.(environment, ways[n] as Way, mailboxes[n] as MailInbox),
      ),
    )
    // These calls only wait for a timeout.
    const text = await transcriptOf(acts, ways, { isConcurrent: name === 'dead-server' })
    await expect(text).toMatchFileSnapshot(`transcripts/${name}.txt`)
  },
)

it('Every hand-written command has a transcript.', async () => {
  const program = createProgram()
  const commands: string[] = []
  for (const top of program.commands) {
    await fill(top)
    if (top.commands.length === 0) commands.push(top.name())
    else commands.push(...top.commands.map((each) => `${top.name()} ${each.name()}`))
  }
  const acts = Object.values<Act[]>({ ...transcripts, ...networkTranscripts }).flat()
  const isRecorded = (command: string) => acts.some(({ words }) => `${words} `.startsWith(`${command} `))
  expect(commands.length).toBeGreaterThan(40)
  // Generated lists share one implementation, which the transcripts of users, apps and audit show.
  const isGenerated = (command: string) => Object.keys(resources).some((name) => command === `${name} list`)
  expect(commands.filter((each) => !isGenerated(each) && !isRecorded(each))).toEqual([])
})

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
import { networkRooms, rooms } from './transcript-table.ts'

const soon = { timeout: 20_000, interval: 200 }
let mailboxes: MailInbox[]
let environments: CliEnvironment[]
let ways: Way[]

/** A controller for each way, so that both find the same. Only the store of telemetry is common: agents need other names. */
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
}, 60_000)

afterAll(async () => {
  for (const way of ways ?? []) way.close()
  for (const environment of environments ?? []) await environment.drop()
  for (const mailbox of mailboxes ?? []) await mailbox.stop()
})

/** Real names that nobody had before, also where a room is repeated. */
function rename({ names }: Way, ...told: string[]): void {
  for (const name of told) {
    const [first = '', ...rest] = name.split('@')
    names.set(name, [uniqueName(first), ...rest].join('@'))
  }
}

const sql = (environment: CliEnvironment, text: string, values: unknown[] = []) =>
  environment.sql(text, values)

/** Before some rooms there is something to wait for, or what an attempt that failed has left is to go. */
const before: Record<string, (environment: CliEnvironment, way: Way, mailbox: MailInbox) => Promise<void>> = {
  async agents(environment, way) {
    await sql(environment, 'delete from agents')
    rename(way, 'wifi-1', 'lifi-1')
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
    // Figures are of the last 30 s, and on a slow machine what they have sent is older by now.
    await admin.must(['agents', 'send-update', names.get('wifi-1') ?? '', 'clients=12'])
    await send()
    const counted = async () => (await admin.json(['fleet', 'figures'])).agents
    await expect.poll(counted, soon).toBe(2)
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
it.for(Object.entries<Act[]>(rooms))(
  'the output of manc equals its transcript, in pipes and in a terminal: %s',
  { timeout: 90_000 },
  async ([room, acts]) => {
    await Promise.all(
      environments.map(async (environment, n) =>
        before[room]?.(environment, ways[n] as Way, mailboxes[n] as MailInbox),
      ),
    )
    // There they only wait for an answer that does not come.
    const text = await transcriptOf(acts, ways, { isAtOnce: room === 'dead-server' })
    await expect(text).toMatchFileSnapshot(`transcripts/${room}.txt`)
  },
)

it('there is a transcript of every hand-written command', async () => {
  const program = createProgram()
  const commands: string[] = []
  for (const room of program.commands) {
    await fill(room)
    if (room.commands.length === 0) commands.push(room.name())
    else commands.push(...room.commands.map((each) => `${room.name()} ${each.name()}`))
  }
  const acts = Object.values<Act[]>({ ...rooms, ...networkRooms }).flat()
  const isTold = (command: string) => acts.some(({ words }) => `${words} `.startsWith(`${command} `))
  expect(commands.length).toBeGreaterThan(40)
  // Generated lists share one implementation, which the transcripts of users, apps and audit show.
  const isGenerated = (command: string) => Object.keys(resources).some((name) => command === `${name} list`)
  expect(commands.filter((each) => !isGenerated(each) && !isTold(each))).toEqual([])
})

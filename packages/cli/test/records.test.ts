import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { createEnvironment, logIn, startReplica, uniqueName } from '@manc/harness'
import { type MailInbox, startMailInbox } from '@manc/harness/mail-inbox'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { CommandLine } from './command-line.ts'
import { CliEnvironment } from './environment.ts'

let environment: CliEnvironment
let mailbox: MailInbox

beforeAll(async () => {
  mailbox = await startMailInbox()
  environment = await CliEnvironment.open({
    MANC_SMTP_URL: mailbox.url,
    MANC_PUBLIC_URL: 'https://manc.example.test',
  })
})

afterAll(async () => {
  await environment?.drop()
  await mailbox?.stop()
})

const manc = (...args: string[]) => environment.admin.must(args)
const runQuietly = async (args: string[], input = '') => {
  const { code, stderr } = await environment.admin.run(args, { input })
  expect([args, code]).toEqual([args, 0])
  return stderr
}

/** A new agent. */
async function agent(...args: string[]): Promise<string> {
  const apId = uniqueName('cli')
  await manc('agents', 'register', apId, ...args)
  return apId
}

const lobby = ['--technology', 'wifi', '--at', '51.4545,-2.5879', '--name', 'Lobby', '--interval', '30s']

describe('manc agents', () => {
  it('registers an agent with a generated password that it shows once', async () => {
    const apId = uniqueName('cli')
    const password = (await manc('agents', 'register', apId, ...lobby)).trim()
    expect(password).toMatch(/^[\w-]{24}$/)
    expect((await logIn(environment.url, 'agent', apId, password)).status).toBe(200)
    expect((await environment.admin.json(['agents', 'get', apId])).configuration).toEqual({
      name: 'Lobby',
      technology: 'WiFi',
      geolocation: { latitude: 51.4545, longitude: -2.5879 },
      telemetry_interval_s: 30,
    })
  })

  it('reports agents that were added, changed or removed', async () => {
    const cursorIn = (text: string) => / --after (\S+)/.exec(text)?.[1] ?? ''
    const start = cursorIn(await manc('fleet', 'changes'))
    const apId = await agent('--technology', 'LiFi')
    const changes = await manc('fleet', 'changes', '--after', start)
    expect(changes).toMatch(new RegExp(`^${apId} +LiFi +offline`, 'm'))
    await manc('agents', 'remove', apId, '--yes')
    expect(await manc('fleet', 'changes', '--after', cursorIn(changes))).toMatch(
      new RegExp(`^Removed: .*${apId}`, 'm'),
    )
  })

  it('lists agents as a table, with filters, and as JSON', async () => {
    const both = uniqueName('both')
    const [one, two] = [`${both}-1`, `${both}-2`]
    await manc('agents', 'register', one, ...lobby)
    await manc('agents', 'register', two, '--technology', 'LiFi')
    const table = await manc('agents', 'list', '--search', both)
    const rows = table.trimEnd().split('\n')
    expect(rows).toHaveLength(3)
    // How wide the column SINCE is depends on what is in it.
    const [header, first] = rows.map((row) => row.replace(one, 'cli-1').replace(/^AGENT +/, 'AGENT  '))
    expect(header).toMatch(
      /^AGENT {2}NAME {3}TECHNOLOGY {2}STATE {4}SINCE {2,6}HEALTH {3}LAST SEEN {2}POSITION {9}REASON$/,
    )
    expect(first).toMatch(
      /^cli-1 {2}Lobby {2}WiFi {8}offline {2}(\d+[sm])+ ago {2}offline {13}51\.4545,-2\.5879$/,
    )
    expect(header?.indexOf('POSITION')).toBe(first?.indexOf('51.4545'))
    expect(await manc('agents', 'list', '--technology', 'LiFi')).not.toContain(one)
    const inside = await environment.admin.json([
      'agents',
      'list',
      '--area',
      '-2.62,51.44,-2.55,51.47',
      '--state',
      'offline',
    ])
    const found = inside.map(({ ap_id }: { ap_id: string }) => ap_id)
    expect(found.filter((each: string) => each.startsWith(both))).toEqual([one])
    expect(await manc('agents', 'list', '--details')).toMatch(
      new RegExp(`^${two} +no +\\{"technology":"LiFi"\\}$`, 'm'),
    )
    expect(await environment.admin.json(['agents', 'list', '--report'])).toContainEqual(
      expect.objectContaining({ ap_id: two, onboard: false, online: false }),
    )
    expect((await environment.admin.run(['agents', 'list', '--details', '--search', 'x'])).code).toBe(2)
    expect((await environment.admin.run(['agents', 'list', '--technology', '6G'])).stderr).toContain(
      '5G, WiFi, LiFi, other',
    )
  })

  it('completes agent ids', async () => {
    const both = uniqueName('both')
    const [one, two] = [`${both}-1`, `${both}-2`]
    for (const apId of [one, two]) await manc('agents', 'register', apId)
    const offered = await manc('complete', '--', 'agents', 'get', both)
    expect(offered).toMatch(new RegExp(`^${one}\\t\\n${two}\\t\\n:\\d+\\n$`))
    expect(await manc('complete', '--', 'commands', 'send', one, '--te')).toMatch(/^--technology\t/)
  })

  it('colours a table on a terminal, but not with NO_COLOR', async () => {
    const args = ['agents', 'list', '--search', await agent(...lobby)]
    const { stdout } = await environment.admin.inTerminal(args).ended
    expect(stdout).toContain('\u001B[31moffline')
    expect(stripVTControlCharacters(stdout)).toMatch(/^AGENT +NAME/)
    const plain = await environment.admin.inTerminal(args, { NO_COLOR: '1' }).ended
    expect(plain.stdout).toContain('offline')
    expect(plain.stdout).not.toContain('\u001B[31m')
  })

  it('changes the configuration and the password of an agent', async () => {
    const apId = await agent(...lobby)
    const file = path.join(environment.admin.home, 'configuration.json')
    writeFileSync(file, '{"name": "Hall"}')
    const changed = await runQuietly(['agents', 'update', apId, '--configuration', `@${file}`])
    expect(changed).toBe(`Changed ${apId}.\n`)
    expect(await manc('agents', 'get', apId)).toMatch(/configuration +\{"name":"Hall"\}/)
    const password = (await manc('agents', 'update', apId, '--new-password')).trim()
    expect((await logIn(environment.url, 'agent', apId, password)).status).toBe(200)
    expect((await environment.admin.run(['agents', 'update', apId])).stderr).toMatch(
      /There is nothing to change/,
    )
    const wrong = await environment.admin.run(['agents', 'update', apId, '--configuration', '{"name"'])
    expect(wrong.stderr).toMatch(/The value is not valid JSON/)
  })

  it('sends samples of an agent and shows and charts them', async () => {
    const [one, silent] = [await agent(), await agent()]
    for (const clients of [3, 7, 12])
      expect(
        await runQuietly(['agents', 'send-update', one, `clients=${clients}`, 'rssi_dbm=-61.5']),
      ).toMatch(/\S/)
    const newest = async () => (await environment.admin.run(['telemetry', 'show', one])).stdout
    await expect.poll(newest, { timeout: 60_000 }).toMatch(/^clients +12 +\d+s ago +\S+$/m)
    const stored = () => environment.admin.json(['telemetry', 'history', one, '--from', '10m'])
    await expect.poll(stored, { timeout: 60_000 }).toHaveLength(6)
    expect(await manc('telemetry', 'metrics', one)).toMatch(/^rssi_dbm +RSSI \(dBm\)$/m)
    const chart = await manc('telemetry', 'chart', one, 'rssi_dbm', '--window', '1m', '--once')
    expect(chart).toMatch(/^RSSI \(dBm\) {2}-61\.5\n/)
    expect(chart).toMatch(/[\u2801-\u28FF]/)
    expect(chart).toMatch(/\d\d:\d\d:\d\d UTC\n$/)
    expect(await environment.admin.json(['telemetry', 'chart', one, 'clients'])).toMatchObject({
      agent_id: one,
    })
    const csv = await manc('telemetry', 'history', one, '--from', '10m')
    expect(csv.split('\n')[0]).toBe('time,field,value')
    expect(csv).toMatch(/^[\d-]{10}T[\d:.]+Z,clients,7$/m)
    expect(await environment.admin.json(['telemetry', 'history', silent, '--from', '10m'])).toEqual([])
    const { stderr } = await environment.admin.run(['telemetry', 'chart', silent, '--once'])
    expect(stderr).toContain(`${silent} has sent no values in the last 5m. Try a longer window`)
  }, 240_000)

  it('removes an agent only after confirmation', async () => {
    const apId = await agent()
    const unasked = await environment.admin.run(['agents', 'remove', apId])
    expect([unasked.code, unasked.stderr]).toEqual([
      2,
      `Remove the access point ${apId}? There is no terminal to confirm. Add --yes if you are sure.\n`,
    ])
    const asked = environment.admin.inTerminal(['agents', 'remove', apId])
    await expect.poll(asked.stdout, { timeout: 60_000 }).toContain('[y/N]')
    asked.child.stdin?.write('n\r')
    expect((await asked.ended).stdout).toContain('Cancelled.')
    expect((await environment.admin.run(['agents', 'get', apId])).code).toBe(0)
    await runQuietly(['agents', 'remove', apId, '--yes'])
    expect((await environment.admin.run(['agents', 'get', apId])).code).toBe(4)
  })
})

describe('manc enrolment', () => {
  it('creates a token with which an agent registers, lists it and removes it', async () => {
    const enrolled = uniqueName('enrolled')
    const args = ['enrolment', 'create', '--pattern', `${enrolled}-*`, '--uses', '2', '--expires', '1h']
    const token = (await manc(...args)).trim()
    const device = new CommandLine({ MANC_URL: environment.url })
    const enrol = ['agents', 'enrol', `${enrolled}-1`, '--token-stdin']
    expect((await device.must(enrol, { input: `${token}\n` })).trim()).toMatch(/^[\w-]{24}$/)
    const other = await device.run(['agents', 'enrol', 'other-1'], {
      variables: { MANC_ENROLMENT_TOKEN: token },
    })
    expect([other.code, other.stderr]).toEqual([3, expect.stringContaining('is for other ids')])
    expect(await manc('enrolment', 'list')).toMatch(new RegExp(`${enrolled}-\\* +1 of 2 +admin@manc\\.test`))
    const listed = async () =>
      (await environment.admin.json(['enrolment', 'list'])).filter(
        ({ ap_id_pattern }: { ap_id_pattern: string }) => ap_id_pattern === `${enrolled}-*`,
      )
    const [{ id }] = await listed()
    await runQuietly(['enrolment', 'remove', id, '--yes'])
    expect(await listed()).toEqual([])
    device.close()
  })
})

describe('manc apps', () => {
  it('registers, shows, changes and removes apps', async () => {
    const steering = uniqueName('steering')
    const apId = await agent()
    await agent()
    const permissions = ['--permissions', `{"agents": ["${apId}*"]}`]
    const app = await environment.admin.json(['apps', 'register', steering, ...permissions])
    expect(app.api_key).toMatch(/^[\w-]{32}$/)
    const line = new CommandLine({ MANC_URL: environment.url })
    await line.must(['login', '--as', 'third_party_app', '--username', steering], {
      input: `${app.api_key}\n`,
    })
    expect(await line.json(['whoami'])).toMatchObject({ kind: 'third_party_app', name: steering })
    expect((await line.json(['agents', 'list'])).map((each: any) => each.ap_id)).toEqual([apId])
    await runQuietly(['apps', 'update', steering, '--key-stdin'], 'another-key\n')
    expect(await manc('apps', 'get', steering)).toMatch(/API key +another-key/)
    await runQuietly(['apps', 'remove', steering, '--yes'])
    expect((await environment.admin.run(['apps', 'get', steering])).code).toBe(4)
    line.close()
  })
})

describe('manc users', () => {
  it('creates, shows, changes, lists and removes users', async () => {
    const op = `${uniqueName('op')}@manc.test`
    const create = ['users', 'create', op, '--role', 'operator', '--password-stdin']
    expect(await environment.admin.must(create, { input: 'a-password\n' })).toMatch(/roles +operator/)
    expect(await environment.admin.json(['users', 'update', op, '--role', 'user'])).toMatchObject({
      roles: 'user',
    })
    expect(await manc('users', 'get', op)).toMatch(new RegExp(`user +${op}`))
    expect(await manc('users', 'list')).toMatch(new RegExp(`^${op} +user$`, 'm'))
    await runQuietly(['users', 'remove', op, '--yes'])
    expect((await environment.admin.run(['users', 'get', op])).code).toBe(4)
  })

  it('signs up without a login and resets a password by e-mail', async () => {
    const ann = `${uniqueName('ann')}@manc.test`
    const anyone = new CommandLine({ MANC_URL: environment.url })
    await anyone.must(['users', 'signup', ann, '--password-stdin'], { input: 'first-password\n' })
    expect((await anyone.run(['users', 'recover', ann])).code).toBe(0)
    const token = await mailbox.resetTokenFor(ann)
    await anyone.must(['users', 'reset', '--token-stdin', '--password-stdin'], {
      input: `${token}\nsecond-password\n`,
    })
    await anyone.must(['login', '--username', ann], { input: 'second-password\n' })
    expect(await anyone.json(['users', 'me'])).toMatchObject({ username: ann })
    anyone.close()
  })

  it('prompts twice for a new password on a terminal', async () => {
    const running = environment.admin.inTerminal(['users', 'create', 'two@manc.test'])
    await expect.poll(running.stdout, { timeout: 60_000 }).toContain('password:')
    running.child.stdin?.write('one-password\r')
    await expect.poll(running.stdout, { timeout: 60_000 }).toContain('Repeat:')
    running.child.stdin?.write('another-password\r')
    expect((await running.ended).stdout).toContain('The two entries differ.')
  })
})

describe('manc admin create', () => {
  it('creates the first administrator with the setup token from the log, and further ones as administrator', async () => {
    const empty = await createEnvironment(inject('engines'))
    const {
      MANC_BOOTSTRAP_ADMIN_USERNAME: _name,
      MANC_BOOTSTRAP_ADMIN_PASSWORD: _password,
      ...rest
    } = empty.variables
    const server = await startReplica(rest)
    const token = /Bearer (setup_[\w-]+)/.exec(server.logged())?.[1] ?? ''
    const line = new CommandLine({ MANC_URL: server.url })
    const args = ['admin', 'create', 'first@manc.test', '--setup-token-stdin', '--password-stdin']
    const wrong = await line.run(args, { input: 'wrong\nfirst-password\n' })
    expect([wrong.code, wrong.stderr]).toEqual([3, expect.stringContaining("It is in the controller's log")])
    await line.must(args, { input: `${token}\nfirst-password\n` })
    await line.must(['login', '--username', 'first@manc.test'], { input: 'first-password\n' })
    expect(
      await line.json(['admin', 'create', 'second@manc.test'], { input: 'second-password\n' }),
    ).toMatchObject({
      roles: 'admin',
    })
    line.close()
    await server.stop()
    await empty.drop()
  })
})

describe('manc callbacks and manc jobs', () => {
  it('post results, list jobs and read them', async () => {
    const file = path.join(environment.admin.home, 'results.json')
    writeFileSync(file, '[{"hello": "there"}]')
    const box = uniqueName('cli-mailbox')
    await runQuietly(['callbacks', 'post', 'agent_details', box, '--file', file])
    await runQuietly(['callbacks', 'post', 'agent_data', box], '[1, 2]')
    expect(await manc('jobs', 'read', box, '--count', '2')).toBe('[{"hello":"there"}]\n[1,2]\n')
    expect(await manc('jobs', 'list')).toMatch(new RegExp(`^${box} +mailbox +open`, 'm'))
    expect(await environment.admin.json(['jobs', 'get', box])).toMatchObject({
      kind: 'mailbox',
      last_seq: 2,
    })
    expect(await environment.admin.json(['jobs', 'list', '--limit', '1'])).toHaveLength(1)
    expect(
      (await environment.admin.run(['callbacks', 'post', 'agent_data', 'x'], { input: '{}' })).stderr,
    ).toMatch(/Results must be a JSON array/)
  })
})

import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'
import { admin, tokenOf, uniqueName } from '@manc/harness'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CommandLine, type Outcome } from './command-line.ts'
import { openScene, type Scene } from './scene.ts'

let scene: Scene
let url: string
const somebody = new CommandLine()

beforeAll(async () => {
  scene = await openScene()
  url = scene.server.url
}, 60_000)

afterAll(async () => {
  somebody.close()
  await scene?.close()
})

const words = (...more: string[]) => ['login', '--url', url, '--username', admin.username, ...more]

/** One message for people, and nothing of the inside. */
function expectMessage({ stderr }: Outcome, text: string | RegExp): void {
  expect(stderr).toMatch(text)
  expect(stderr).not.toMatch(/^\s+at /m)
  expect(stderr.trim().split('\n').length).toBeLessThanOrEqual(3)
}

describe('manc login', () => {
  it('keeps the token in a file that nobody else may read, and the password nowhere', async () => {
    const { code, stderr } = await somebody.run(words('--password-stdin'), { input: `${admin.password}\n` })
    expect([code, stderr]).toEqual([0, `Logged in at ${url} as ${admin.username}, for 30m.\n`])
    expect(statSync(somebody.configFile).mode & 0o777).toBe(0o600)
    expect(readFileSync(somebody.configFile, 'utf8')).not.toContain(admin.password)
    expect(await somebody.must(['whoami'])).toMatch(/name +admin@manc\.test/)
    expect(await somebody.json(['whoami'])).toMatchObject({
      url,
      kind: 'user',
      name: admin.username,
      roles: 'admin',
    })
  })

  it('asks for the password on a terminal and shows nothing of it', async () => {
    const line = new CommandLine()
    const running = line.inTerminal(words())
    await expect.poll(running.stdout, { timeout: 10_000 }).toContain('password:')
    running.child.stdin?.write(`${admin.password}x\u007F\r`)
    const { code, stdout } = await running.ended
    expect(stripVTControlCharacters(stdout)).toContain('Logged in at')
    expect(stdout).not.toContain(admin.password)
    expect(code).toBe(0)
    expect(existsSync(line.configFile)).toBe(true)
    line.close()
  })

  it('with a wrong password says so, and keeps nothing', async () => {
    const line = new CommandLine()
    const outcome = await line.run(words('--password-stdin'), { input: 'wrong\n' })
    expect(outcome.code).toBe(3)
    expectMessage(outcome, /knows no user admin@manc\.test with this password\. Check both, and --as\./)
    expect(existsSync(line.configFile)).toBe(false)
    line.close()
  })

  it('takes no password as an argument', async () => {
    const outcome = await somebody.run(words('--password', 'secret'))
    expect(outcome.code).toBe(2)
    expectMessage(outcome, /unknown option '--password'/)
  })

  it('keeps several logins apart by profile', async () => {
    const apId = uniqueName('cli-profile')
    await scene.admin.must(['agents', 'register', apId, '--password-stdin'], {
      input: 'agent-password\n',
    })
    const asAgent = ['login', '--url', url, '--profile', 'device', '--as', 'agent', '--username', apId]
    await somebody.must([...asAgent, '--password-stdin'], { input: 'agent-password\n' })
    const variables = { MANC_PROFILE: 'device' }
    expect(await somebody.json(['whoami'], { variables })).toMatchObject({
      kind: 'agent',
      name: apId,
    })
    expect(await somebody.json(['whoami', '--profile', 'default'])).toMatchObject({ kind: 'user' })
    const refused = await somebody.run(['users', 'list', '--profile', 'device'])
    expect(refused.code).toBe(3)
    expectMessage(refused, /Not enough permissions\. Ask an administrator/)
  })
})

describe('a program', () => {
  it('uses MANC_URL and MANC_TOKEN, and needs no file', async () => {
    const line = new CommandLine()
    const variables = {
      MANC_URL: url,
      MANC_TOKEN: await tokenOf(url, 'user', admin.username, admin.password),
    }
    expect(await line.json(['users', 'me'], { variables })).toMatchObject({ username: admin.username })
    expect(await line.json(['whoami'], { variables })).toMatchObject({
      name: admin.username,
      profile: null,
    })
    const bad = await line.run(['users', 'me'], { variables: { ...variables, MANC_TOKEN: 'x.y.z' } })
    expect(bad.code).toBe(3)
    expectMessage(bad, /The token in MANC_TOKEN has ended, or is not valid here/)
    expect(existsSync(line.configFile)).toBe(false)
    line.close()
  })
})

describe('a login that is over', () => {
  it('is told, with what to run', async () => {
    const nobody = new CommandLine({ MANC_URL: url })
    const outcome = await nobody.run(['agents', 'list'])
    expect(outcome.code).toBe(3)
    expectMessage(outcome, /You are not logged in at http\S+\. Run: manc login/)
    nobody.close()
  })

  it('also where its time has come, or the controller ended it', async () => {
    const kept = readFileSync(somebody.configFile, 'utf8')
    const withChanged = async (pattern: RegExp, text: string) => {
      try {
        writeFileSync(somebody.configFile, kept.replaceAll(pattern, text))
        return await somebody.run(['agents', 'list'])
      } finally {
        writeFileSync(somebody.configFile, kept)
      }
    }
    const ended = await withChanged(/"expiresAt": \d+/g, '"expiresAt": 1000')
    expect(ended.code).toBe(3)
    expectMessage(ended, /Your login has ended\. Run: manc login/)
    const revoked = await withChanged(/"accessToken": "[^"]*"/g, '"accessToken": "revoked"')
    expect(revoked.code).toBe(3)
    expectMessage(revoked, /Could not validate credentials\. Run: manc login/)
  })

  it('manc logout forgets the token', async () => {
    await somebody.must(words('--password-stdin'), { input: `${admin.password}\n` })
    expect((await somebody.run(['logout'])).stderr).toMatch(/^Logged out admin@manc\.test at http/)
    expect(readFileSync(somebody.configFile, 'utf8')).toContain('"device"')
    expect((await somebody.run(['whoami'])).code).toBe(3)
    expect((await somebody.run(['logout'])).stderr).toBe('Nobody was logged in.\n')
  })
})

describe('what goes wrong', () => {
  it('a token is not sent to another controller', async () => {
    const outcome = await scene.admin.run(['agents', 'list', '--url', 'http://127.0.0.1:9999'])
    expect(outcome.code).toBe(3)
    expectMessage(outcome, /You are not logged in at http:\/\/127\.0\.0\.1:9999\. Run: manc login/)
  })

  it('with a controller that is away is told with its address, soon', async () => {
    const startedAt = Date.now()
    const outcome = await scene.admin.run(['agents', 'list', '--url', 'http://127.0.0.1:9'], {
      variables: { MANC_TOKEN: 'a.b.c' },
    })
    expect(outcome.code).toBe(5)
    expectMessage(outcome, /The controller at http:\/\/127\.0\.0\.1:9 does not answer .* manc doctor/)
    expect(Date.now() - startedAt).toBeLessThan(8000)
  })

  it('with an address that is none', async () => {
    const outcome = await scene.admin.run(['agents', 'list', '--url', 'nonsense'])
    expect(outcome.code).toBe(2)
    expectMessage(outcome, /nonsense is no address of a controller\. It looks like https:/)
  })

  it('with what is not there, is wrong, or cannot be read', async () => {
    const missing = await scene.admin.run(['agents', 'get', 'nobody'])
    expect(missing.code).toBe(4)
    expectMessage(missing, /Agent not found\. Check the name/)
    const invalid = await scene.admin.run(['agents', 'register', 'not.allowed'])
    expect(invalid.code).toBe(2)
    expectMessage(invalid, /ap_id: .* Correct it/)
    const unread = await scene.admin.run(['emulate', '--file', '/nowhere.json'])
    expect(unread.code).toBe(2)
    expectMessage(unread, /\/nowhere\.json cannot be read \(ENOENT\)/)
    const unknown = await scene.admin.run(['agents', 'lst'])
    expect(unknown.code).toBe(2)
    expectMessage(unknown, /unknown command 'lst'/)
  })

  it('with --verbose shows where it comes from', async () => {
    const { stderr } = await scene.admin.run(['agents', 'get', 'nobody', '--verbose'])
    expect(stderr).toMatch(/^NotFound: |\n\s+at /m)
  })

  it('with a reader that has seen enough is nothing at all', async () => {
    const running = scene.admin.start(['agents', 'list', '--json'])
    running.child.stdout?.destroy()
    const { code, stderr } = await running.ended
    expect([code, stderr]).toEqual([0, ''])
  })
})

import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'
import { admin, call, tokenOf, uniqueName } from '@manc/harness'
import { afterAll, describe, expect } from 'vitest'
import { CommandLine, type Outcome } from './command-line.ts'
import { type CliEnvironment, test as it } from './environment.ts'

let environment: CliEnvironment
let url: string
const user = new CommandLine()

it.beforeAll(async ({ environment: own }) => {
  environment = own
  url = environment.url
})

afterAll(async () => {
  user.close()
})

const words = (...more: string[]) => ['login', '--url', url, '--username', admin.username, ...more]

/** One message of at most three lines, without a stack trace. */
function expectMessage({ stderr }: Outcome, text: string | RegExp): void {
  expect(stderr).toMatch(text)
  expect(stderr).not.toMatch(/^\s+at /m)
  expect(stderr.trim().split('\n').length).toBeLessThanOrEqual(3)
}

describe('manc login', () => {
  it('stores the token in a file that only its owner can read, and does not store the password', async () => {
    const { code, stderr } = await user.run(words('--password-stdin'), { input: `${admin.password}\n` })
    expect([code, stderr]).toEqual([0, `Logged in at ${url} as ${admin.username}, for 30m.\n`])
    expect(statSync(user.configFile).mode & 0o777).toBe(0o600)
    expect(readFileSync(user.configFile, 'utf8')).not.toContain(admin.password)
    expect(await user.must(['whoami'])).toMatch(/name +admin@manc\.test/)
    expect(await user.json(['whoami'])).toMatchObject({
      url,
      kind: 'user',
      name: admin.username,
      roles: 'admin',
    })
  })

  it('prompts for the password on a terminal without echo', async () => {
    const line = new CommandLine()
    const running = line.inTerminal(words())
    await expect.poll(running.stdout, { timeout: 60_000 }).toContain('password:')
    running.child.stdin?.write(`${admin.password}x\u007F\r`)
    const { code, stdout } = await running.ended
    expect(stripVTControlCharacters(stdout)).toContain('Logged in at')
    expect(stdout).not.toContain(admin.password)
    expect(code).toBe(0)
    expect(existsSync(line.configFile)).toBe(true)
    line.close()
  })

  it('reports a wrong password and stores nothing', async () => {
    const line = new CommandLine()
    const outcome = await line.run(words('--password-stdin'), { input: 'wrong\n' })
    expect(outcome.code).toBe(3)
    expectMessage(
      outcome,
      /does not accept the user admin@manc\.test with this password\. Check both, and --as\./,
    )
    expect(existsSync(line.configFile)).toBe(false)
    line.close()
  })

  it('accepts no password as an argument', async () => {
    const outcome = await user.run(words('--password', 'secret'))
    expect(outcome.code).toBe(2)
    expectMessage(outcome, /unknown option '--password'/)
  })

  it('keeps logins of several profiles separate', async () => {
    const apId = uniqueName('cli-profile')
    await environment.admin.must(['agents', 'register', apId, '--password-stdin'], {
      input: 'agent-password\n',
    })
    const asAgent = ['login', '--url', url, '--profile', 'device', '--as', 'agent', '--username', apId]
    await user.must([...asAgent, '--password-stdin'], { input: 'agent-password\n' })
    const variables = { MANC_PROFILE: 'device' }
    expect(await user.json(['whoami'], { variables })).toMatchObject({
      kind: 'agent',
      name: apId,
    })
    expect(await user.json(['whoami', '--profile', 'default'])).toMatchObject({ kind: 'user' })
    const refused = await user.run(['users', 'list', '--profile', 'device'])
    expect(refused.code).toBe(3)
    expectMessage(refused, /Not enough permissions\. Ask an administrator/)
  })
})

describe('a script', () => {
  it('needs only MANC_URL and MANC_TOKEN', async () => {
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
    expectMessage(bad, /The token in MANC_TOKEN has expired, or is not valid at this controller/)
    expect(existsSync(line.configFile)).toBe(false)
    line.close()
  })
})

describe('an ended login', () => {
  it('is reported with the command to run', async () => {
    const signedOut = new CommandLine({ MANC_URL: url })
    const outcome = await signedOut.run(['agents', 'list'])
    expect(outcome.code).toBe(3)
    expectMessage(outcome, /You are not logged in at http\S+\. Run: manc login/)
    signedOut.close()
  })

  it('is reported when the token has expired or was revoked', async () => {
    const kept = readFileSync(user.configFile, 'utf8')
    const withChanged = async (pattern: RegExp, text: string) => {
      try {
        writeFileSync(user.configFile, kept.replaceAll(pattern, text))
        return await user.run(['agents', 'list'])
      } finally {
        writeFileSync(user.configFile, kept)
      }
    }
    const ended = await withChanged(/"expiresAt": \d+/g, '"expiresAt": 1000')
    expect(ended.code).toBe(3)
    expectMessage(ended, /Your login has expired\. Run: manc login/)
    const revoked = await withChanged(/"accessToken": "[^"]*"/g, '"accessToken": "revoked"')
    expect(revoked.code).toBe(3)
    expectMessage(revoked, /Could not validate credentials\. Run: manc login/)
  })

  it('is the result of manc logout, which deletes the token', async () => {
    await user.must(words('--password-stdin'), { input: `${admin.password}\n` })
    await user.must(['login', '--renew'])
    const token: string = JSON.parse(readFileSync(user.configFile, 'utf8')).profiles.default.token.accessToken
    expect((await user.run(['logout'])).stderr).toMatch(/^Logged out admin@manc\.test at http/)
    expect(readFileSync(user.configFile, 'utf8')).toContain('"device"')
    expect((await user.run(['whoami'])).code).toBe(3)
    expect((await call(environment.url, 'GET', '/api/v1/users/me', { token })).status).toBe(401)
    expect((await user.run(['logout'])).stderr).toBe('There is no stored login.\n')
  })
})

describe('an error', () => {
  it('is reported instead of sending a token to another controller', async () => {
    const outcome = await environment.admin.run(['agents', 'list', '--url', 'http://127.0.0.1:9999'])
    expect(outcome.code).toBe(3)
    expectMessage(outcome, /You are not logged in at http:\/\/127\.0\.0\.1:9999\. Run: manc login/)
  })

  it('names the address of a controller that does not respond', async () => {
    const startedAt = Date.now()
    const outcome = await environment.admin.run(['agents', 'list', '--url', 'http://127.0.0.1:9'], {
      variables: { MANC_TOKEN: 'a.b.c' },
    })
    expect(outcome.code).toBe(5)
    expectMessage(outcome, /The controller at http:\/\/127\.0\.0\.1:9 does not respond .* manc doctor/)
    expect(Date.now() - startedAt).toBeLessThan(25_000)
  })

  it('names an invalid address', async () => {
    const outcome = await environment.admin.run(['agents', 'list', '--url', 'nonsense'])
    expect(outcome.code).toBe(2)
    expectMessage(outcome, /nonsense is not the URL of a controller\. Use one like https:/)
  })

  it('has its own message for missing records, invalid input and unreadable files', async () => {
    const missing = await environment.admin.run(['agents', 'get', 'missing-agent'])
    expect(missing.code).toBe(4)
    expectMessage(missing, /Agent not found\. Check the name/)
    const invalid = await environment.admin.run(['agents', 'register', 'not.allowed'])
    expect(invalid.code).toBe(2)
    expectMessage(invalid, /ap_id: .* Correct it/)
    const unread = await environment.admin.run(['emulate', '--file', '/nowhere.json'])
    expect(unread.code).toBe(2)
    expectMessage(unread, /\/nowhere\.json cannot be read \(ENOENT\)/)
    const unknown = await environment.admin.run(['agents', 'lst'])
    expect(unknown.code).toBe(2)
    expectMessage(unknown, /unknown command 'lst'/)
  })

  it('shows its origin with --verbose', async () => {
    const { stderr } = await environment.admin.run(['agents', 'get', 'missing-agent', '--verbose'])
    expect(stderr).toMatch(/^NotFound: |\n\s+at /m)
  })

  it('is not reported when the reader of a pipe closes it', async () => {
    const running = environment.admin.start(['agents', 'list', '--json'])
    running.child.stdout?.destroy()
    const { code, stderr } = await running.ended
    expect([code, stderr]).toEqual([0, ''])
  })
})

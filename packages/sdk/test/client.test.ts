import { setTimeout as sleep } from 'node:timers/promises'
import { admin, closedPort, startReplica, type TestEnvironment, uniqueName } from '@manc/harness'
import { test } from '@manc/harness/fixture'
import {
  Conflict,
  Invalid,
  JobFailed,
  Manc,
  NotAllowed,
  NotFound,
  NotLoggedIn,
  SessionEnded,
  TooManyRequests,
  Unreachable,
} from '@manc/sdk'
import { describe, expect } from 'vitest'
import { recordingFetch } from './recording-fetch.ts'

const it = test.override('variables', {
  // Longer than the pauses of a busy machine.
  MANC_USER_TOKEN_SECONDS: '6',
  MANC_COMMAND_SECONDS: '2',
})

let environment: TestEnvironment
let manc: Manc

it.beforeAll(async ({ environment: own }) => {
  environment = own
  manc = new Manc({ url: environment.url, credentials: admin })
  await manc.agents.register({ ap_id: 'c-1', password: 'a-password', configuration: {} })
  await manc.users.create({ ...operator, roles: ['operator'] })
})

const operator = { username: 'operator@manc.test', password: 'some-password' }

describe('a session', () => {
  it('logs in on demand, once for concurrent calls, and again before the token expires', async () => {
    const { send } = recordingFetch()
    let logins = 0
    const own = new Manc({
      url: environment.url,
      credentials: admin,
      fetch: send,
      onToken: () => (logins += 1),
    })
    await Promise.all([own.users.me(), own.users.me(), own.fleet.summary()])
    expect(logins).toBe(1)
    await sleep(6500)
    await own.users.me()
    expect(logins).toBe(2)
  })

  it('accepts an existing token and reports when it has expired', async () => {
    let kept = { accessToken: '', expiresAt: 0 }
    await new Manc({ url: environment.url, credentials: admin, onToken: (token) => (kept = token) }).logIn()
    const own = new Manc({ url: environment.url, token: kept })
    expect((await own.users.me()).username).toBe(admin.username)
    await sleep(6100)
    await expect(own.users.me()).rejects.toThrow('The token has expired. Log in again.')
    await expect(new Manc({ url: environment.url }).users.me()).rejects.toThrow('Log in first')
  })

  it('logs in again when its token was revoked', async () => {
    const person = { username: `${uniqueName('person')}@manc.test`, password: 'some-password' }
    await manc.users.create({ ...person, roles: ['user'] })
    const own = new Manc({ url: environment.url, credentials: person })
    await own.users.me()
    await manc.users.update(person.username, { roles: ['operator'] })
    await expect.poll(async () => (await own.users.me()).roles).toBe('operator')
    own.logOut()
    await expect(own.users.me()).rejects.toBeInstanceOf(SessionEnded)
  })
})

describe('an error response becomes an error class with the message of the controller', () => {
  it.each([
    [
      'a wrong password',
      () => new Manc({ url: environment.url, credentials: { ...admin, password: 'no' } }).logIn(),
      NotLoggedIn,
    ],
    ['no such agent', () => manc.agents.get('missing-agent'), NotFound],
    [
      'twice the same',
      () => manc.agents.register({ ap_id: 'c-1', password: 'p', configuration: {} }),
      Conflict,
    ],
    ['not a name', () => manc.agents.register({ ap_id: 'a b', password: 'p', configuration: {} }), Invalid],
    [
      'not for users',
      () => new Manc({ url: environment.url, credentials: operator }).agents.remove('c-1'),
      NotAllowed,
    ],
  ])('%s', async (_, attempt, kind) => {
    const error = await attempt().then(
      () => undefined,
      (reason: unknown) => reason,
    )
    expect(error).toBeInstanceOf(kind)
    expect((error as Error).name).toBe(kind.name)
    expect((error as Error).message.length).toBeGreaterThan(20)
  })

  it('a validation error names the invalid field', async () => {
    const wrong = manc.users.create({ username: 'no-mail', password: 'short', roles: [] })
    const items = (await wrong.catch((error: unknown) => error as Invalid)) as Invalid
    expect(items.items.map(({ loc }) => loc.join('.'))).toEqual(['body.username', 'body.password'])
    expect(items.message).toContain('password')
  })

  it('a missing controller is reported as unreachable', async () => {
    const nowhere = new Manc({
      url: `http://127.0.0.1:${await closedPort()}`,
      credentials: admin,
      retryForMs: 300,
    })
    await expect(nowhere.users.me()).rejects.toBeInstanceOf(Unreachable)
    await expect(nowhere.users.me()).rejects.toThrow('Check the address, and that it is running.')
  })
})

describe('a command', () => {
  it('reports its states and fails with a message that says what to do', async () => {
    const sent = await manc.commands.send('c-1', 'reboot')
    const states: string[] = []
    const failed = (async () => {
      for await (const { state } of sent) states.push(state)
    })()
    await expect(failed).rejects.toBeInstanceOf(JobFailed)
    expect(states.at(-1)).toBe('expired')
  })
})

describe('time limits', () => {
  it('a call does not wait longer than its time limit', async () => {
    const strict = await startReplica({ ...environment.variables, MANC_RATE_CALLER_PER_MINUTE: '30' })
    const own = new Manc({ url: strict.url, credentials: admin, retryForMs: 1000 })
    try {
      await own.logIn()
      const startedAt = Date.now()
      const all = await Promise.allSettled(Array.from({ length: 60 }, () => own.users.me()))
      const refused = all.find((each) => each.status === 'rejected')?.reason as TooManyRequests
      expect(refused).toBeInstanceOf(TooManyRequests)
      // Asked to come back later than that: it is said at once.
      expect(refused.retryAfterS).toBeGreaterThan(1)
      expect(Date.now() - startedAt).toBeLessThan(25_000)
    } finally {
      await strict.stop()
    }
  })

  it('a call ends immediately when it is aborted', async () => {
    const calling = new AbortController()
    const nowhere = new Manc({ url: `http://127.0.0.1:${await closedPort()}`, credentials: admin })
    const waiting = nowhere.users.me({ signal: calling.signal })
    const live = manc.telemetry.watch(['c-1'], { signal: calling.signal })
    const listening = live.next()
    setTimeout(() => calling.abort(new Error('enough')), 500)
    const startedAt = Date.now()
    await Promise.all([
      expect(listening).rejects.toThrow('enough'),
      expect(waiting).rejects.toThrow('enough'),
    ])
    expect(Date.now() - startedAt).toBeLessThan(25_000)
  })
})

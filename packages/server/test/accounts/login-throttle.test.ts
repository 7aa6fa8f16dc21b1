import { setTimeout as sleep } from 'node:timers/promises'
import {
  admin,
  call,
  createEnvironment,
  logIn,
  type Replica,
  startReplica,
  type TestEnvironment,
  uniqueName,
} from '@manc/harness'
import { test } from '@manc/harness/fixture'
import { afterAll, describe, expect, inject } from 'vitest'
import { makeLoginWaitsLong } from '../login-waits.ts'

const it = test.override('withServer', false)

let environment: TestEnvironment
let replicas: Replica[]

it.beforeAll(async ({ environment: own }) => {
  environment = own
  replicas = [await startReplica(environment.variables), await startReplica(environment.variables)]
})

afterAll(async () => {
  for (const replica of replicas ?? []) await replica.stop()
})

/** A new account without failed logins. */
async function account(name: string): Promise<string> {
  const own = uniqueName(name)
  const body = { username: `${own}@example.test`, password: 'right-password' }
  expect((await call(url(0), 'POST', '/api/v1/users/signup', { body })).status).toBe(200)
  return own
}

const url = (n: number) => replicas[n % replicas.length]?.url ?? ''
const wrong = (n: number, name: string, headers = {}) =>
  logIn(url(n), 'user', `${name}@example.test`, `wrong-${n}`, { headers })
/** As often as needed until the account has to wait. */
async function fail(name: string): Promise<number[]> {
  const statuses: number[] = []
  for (let n = 0; n < 11; n++) statuses.push((await wrong(n, name)).status)
  return statuses
}
const right = (n: number, name: string) => logIn(url(n), 'user', `${name}@example.test`, 'right-password')

describe('failed logins', () => {
  it('delay this account on all replicas, and no other account', async () => {
    const [ann, bob] = [await account('ann'), await account('bob')]
    // Ten are free, the eleventh starts the wait. During a wait no password is checked.
    expect(await fail(ann)).toEqual(Array.from({ length: 11 }, () => 401))
    await makeLoginWaitsLong(environment)
    for (const n of [0, 1]) {
      expect((await wrong(n, ann)).status).toBe(429)
      const waiting = await right(n, ann)
      expect(waiting.status).toBe(429)
      expect(Number(waiting.headers.get('retry-after'))).toBeGreaterThan(0)
      expect((await right(n, bob)).status).toBe(200)
    }
  })

  it('never lock an account: the right password works after the delay', async () => {
    const dora = await account('dora')
    await fail(dora)
    await expect.poll(async () => (await right(1, dora)).status, { timeout: 30_000, interval: 300 }).toBe(200)
    expect((await wrong(0, dora)).status).toBe(401)
    expect((await right(0, dora)).status).toBe(200)
  })

  it('do not delay the right password while they are few', async () => {
    const carl = await account('carl')
    for (let n = 0; n < 9; n++) await wrong(n, carl)
    expect((await right(0, carl)).status).toBe(200)
    for (let n = 0; n < 9; n++) await wrong(n, carl)
    expect((await right(1, carl)).status).toBe(200)
  })

  it('count for unknown accounts as for known ones', async () => {
    const unknownUser = uniqueName('unknownUser')
    await fail(unknownUser)
    await makeLoginWaitsLong(environment)
    expect((await wrong(0, unknownUser)).status).toBe(429)
  })

  it('are counted when they are made concurrently', async () => {
    const eve = await account('eve')
    const guesses = Array.from({ length: 60 }, (_, n) => wrong(n, eve))
    const [last, ...guessed] = await Promise.all([right(0, eve), ...guesses])
    const statuses = guessed.map(({ status }) => status)
    // On two replicas a guess may be under way on each while the count is reached, and no more than that is judged.
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(14)
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(46)
    expect(last.status).toBe(429)
  })

  it('do not count concurrent successful logins', async () => {
    const bob = await account('bob')
    const logins = await Promise.all(Array.from({ length: 30 }, (_, n) => right(n, bob)))
    expect(logins.map(({ status }) => status)).toEqual(Array.from({ length: 30 }, () => 200))
  })
})

describe('the count of failed logins', () => {
  it('decays, so that occasional mistakes never cause a delay', async () => {
    const own = await createEnvironment(inject('engines'))
    const server = await startReplica({
      ...own.variables,
      MANC_LOGIN_WINDOW_SECONDS: '2',
      MANC_LOGIN_FREE_FAILURES: '2',
      MANC_LOGIN_FREE_FAILURES_PER_ADDRESS: '3',
    })
    try {
      const statuses = []
      for (let n = 0; n < 6; n++) {
        statuses.push((await logIn(server.url, 'user', admin.username, 'wrong-password')).status)
        await sleep(1100)
      }
      expect(statuses).toEqual([401, 401, 401, 401, 401, 401])
      expect((await logIn(server.url, 'user', admin.username, admin.password)).status).toBe(200)
    } finally {
      await server.stop()
      await own.drop()
    }
  })
})

describe('the metric of refused logins', () => {
  it('names the limit that was reached: of the account at an address, of the account, or of the address', async () => {
    for (const [setting, limit] of [
      ['MANC_LOGIN_FREE_FAILURES', {}],
      ['MANC_LOGIN_FREE_FAILURES_PER_ACCOUNT', { MANC_LOGIN_FREE_FAILURES: '1000' }],
      ['MANC_LOGIN_FREE_FAILURES_PER_ADDRESS', { MANC_LOGIN_FREE_FAILURES: '1000' }],
    ] as const) {
      const own = await createEnvironment(inject('engines'))
      const server = await startReplica({ ...own.variables, ...limit, [setting]: '3' })
      try {
        for (let n = 0; n < 4; n++) await logIn(server.url, 'user', admin.username, `wrong-${n}`)
        await makeLoginWaitsLong(own)
        expect((await logIn(server.url, 'user', admin.username, 'wrong')).status).toBe(429)
        const metrics = await (await fetch(`${server.internalUrl}/metrics`)).text()
        const reached = [...metrics.matchAll(/^manc_limit_reached_total\{limit="(MANC_LOGIN_\w+)"\} [1-9]/gm)]
        expect(reached.map(([, name]) => name)).toEqual([setting])
      } finally {
        await server.stop()
        await own.drop()
      }
    }
  }, 300_000)
})

describe('the address of a caller', () => {
  const spoof = (n: number) => ({ 'x-forwarded-for': `198.51.100.${n % 250}` })

  it('is read from X-Forwarded-For only with a configured trusted proxy', async () => {
    for (const trusted of [undefined, '127.0.0.1']) {
      const own = await createEnvironment(inject('engines'))
      const server = await startReplica({
        ...own.variables,
        MANC_LOGIN_FREE_FAILURES_PER_ADDRESS: '5',
        ...(trusted && { MANC_TRUSTED_PROXIES: trusted }),
      })
      try {
        const attempts = []
        // More than the limit, since the first waits are short.
        for (let n = 0; n < 12; n++)
          attempts.push(
            await logIn(server.url, 'user', `user-${n}@example.test`, 'wrong-password', {
              headers: spoof(n),
            }),
          )
        const slowed = attempts.some(({ status }) => status === 429)
        expect(slowed).toBe(trusted === undefined)
      } finally {
        await server.stop()
        await own.drop()
      }
    }
  })
})

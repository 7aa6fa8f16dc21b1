import { call, type TestEnvironment, tokenOf, uniqueName } from '@manc/harness'
import { test } from '@manc/harness/fixture'
import { describe, expect } from 'vitest'

const years31 = 31 * 365 * 86_400
const perUser = 30
const ofAllUsers = 50
const total = 1100
const maxUserDurationS = 3600

const it = test.override('variables', {
  MANC_USER_EMULATED_AGENTS: String(perUser),
  MANC_USERS_EMULATED_AGENTS: String(ofAllUsers),
  MANC_EMULATED_AGENTS_TOTAL: String(total),
  MANC_USER_EMULATION_SECONDS: String(maxUserDurationS),
  MANC_USER_EMULATIONS_PER_HOUR: '8',
})

let environment: TestEnvironment

it.beforeAll(({ environment: own }) => {
  environment = own
})

/** The token of a new account, from sign-up. */
async function signUp(): Promise<string> {
  const account = { username: `${uniqueName('mallory')}@manc.test`, password: 'mallory-password' }
  expect((await call(environment.url, 'POST', '/api/v1/users/signup', { body: account })).status).toBe(200)
  return tokenOf(environment.url, 'user', account.username, account.password)
}

const spinUp = (token: string, count: number, duration: number) =>
  call(environment.url, 'POST', '/api/v1/emulator/spinup', {
    token,
    body: {
      emulators: [
        {
          access_point_type: 'WiFi',
          num_access_points: count,
          locations: ['Bristol'],
          num_devices: 5,
          duration,
        },
      ],
    },
  })

const stored = async () =>
  (await environment.sql('select count(*)::int as agents from agents where emulation is not null'))[0].agents

/** Removes all emulations, as the sweep does when their time has come. */
const removeAll = () =>
  environment.sql(`
    with gone as (delete from emulations), quota as (delete from emulation_starts)
    delete from agents where emulation is not null`)

describe('an account from sign-up', () => {
  it('cannot start 1,000 access points', async () => {
    const before = await stored()
    const { status, body, headers } = await spinUp(await signUp(), 1000, 60)
    expect([status, await stored()]).toEqual([429, before])
    expect(body.detail).toBe(
      `At most ${perUser} emulated agents at once; 0 of yours exist. Stop an emulation, or emulate fewer.`,
    )
    expect(headers.get('retry-after')).toBe('60')
  })

  it('cannot emulate for 31 years: the emulation ends at the maximum, and the response says so', async () => {
    const { status, body } = await spinUp(await signUp(), 1, years31)
    expect(status).toBe(200)
    const seconds = (Date.parse(body.ends_at) - Date.now()) / 1000
    expect(Math.abs(seconds - maxUserDurationS)).toBeLessThan(30)
    expect(body.detail).toBe(`The duration was limited to ${maxUserDurationS} s, your maximum.`)
    const [kept] = await environment.sql(
      `select ends_at - begins_at < interval '61 min' as ends, (specs -> 0 ->> 'duration')::float8 as duration
       from emulations where job_number = $1`,
      [body.job_number],
    )
    expect(kept).toEqual({ ends: true, duration: maxUserDurationS })
  })

  it('cannot exceed its quota by emulations of one second: agents count until they are removed', async () => {
    await removeAll()
    const token = await signUp()
    const statuses = []
    for (let n = 0; n < 5; n++) {
      statuses.push((await spinUp(token, 10, 1)).status)
      await environment.sql(`update emulations set ends_at = now() - interval '1 s'`)
    }
    expect([statuses, await stored()]).toEqual([[200, 200, 200, 429, 429], perUser])
  })

  it('cannot start more emulations in an hour than it may, even if each was removed before', async () => {
    const token = await signUp()
    const statuses = []
    for (let n = 0; n < 9; n++) {
      statuses.push(await spinUp(token, 1, 1))
      await environment.sql('delete from agents where emulation is not null')
      await environment.sql('delete from emulations')
    }
    expect(statuses.map(({ status }) => status)).toEqual([...Array(8).fill(200), 429])
    const last = statuses.at(-1)
    expect(last?.body.detail).toMatch(/^At most 8 emulations of yours in an hour. Try again in \d+ s.$/)
    const waitS = Number(last?.headers.get('retry-after'))
    expect(waitS).toBeGreaterThan(300)
    expect(waitS).toBeLessThanOrEqual(450)
  })

  it('cannot take more with further accounts than all standard users may have', async () => {
    await removeAll()
    const responses = await Promise.all(Array.from({ length: 8 }, async () => spinUp(await signUp(), 20, 60)))
    expect(responses.filter(({ status }) => status === 200).length).toBe(2)
    expect(await stored()).toBe(40)
    const refused = responses.find(({ status }) => status === 429)
    expect(refused?.body.detail).toContain('standard users')
    // Others have their own share.
    expect((await spinUp(environment.adminToken, 100, 60)).status).toBe(200)
  })
})

it('all callers together cannot have more emulated agents than the installation may', async () => {
  await removeAll()
  expect((await spinUp(environment.adminToken, 1000, 60)).status).toBe(200)
  const { status, body } = await spinUp(environment.adminToken, 200, 60)
  expect([status, await stored()]).toEqual([429, 1000])
  expect(body.detail).toContain(`At most ${total} emulated agents in this installation`)
  const { body: metrics } = await call(environment.server.internalUrl, 'GET', '/metrics')
  expect(metrics).toMatch(/manc_limit_reached_total\{limit="MANC_EMULATED_AGENTS_TOTAL"\} [1-9]/)
})

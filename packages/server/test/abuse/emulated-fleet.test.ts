import { call, tokenOf, uniqueName } from '@manc/harness'
import { beforeEach, describe, expect } from 'vitest'
import { test as it, type MetricsEnvironment } from '../telemetry/environment.ts'

let environment: MetricsEnvironment
let mallory: string
let victim: string
/** Of Mallory's emulation. */
let emulated: string[]
let real: string

it.beforeAll(({ environment: own }) => {
  environment = own
})

const soon = { timeout: 60_000, interval: 100 }
const count = 20

async function signUp(): Promise<string> {
  const account = { username: `${uniqueName('user')}@manc.test`, password: 'user-password' }
  await call(environment.url, 'POST', '/api/v1/users/signup', { body: account })
  return tokenOf(environment.url, 'user', account.username, account.password)
}

const get = async (route: string, token: string) => {
  const { status, body } = await environment.request('GET', `/api/v1/fleet/${route}`, undefined, token)
  expect(status).toBe(200)
  return body
}

/** Waits until no change is reported again: open transactions of other databases in the cluster hold the horizon back. */
async function mark(token: string, query = 'emulated=own'): Promise<string> {
  let { next } = await get(`changes?${query}`, token)
  const reported = async () => {
    const changes = await get(`changes?${query}&after=${next}`, token)
    next = changes.next
    return changes.agents.length + changes.removed.length
  }
  await expect.poll(reported, soon).toBe(0)
  return next
}

const idsIn = (agents: { ap_id: string }[]) => agents.map(({ ap_id: apId }) => apId)

beforeEach(async () => {
  await environment.sql('delete from agents')
  await environment.sql('delete from emulations')
  ;[mallory, victim] = await Promise.all([signUp(), signUp()])
  real = uniqueName('real')
  const configuration = { technology: 'WiFi', geolocation: { latitude: 51.45, longitude: -2.58 } }
  await environment.request('POST', '/api/v1/agents/', { ap_id: real, password: 'p', configuration })
  const specs = {
    access_point_type: 'WiFi',
    num_access_points: count,
    locations: ['51.45,-2.58'],
    num_devices: 5,
    duration: 600,
  }
  const body = { emulators: [specs] }
  emulated = (await environment.request('POST', '/api/v1/emulator/spinup', body, mallory)).body.agents
  expect(emulated).toHaveLength(count)
})

describe('emulated agents of another user', () => {
  it('are neither counted nor listed for administrators and users, but their number is shown', async () => {
    for (const token of [environment.adminToken, victim]) {
      expect(await get('summary', token)).toMatchObject({ total: 1, hidden_emulated: count })
      expect(idsIn(await get('agents', token))).toEqual([real])
      expect(idsIn(await get('agents?bbox=-3,51,-2,52&limit=2', token))).toEqual([real])
      expect(await get('summary?emulated=all', token)).toMatchObject({ total: 1 + count, hidden_emulated: 0 })
      expect(idsIn(await get('agents?emulated=all', token))).toEqual([...emulated, real].toSorted())
    }
    expect(await get('summary', mallory)).toMatchObject({ total: 1 + count, hidden_emulated: 0 })
    expect(await get('summary?emulated=none', mallory)).toMatchObject({ total: 1, hidden_emulated: count })
    expect(await get('agents', mallory)).toHaveLength(1 + count)
  })

  it('are in all pages of a list that requests them', async () => {
    const route = '/api/v1/fleet/agents?emulated=all&limit=15'
    const { headers } = await environment.request('GET', route, undefined, victim)
    const next = /<([^>]+)>/.exec(headers.get('link') ?? '')?.[1] ?? ''
    expect((await environment.request('GET', next, undefined, victim)).body).toHaveLength(count + 1 - 15)
  })

  it('are no changes, neither when they appear nor when they are removed', async () => {
    const marks = {
      mine: await mark(mallory),
      victims: await mark(victim),
      all: await mark(victim, 'emulated=all'),
    }
    await environment.sql(`update fleet set since = since - interval '1 second'`)
    const changed = async (token: string, query: string) =>
      idsIn((await get(`changes?${query}`, token)).agents).toSorted()
    await expect.poll(() => changed(mallory, `after=${marks.mine}`), soon).toHaveLength(count + 1)
    expect(await changed(victim, `after=${marks.victims}`)).toEqual([real])
    expect(await changed(victim, `emulated=all&after=${marks.all}`)).toHaveLength(count + 1)
    await environment.sql('delete from agents')
    const removed = async (token: string, query: string) => (await get(`changes?${query}`, token)).removed
    await expect.poll(() => removed(mallory, `after=${marks.mine}`), soon).toHaveLength(count + 1)
    expect(await removed(victim, `after=${marks.victims}`)).toEqual([real])
    // A mark of another view is not continued.
    expect(await get(`changes?after=${marks.all}`, victim)).toMatchObject({ is_complete: false })
  })

  it('get no command that selects agents by technology or area, unless requested', async () => {
    const send = async (body: object) =>
      (await environment.request('POST', '/api/v1/commands', { command: 'reboot', ...body })).body.agents
    const area = { west: -3, south: 51, east: -2, north: 52 }
    expect(await send({ technology: 'WiFi' })).toBe(1)
    expect(await send({ area })).toBe(1)
    expect(await send({ area, emulated: 'all' })).toBe(1 + count)
    expect(await send({ agents: emulated.slice(0, 3) })).toBe(3)
    expect(await send({ agents: [...emulated, real], emulated: 'none' })).toBe(1)
  })

  it('do not change the figures of others', async () => {
    // With a clock ahead, which is allowed: all of them stay recent until they are read.
    for (const apId of [...emulated, real])
      await environment.store.write(apId, [
        { at: Date.now() + 50_000, metrics: { clients: 3, load_pct: 100 } },
      ])
    const agents = async (token: string, query = '') => (await get(`figures${query}`, token)).agents
    await expect.poll(() => agents(mallory), soon).toBe(1 + count)
    expect(await agents(victim, '?emulated=all')).toBe(1 + count)
    expect(await get('figures', victim)).toMatchObject({ agents: 1, clients: 3 })
    expect(await get('figures', environment.adminToken)).toMatchObject({ agents: 1, clients: 3 })
    expect(await agents(mallory, '?emulated=none')).toBe(1)
  }, 90_000)
})

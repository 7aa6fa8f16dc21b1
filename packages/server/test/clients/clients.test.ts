import type { AgentClientsMessage, Client, ClientDetails } from '@manc/contract'
import { type TestEnvironment, tokenOf, uniqueName } from '@manc/harness'
import { test } from '@manc/harness/fixture'
import { describe, expect } from 'vitest'
import { publish } from './publish.ts'

const it = test.override('variables', { MANC_AGENT_CLIENTS: '50' })
const soon = { timeout: 60_000, interval: 50 }

let environment: TestEnvironment

it.beforeAll(async ({ environment: own }) => {
  environment = own
})

async function register(technology = 'WiFi', more: object = {}): Promise<string> {
  const apId = uniqueName(technology.toLowerCase())
  const body = { ap_id: apId, password: 'p', configuration: { technology, ...more } }
  expect((await environment.request('POST', '/api/v1/agents/', body)).status).toBe(200)
  return apId
}

const report = (apId: string, message: AgentClientsMessage) => publish(environment, apId, 'clients', message)

let addresses = 0
/** A MAC address that no other test uses. */
function newAddress(): string {
  addresses += 1
  const random = uniqueName('')
    .replaceAll(/[^\da-f]/g, '')
    .slice(-4)
    .padStart(4, '0')
  return `02:${random.slice(0, 2)}:${random.slice(2)}:00:${(addresses >> 8).toString(16).padStart(2, '0')}:${(addresses & 255).toString(16).padStart(2, '0')}`
}

async function clientsOf(apId: string, token?: string): Promise<Client[]> {
  const { status, body } = await environment.request(
    'GET',
    `/api/v1/agents/${apId}/clients`,
    undefined,
    token,
  )
  expect(status).toBe(200)
  return body
}

/** Waits until one client is attached, and returns it. */
async function onlyClientOf(apId: string): Promise<Client> {
  await expect.poll(async () => (await clientsOf(apId)).length, soon).toBe(1)
  const [client] = await clientsOf(apId)
  if (!client) throw new Error('it has left again')
  return client
}

async function get(id: string, token?: string): Promise<ClientDetails> {
  const { status, body } = await environment.request('GET', `/api/v1/clients/${id}`, undefined, token)
  expect(status).toBe(200)
  return body
}

const list = async (query: string, token?: string): Promise<Client[]> =>
  (await environment.request('GET', `/api/v1/clients${query}`, undefined, token)).body

const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString()

describe('a client', () => {
  it('moves between access points: one attachment, a history, an event, and a pseudonym everywhere', async () => {
    const [from, to] = [await register('LiFi'), await register('WiFi')]
    const address = newAddress()
    await report(from, { snapshot: true, joined: [{ client: address, since: ago(60), snr_db: 21 }] })
    const first = await onlyClientOf(from)
    expect(first).toMatchObject({ technology: 'LiFi', snr_db: 21, signal_dbm: null, from_ap_id: null })
    expect(first.id).toMatch(/^c[\da-f]{20}$/)
    const upper = address.toUpperCase().replaceAll(':', '-')
    await report(to, { joined: [{ client: upper, since: ago(5), signal_dbm: -60, rate_mbps: 120 }] })
    await report(from, { left: [{ client: address, at: ago(5), reason: 'moved' }] })
    const second = await onlyClientOf(to)
    expect(second).toMatchObject({ id: first.id, from_ap_id: from, signal_dbm: -60, rate_mbps: 120 })
    await expect.poll(() => clientsOf(from), soon).toEqual([])
    const { history, next, measurement, ...current } = await get(first.id)
    expect([current, next, measurement]).toEqual([second, null, null])
    expect(history).toMatchObject([{ ap_id: from, technology: 'LiFi', ended: 'moved', snr_db: 21 }])
    const events = await environment.request('GET', `/api/v1/events?ap_id=${to}&kind=handover`)
    expect(events.body).toMatchObject([
      { subject: first.id, data: { from, from_technology: 'LiFi', technology: 'WiFi' } },
    ])
    const rows = await environment.sql('select clients::text as text from clients where id = $1', [first.id])
    expect(JSON.stringify([rows, events.body, second])).not.toContain(address)
  })

  it('has its last measurement, of which an app sees the access points that its permissions cover', async () => {
    const [apId, near, far] = [await register(), await register(), await register()]
    const address = newAddress()
    const measured = { throughput_mbps: 2.5, heard: { [near]: -61.5, [far]: -70 } }
    await report(apId, { snapshot: true, joined: [{ client: address, since: ago(60), ...measured }] })
    const { id } = await onlyClientOf(apId)
    expect((await get(id)).measurement).toEqual({ ...measured, at: expect.any(String) })
    expect((await list(`?ap_id=${apId}`))[0]).not.toHaveProperty('measurement')
    const withMeasurement = `?ap_id=${apId}&measurements=true`
    expect(await list(withMeasurement)).toMatchObject([{ id, measurement: measured }])
    const permissions = { scopes: ['clients:read'], agents: [apId, near] }
    const app = { app_name: uniqueName('app'), api_key: 'a-key', permissions }
    expect((await environment.request('POST', '/api/v1/third_party_apps/', app)).status).toBe(200)
    const token = await tokenOf(environment.url, 'third_party_app', app.app_name, app.api_key)
    expect((await list(withMeasurement, token))[0]?.measurement?.heard).toEqual({ [near]: -61.5 })
    // A change of the link without a measurement keeps it; a move ends it.
    await report(apId, { joined: [{ client: address, since: ago(60), signal_dbm: -50 }] })
    await expect.poll(async () => (await get(id)).signal_dbm, soon).toBe(-50)
    expect((await get(id)).measurement).toMatchObject(measured)
    await report(near, { joined: [{ client: address, since: ago(1) }] })
    await expect.poll(async () => (await get(id)).ap_id, soon).toBe(near)
    expect((await get(id)).measurement).toBeNull()
    // Its mean throughput goes on: after a move, a measurement counts as 20 of 300 s.
    await report(near, {
      snapshot: true,
      joined: [{ client: address, since: ago(2), throughput_mbps: 12.5 }],
    })
    const mean = async () => {
      const [row] = await environment.sql('select mean_throughput_mbps as mean from clients where id = $1', [
        id,
      ])
      return row?.mean
    }
    await expect.poll(mean, soon).toBeCloseTo(3.145, 2)
  })

  it('has one history and one event when its messages are delivered again', async () => {
    const [from, to] = [await register(), await register()]
    const [address, mark] = [newAddress(), newAddress()]
    const messages: [string, AgentClientsMessage][] = [
      [from, { joined: [{ client: address, since: ago(60) }] }],
      [to, { joined: [{ client: address, since: ago(30) }] }],
      [from, { left: [{ client: address, at: ago(30) }] }],
    ]
    for (const [apId, message] of [...messages, ...messages.toReversed(), ...messages])
      await report(apId, message)
    await report(from, { joined: [{ client: mark }] })
    await onlyClientOf(from)
    const { id } = await onlyClientOf(to)
    expect((await get(id)).history).toHaveLength(1)
    const events = await environment.request('GET', `/api/v1/events?ap_id=${to}&kind=roamed`)
    expect(events.body).toHaveLength(1)
  })

  it('that lost its connection is an event and no longer attached', async () => {
    const apId = await register()
    const address = newAddress()
    await report(apId, { joined: [{ client: address }] })
    const { id } = await onlyClientOf(apId)
    await report(apId, { left: [{ client: address, reason: 'dropped' }] })
    await expect.poll(() => clientsOf(apId), soon).toEqual([])
    expect(await get(id)).toMatchObject({ is_attached: false, ended: 'dropped', ap_id: apId })
    const events = await environment.request('GET', `/api/v1/events?ap_id=${apId}&kind=dropped`)
    expect(events.body).toMatchObject([{ subject: id, severity: 'warning' }])
  })

  it('is found again by the next snapshot when a change was lost', async () => {
    const apId = await register()
    const [stays, goes, comes] = [newAddress(), newAddress(), newAddress()]
    await report(apId, { joined: [stays, goes].map((client) => ({ client, since: ago(60) })) })
    await expect.poll(async () => (await clientsOf(apId)).length, soon).toBe(2)
    const before = (await clientsOf(apId)).map(({ id }) => id)
    await report(apId, {
      snapshot: true,
      joined: [stays, comes].map((client) => ({ client, since: ago(50) })),
    })
    await expect
      .poll(async () => (await clientsOf(apId)).filter(({ id }) => before.includes(id)).length, soon)
      .toBe(1)
    const ended = await Promise.all(before.map(async (id) => (await get(id)).ended))
    expect(ended.filter((reason) => reason !== null)).toEqual(['missing'])
    expect(await clientsOf(apId)).toHaveLength(2)
  })
})

describe('an access point', () => {
  const status = (apId: string, says: string) =>
    publish(environment, apId, 'status', { status: says, connected_at: new Date().toISOString() })

  it('that goes offline has no clients, and has them again with its next snapshot', async () => {
    const apId = await register()
    await status(apId, 'online')
    const message = { snapshot: true, joined: [{ client: newAddress(), since: ago(60) }] }
    await report(apId, message)
    const { id } = await onlyClientOf(apId)
    await status(apId, 'offline')
    await expect.poll(() => clientsOf(apId), soon).toEqual([])
    expect(await get(id)).toMatchObject({ is_attached: false, ended: 'offline' })
    await status(apId, 'online')
    await report(apId, message)
    expect(await onlyClientOf(apId)).toMatchObject({ id, from_ap_id: null })
  })

  it('that is removed has no clients', async () => {
    const apId = await register()
    await report(apId, { snapshot: true, joined: [{ client: newAddress() }] })
    const { id } = await onlyClientOf(apId)
    expect((await environment.request('DELETE', `/api/v1/agents/${apId}`)).status).toBe(200)
    await expect.poll(async () => (await get(id)).ended, soon).toBe('agent_removed')
    expect(await list(`?ap_id=${apId}`)).toEqual([])
  })

  it('has no more clients than the limit, and what it sends beyond is counted', async () => {
    const apId = await register()
    const joined = Array.from({ length: 60 }, () => ({ client: newAddress() }))
    await report(apId, { snapshot: true, joined })
    await expect.poll(async () => (await clientsOf(apId)).length, soon).toBe(50)
    const rejections = () => environment.request('GET', `/api/v1/agents/${apId}/rejections`)
    await expect
      .poll(async () => (await rejections()).body.rejected, soon)
      .toMatchObject([{ reason: 'clients beyond the limit', samples: 10 }])
  })

  it('with messages that are none changes nothing, and the others go on', async () => {
    const [apId, other] = [await register(), await register()]
    for (const text of ['', 'null', '{"joined":7}', '{"joined":[{"client":"a b"}]}', '\0', '[['.repeat(5000)])
      await publish(environment, apId, 'clients', text)
    await publish(environment, uniqueName('unknown'), 'clients', { joined: [{ client: 'x' }] })
    await report(other, { joined: [{ client: newAddress() }] })
    await onlyClientOf(other)
    expect(await clientsOf(apId)).toEqual([])
  })
})

describe('the list', () => {
  it('filters by access point, technology, place and id, in pages of both orders', async () => {
    const place = uniqueName('hall')
    const apId = await register('5G', { place })
    const joined = Array.from({ length: 7 }, (_, n) => ({ client: newAddress(), since: ago(100 - 10 * n) }))
    await report(apId, { snapshot: true, joined })
    await expect.poll(async () => (await clientsOf(apId)).length, soon).toBe(7)
    const all = await list(`?ap_id=${apId}`)
    expect(all.map(({ id }) => id)).toEqual(all.map(({ id }) => id).toSorted())
    expect(await list(`?place=${place}&technology=5G`)).toEqual(all)
    expect(await list(`?place=${place}&technology=WiFi`)).toEqual([])
    expect(await list(`?q=${all[0]?.id.slice(0, 12)}`)).toEqual([all[0]])
    expect(await list(`?ap_id=${apId}&state=detached`)).toEqual([])
    for (const sort of ['id', 'since'])
      expect(await pages(`/api/v1/clients?ap_id=${apId}&sort=${sort}&limit=3`)).toEqual(
        sort === 'id' ? all : all.toSorted((a, b) => (a.since < b.since ? 1 : -1)),
      )
    expect(await pages(`/api/v1/agents/${apId}/clients?limit=3`)).toEqual(all)
    const wrong = await environment.request('GET', '/api/v1/clients?sort=since&after=x')
    expect(wrong.status).toBe(422)
    const before = await environment.request('GET', `/api/v1/clients/${all[0]?.id}?before=x`)
    expect(before.status).toBe(422)
  })

  async function pages(path: string): Promise<Client[]> {
    const found: Client[] = []
    for (let next: string | undefined = path; next !== undefined; ) {
      const response = await environment.request('GET', next)
      expect(response.status).toBe(200)
      found.push(...response.body)
      next = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1]
    }
    return found
  }
})

describe('an app', () => {
  async function appToken(permissions: object): Promise<string> {
    const app = { app_name: uniqueName('app'), api_key: 'a-key', permissions }
    expect((await environment.request('POST', '/api/v1/third_party_apps/', app)).status).toBe(200)
    return tokenOf(environment.url, 'third_party_app', app.app_name, app.api_key)
  }

  it('sees clients of its agents only, with the scope only, and no other agents in their history', async () => {
    const [own, other] = [await register(), await register()]
    const address = newAddress()
    await report(other, { joined: [{ client: address, since: ago(60) }] })
    await report(own, { joined: [{ client: address, since: ago(30) }] })
    await report(other, { joined: [{ client: newAddress() }] })
    const { id } = await onlyClientOf(own)
    const foreign = await onlyClientOf(other)
    const token = await appToken({ scopes: ['clients:read', 'agents:read'], agents: [own] })
    expect(await list('', token)).toMatchObject([{ id, from_ap_id: null }])
    expect((await get(id, token)).history).toEqual([])
    expect((await get(id)).history).toHaveLength(1)
    const hidden = await environment.request('GET', `/api/v1/clients/${foreign.id}`, undefined, token)
    expect(hidden.status).toBe(404)
    const others = await environment.request('GET', `/api/v1/agents/${other}/clients`, undefined, token)
    expect(others.status).toBe(403)
    const without = await appToken({ scopes: ['agents:read'], agents: [own] })
    expect((await environment.request('GET', '/api/v1/clients', undefined, without)).status).toBe(403)
    const events = (as: string) =>
      environment.request('GET', `/api/v1/events?ap_id=${own}&kind=roamed`, undefined, as)
    expect([(await events(token)).body.length, (await events(without)).body.length]).toEqual([1, 0])
  })
})

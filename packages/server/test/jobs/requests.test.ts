import { envelopeProtocol, measurementOf } from '@manc/contract'
import { call, tokenOf } from '@manc/harness'
import { beforeAll, describe, expect, inject } from 'vitest'
import { test as it, type JobsEnvironment } from './environment.ts'

let environment: JobsEnvironment
const run = Date.now().toString(36)
const protocols = [envelopeProtocol]
const soon = { timeout: 30_000, interval: 20 }
const details = '/api/v1/agent_details/request_all_agents_details'

it.beforeAll(({ environment: own }) => {
  environment = own
})

const sql = async (text: string, values: unknown[] = []) => await environment.sql(text, values)

const history = (agent: string, from: string, to: string) =>
  `/api/v1/agent_data/request_agent_data?${new URLSearchParams({ agent_id: agent, start_time: from, end_time: to }).toString()}`

/** Reads a job to its end, acknowledging as it goes. */
async function resultOf(number: string, token = environment.adminToken): Promise<any[]> {
  const client = await environment.connect(number, { protocols, token, replica: 1 })
  client.socket.on('message', (data) => client.acknowledge(JSON.parse((data as Buffer).toString()).seq))
  const { code } = await client.closed
  expect(code).toBe(1000)
  const { messages } = client
  expect(messages.map(({ seq }) => seq)).toEqual(messages.map((_, n) => n + 1))
  expect(messages.at(-1).final).toBe(true)
  return messages.filter(({ type }) => type === 'result').flatMap(({ data }) => data)
}

async function register(apId: string, configuration: unknown = {}): Promise<void> {
  const body = { ap_id: apId, password: 'p', configuration }
  await environment.request('POST', '/api/v1/agents/', body)
}

describe('the details of all agents (22)', () => {
  it('are an empty list without agents', async () => {
    expect(await resultOf(await environment.requestJob(details))).toEqual([])
  })

  it('include onboard and online, limited to the agents that an app sees', async () => {
    await register('a-1', { mode: 'x', n: 1 })
    await register('b-1')
    await sql(`update fleet set state = 'online' where ap_id = 'a-1'`)
    const all = await resultOf(await environment.requestJob(details))
    expect(all).toEqual([
      {
        id: expect.any(String),
        ap_id: 'a-1',
        configuration: { mode: 'x', n: 1 },
        onboard: false,
        online: true,
      },
      { id: expect.any(String), ap_id: 'b-1', configuration: {}, onboard: false, online: false },
    ])
    const body = { app_name: 'some', api_key: 'key', permissions: { agents: ['b-*'] } }
    await environment.request('POST', '/api/v1/third_party_apps/', body)
    const app = await tokenOf(environment.url, 'third_party_app', 'some', 'key')
    const seen = await resultOf(await environment.requestJob(details, app), app)
    expect(seen.map(({ ap_id }) => ap_id)).toEqual(['b-1'])
  })

  it('are delivered in chunks, each agent once and in order', async () => {
    await sql(
      `insert into agents (id, ap_id, password_hash, configuration)
       select gen_random_uuid(), 'many-' || lpad(n::text, 5, '0'), 'x', json_build_object('note', repeat('x', 400))
       from generate_series(0, 4999) as n`,
    )
    const number = await environment.requestJob(details)
    const all = await resultOf(number)
    const many = all.map(({ ap_id }) => ap_id).filter((apId) => apId.startsWith('many-'))
    expect(many).toEqual(Array.from({ length: 5000 }, (_, n) => `many-${String(n).padStart(5, '0')}`))
    const { body } = await environment.request('GET', `/api/v1/jobs/${number}`)
    expect(body).toMatchObject({ kind: 'agent_details', state: 'succeeded', read_seq: body.last_seq })
    expect(body.last_seq).toBeGreaterThan(5)
    await sql(`delete from agents where ap_id like 'many-%'`)
  })

  it('requested again with the same key are the same job', async () => {
    const key = { 'idempotency-key': `key-${run}` }
    const [first, second] = await Promise.all([
      environment.requestJob(details, environment.adminToken, key),
      environment.requestJob(details, environment.adminToken, key),
    ])
    expect(second).toBe(first)
    const other = await environment.createUser('same-key@jobs.test')
    expect(await environment.requestJob(details, other, key)).not.toBe(first)
  })
})

describe('the data of an agent (23)', () => {
  const agent = `h-${run}`
  const start = Date.parse('2026-10-01T00:00:00Z')

  beforeAll(async () => {
    await register(agent)
    let lines = ''
    for (let n = 0; n < 3600; n++)
      lines += `${measurementOf(agent)},ap_id=${agent} clients=${n % 30},rssi_dbm=${-60 - n / 100} ${start + n * 1000}\n`
    const { victoria } = inject('engines')
    await fetch(`${victoria}/write?precision=ms`, { method: 'POST', body: lines })
    await fetch(`${victoria}/internal/force_flush`)
  })

  it('contains every point of a period, in the order of time', async () => {
    const data = await resultOf(
      await environment.requestJob(history(agent, '2026-10-01T00:10:00Z', '2026-10-01T00:19:59.999Z')),
    )
    expect(data).toHaveLength(1200)
    expect(data[0].time).toBe('2026-10-01T00:10:00.000Z')
    expect(data.map(({ time }) => time)).toEqual(
      data.map(({ time }) => time).toSorted((a, b) => (a < b ? -1 : 1)),
    )
    const clients = data.filter(({ field }) => field === 'clients')
    expect(clients.map(({ value }) => value)).toEqual(Array.from({ length: 600 }, (_, n) => (n + 600) % 30))
  })

  it('is delivered in chunks for a period longer than the retention', async () => {
    const number = await environment.requestJob(history(agent, '1990-01-01', '2100-01-01'))
    const data = await resultOf(number)
    expect(data).toHaveLength(7200)
    expect(new Set(data.map(({ time, field }) => time + field)).size).toBe(7200)
    const [{ last_seq }] = await sql('select last_seq from jobs where job_number = $1', [number])
    expect(Number(last_seq)).toBeGreaterThan(1)
  })

  it('is an empty list for a period without samples', async () => {
    const data = await resultOf(await environment.requestJob(history(agent, '2026-09-01', '2026-09-02')))
    expect(data).toEqual([])
  })

  it('is readable by the agent itself, from its registration on', async () => {
    const token = await tokenOf(environment.url, 'agent', agent, 'p')
    expect(
      await resultOf(await environment.requestJob(history(agent, '2026-10-01', '2026-10-02'), token), token),
    ).toEqual([])
    const other = await environment.request(
      'POST',
      history('a-1', '2026-10-01', '2026-10-02'),
      undefined,
      token,
    )
    expect(other.status).toBe(403)
  })

  it('is 404 for an unknown agent, and 422 for a period that ends before it begins', async () => {
    const ask = (path: string) => environment.request('POST', path)
    expect((await ask(history('missing-agent', '2026-10-01', '2026-10-02'))).status).toBe(404)
    const wrong = await ask(history(agent, '2026-10-02', '2026-10-01'))
    expect([wrong.status, wrong.body.detail[0].loc]).toEqual([422, ['query', 'end_time']])
  })
})

describe('a client that reconnects', () => {
  it('after the last message is closed with 1000', async () => {
    const number = await environment.requestJob(details)
    await resultOf(number)
    const { body } = await environment.request('GET', `/api/v1/jobs/${number}`)
    const again = await environment.connect(number, { protocols, query: `?after=${body.last_seq}` })
    expect(await again.closed).toMatchObject({ code: 1000 })
    expect(again.frames).toEqual([])
  })
})

describe('a job', () => {
  it('continues from its cursor when its lease has expired', async () => {
    const number = await environment.requestJob(details)
    await resultOf(number)
    // As if its worker had died after the first chunk.
    await sql(
      `update jobs set state = 'running', cursor = 'a-1', lease = gen_random_uuid(), work_after = now() - interval '2 s',
         ended_at = null where job_number = $1`,
      [number],
    )
    const client = await environment.connect(number, { protocols, query: '?after=1' })
    await expect.poll(() => client.messages.at(-1)?.final, soon).toBe(true)
    const apIds = client.messages.flatMap(({ data }) => data).map(({ ap_id }) => ap_id)
    expect(apIds[0]).toBe('b-1')
    expect(apIds).not.toContain('a-1')
  })

  it('fails after its time limit, and its client is notified', async () => {
    const number = await environment.requestJob(details)
    await resultOf(number)
    await sql(
      `update jobs set state = 'running', lease = null, ended_at = null, ends_by = now() - interval '1 s',
         work_after = now() - interval '2 s' where job_number = $1`,
      [number],
    )
    const client = await environment.connect(number, { protocols, query: '?after=1' })
    await expect
      .poll(() => client.messages, soon)
      .toMatchObject([{ type: 'state', final: true, data: { state: 'failed', detail: expect.any(String) } }])
  })

  it('is listed only for its owner, newest first', async () => {
    const owner = await environment.createUser('lister@jobs.test')
    const numbers: string[] = []
    for (let n = 0; n < 3; n++) numbers.push(await environment.requestJob(details, owner))
    const get = (path: string, token: string) => call(environment.urlOf(1), 'GET', path, { token })
    const { body, headers } = await get('/api/v1/jobs?limit=2', owner)
    expect(body.map(({ job_number }: { job_number: string }) => job_number)).toEqual([numbers[2], numbers[1]])
    const next = /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1] ?? ''
    expect((await get(next, owner)).body.map(({ job_number }: { job_number: string }) => job_number)).toEqual(
      [numbers[0]],
    )
    expect((await get(`/api/v1/jobs/${numbers[0]}`, environment.adminToken)).status).toBe(404)
  })

  it('can be listed by kind and state, page by page', async () => {
    const owner = await environment.createUser('finder@jobs.test')
    const mailboxes = ['finder-1', 'finder-2', 'finder-3']
    await environment.requestJob(details, owner)
    // A number that is not in use becomes a mailbox of the client that connects.
    for (const number of mailboxes) await environment.connect(number, { token: owner })
    const over = await environment.requestJob(details, owner)
    const found = async (query: string) => {
      const { body, headers } = await call(environment.urlOf(1), 'GET', `/api/v1/jobs?${query}`, {
        token: owner,
      })
      const next = /\?([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1]
      return { numbers: body.map(({ job_number }: { job_number: string }) => job_number), next }
    }
    const first = await found('kind=mailbox&kind=send_command&limit=2')
    expect(first.numbers).toEqual(['finder-3', 'finder-2'])
    expect((await found(first.next ?? '')).numbers).toEqual(['finder-1'])
    await expect.poll(async () => (await found('state=succeeded&limit=1')).numbers, soon).toEqual([over])
    expect((await found('state=succeeded&kind=mailbox')).numbers).toEqual([])
    expect((await found('kind=mailbox&state=open')).numbers).toHaveLength(3)
  })
})

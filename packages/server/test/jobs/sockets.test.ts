import { randomUUID } from 'node:crypto'
import { bearerProtocol, envelopeProtocol, socketProtocols } from '@manc/contract'
import { describe, expect } from 'vitest'
import { test as it, type JobsEnvironment } from './environment.ts'

let environment: JobsEnvironment
let count = 0
const newNumber = () => `job-${++count}`

it.beforeAll(({ environment: own }) => {
  environment = own
})

const soon = { timeout: 30_000, interval: 20 }

/** The socket is open before the job knows its reader. */
async function isAttached(number: string): Promise<void> {
  const readers = () =>
    environment.sql('select 1 from jobs where job_number = $1 and read_by is not null', [number])
  await expect.poll(readers, soon).toHaveLength(1)
}

describe('a result', () => {
  it('is stored until a client connects, and delivered exactly as it was posted', async () => {
    const number = newNumber()
    const text = '[{"a": 1.0, "b":"\\u00e9"},  {}]'
    const { body } = await environment.postResult(number, text)
    expect(body).toMatchObject({ status: 'success', job_number: number, delivered: false })
    const client = await environment.connect(number)
    await expect.poll(() => client.frames, soon).toEqual([text])
    client.socket.close()
    const again = await environment.connect(number)
    await environment.postResult(number, [{ second: true }])
    await expect.poll(() => again.messages, soon).toEqual([[{ second: true }]])
  })

  it.each([
    ['the same replica', 0],
    ['another replica', 1],
  ] as const)('is delivered immediately to a socket on %s', async (_where, replica) => {
    const number = newNumber()
    await environment.postResult(number, [])
    const client = await environment.connect(number, { replica })
    await expect.poll(() => client.messages, soon).toEqual([[]])
    const { body } = await environment.postResult(number, [{ n: 1 }])
    expect(body.delivered).toBe(true)
    await expect.poll(() => client.messages, soon).toEqual([[], [{ n: 1 }]])
  })

  it('waits with others, in order, while no client is connected', async () => {
    const number = newNumber()
    for (let n = 0; n < 20; n++)
      await environment.postResult(number, [{ n }], { replica: n % 2 === 0 ? 0 : 1 })
    const client = await environment.connect(number, { replica: 1 })
    const expected = Array.from({ length: 20 }, (_, n) => [{ n }])
    await expect.poll(() => client.messages, soon).toEqual(expected)
  })

  it('is delivered once when it is posted concurrently', async () => {
    for (let round = 0; round < 20; round++) {
      const number = randomUUID()
      await environment.postResult(number, [{ first: true }])
      const posts = [0, 1, 0, 1].map((replica) =>
        environment.postResult(number, [{ second: true }], {
          key: `${number} once`,
          replica: replica as 0 | 1,
        }),
      )
      for (const { status } of await Promise.all(posts)) expect(status).toBe(200)
      const { body } = await environment.request('GET', `/api/v1/jobs/${number}`)
      expect(body.last_seq).toBe(2)
    }
  })

  it('is delivered once when it is posted repeatedly with the same key', async () => {
    const number = newNumber()
    for (let n = 0; n < 3; n++)
      expect((await environment.postResult(number, [{ n }], { key: 'k' })).status).toBe(200)
    const client = await environment.connect(number)
    await expect.poll(() => client.messages, soon).toEqual([[{ n: 0 }]])
    await environment.postResult(number, [{ n: 3 }], { key: 'k' })
    await environment.postResult(number, [{ n: 4 }], { key: 'other' })
    await expect.poll(() => client.messages, soon).toEqual([[{ n: 0 }], [{ n: 4 }]])
  })

  it.each([
    '/api/v1/callback/agent_data/ws',
    '/api/v1/callback/agent_details/ws',
    '/api/v1/callback/emulator/ws',
  ])('is delivered on %s as well', async (path) => {
    const number = newNumber()
    await environment.postResult(number, [{ here: true }])
    const client = await environment.connect(number, { path })
    await expect.poll(() => client.messages, soon).toEqual([[{ here: true }]])
  })
})

describe('with envelopes', () => {
  const protocols = [envelopeProtocol]

  it('gets numbered messages, acknowledges them, and resumes after the last one', async () => {
    const number = newNumber()
    for (let n = 1; n <= 3; n++) await environment.postResult(number, [{ n }])
    const client = await environment.connect(number, { protocols })
    expect(client.socket.protocol).toBe('manc.v1')
    const envelope = (seq: number) => ({
      type: 'result',
      job_number: number,
      seq,
      final: false,
      data: [{ n: seq }],
    })
    await expect.poll(() => client.messages, soon).toEqual([1, 2, 3].map(envelope))
    client.acknowledge(1)
    client.socket.terminate()
    // What was sent and not acknowledged comes again, unless the client says that it has it.
    const again = await environment.connect(number, { protocols, replica: 1 })
    await expect.poll(() => again.messages.map(({ seq }) => seq), soon).toContain(3)
    expect(again.messages.map(({ seq }) => seq).filter((seq) => seq > 1)).toEqual([2, 3])
    again.socket.terminate()
    const resumed = await environment.connect(number, { protocols, query: '?after=2' })
    await expect.poll(() => resumed.messages, soon).toEqual([envelope(3)])
  })

  it('is disconnected when it sends anything but an acknowledgement', async () => {
    const number = newNumber()
    await environment.postResult(number, [])
    const client = await environment.connect(number, { protocols })
    client.socket.send('hello')
    expect(await client.closed).toMatchObject({ code: 4400 })
  })
})

describe('a socket', () => {
  it.each([0, 1] as const)('is replaced by a newer client of its job on replica %d', async (replica) => {
    const number = newNumber()
    await environment.postResult(number, [])
    const older = await environment.connect(number)
    await isAttached(number)
    const newer = await environment.connect(number, { replica })
    expect(await older.closed).toMatchObject({ code: 4001 })
    await environment.postResult(number, [{ to: 'the newer' }])
    await expect.poll(() => newer.messages.at(-1), soon).toEqual([{ to: 'the newer' }])
  })

  it('is rejected before the upgrade for missing and wrong tokens, foreign and unknown jobs', async () => {
    const number = newNumber()
    await environment.postResult(number, [])
    const other = await environment.createUser('other@jobs.test')
    const refused = (options: object) => environment.startConnecting(number, options).refused
    expect(await refused({ token: '' })).toBe(401)
    expect(await refused({ token: 'no.token.atall' })).toBe(401)
    expect(await refused({ token: other })).toBe(404)
    expect(await environment.startConnecting('unknown-job', { protocols: [envelopeProtocol] }).refused).toBe(
      404,
    )
    expect(await refused({ query: '?after=x' })).toBe(422)
    expect(await refused({ origin: 'https://evil.example' })).toBe(403)
  })

  it.each([
    ['has ended', '', 1000],
    ['has failed', `, ends_by = now() - interval '1 s'`, 1011],
  ])(
    'without envelopes is closed when its job %s and everything is delivered',
    async (_case, change, code) => {
      const details = '/api/v1/agent_details/request_all_agents_details'
      const number = await environment.requestJob(details)
      const first = await environment.connect(number)
      expect(await first.closed).toMatchObject({ code: 1000 })
      expect(first.messages).toHaveLength(1)
      if (code === 1011)
        await environment.sql(
          `update jobs set state = 'running', lease = null, ended_at = null, work_after = now() ${change} where job_number = $1`,
          [number],
        )
      const again = await environment.connect(number)
      expect(await again.closed).toMatchObject({ code })
      // Also for a client that connects after the end.
      const late = await environment.connect(number)
      expect(await late.closed).toMatchObject({ code })
      expect(late.frames).toEqual([])
    },
  )

  it('accepts the token as a subprotocol, as browsers send it', async () => {
    const number = newNumber()
    await environment.postResult(number, [{ a: 1 }])
    const raw = await environment.connect(number, { protocols: [bearerProtocol, environment.adminToken] })
    expect(raw.socket.protocol).toBe('bearer')
    await expect.poll(() => raw.messages, soon).toEqual([[{ a: 1 }]])
    const enveloped = await environment.connect(number, {
      protocols: socketProtocols(environment.adminToken),
    })
    expect(enveloped.socket.protocol).toBe('manc.v1')
    expect(
      await environment.startConnecting(number, { protocols: [bearerProtocol, 'no.token.atall'] }).refused,
    ).toBe(401)
  })

  it('is closed when its token is revoked', async () => {
    const leaver = await environment.createUser('leaver@jobs.test')
    const number = newNumber()
    const client = await environment.connect(number, { token: leaver })
    await environment.request('DELETE', '/api/v1/users/leaver@jobs.test')
    expect(await client.closed).toMatchObject({ code: 4003 })
  })
})

describe('a callback', () => {
  it('reaches a client that connected before the number was used, through any replica', async () => {
    const owner = await environment.createUser('owner@jobs.test')
    const stranger = await environment.createUser('stranger@jobs.test')
    for (const replica of [0, 1] as const) {
      const number = newNumber()
      const client = await environment.connect(number, { token: owner, replica })
      await isAttached(number)
      expect((await environment.postResult(number, [{ forged: true }], { token: stranger })).status).toBe(403)
      expect(await environment.startConnecting(number, { token: stranger }).refused).toBe(404)
      expect((await environment.postResult(number, [{ from: 'admin' }])).body.delivered).toBe(true)
      await expect.poll(() => client.messages, soon).toEqual([[{ from: 'admin' }]])
    }
  })

  it.each(['agent_details', 'emulator'])('to %s with an empty list is delivered', async (kind) => {
    const number = newNumber()
    const client = await environment.connect(number)
    await isAttached(number)
    expect((await environment.postResult(number, [], { kind })).body.delivered).toBe(true)
    await expect.poll(() => client.messages, soon).toEqual([[]])
  })

  it('beyond the size of a mailbox is 429 until the client has read', async () => {
    const number = newNumber()
    const large = JSON.stringify([{ text: 'x'.repeat(5_000_000) }])
    const token = await environment.posterToken()
    const post = () => environment.postResult(number, large, { token })
    expect((await post()).status).toBe(200)
    const full = await post()
    expect([full.status, full.headers.get('retry-after')]).toEqual([429, '1'])
    const client = await environment.connect(number)
    await expect.poll(() => client.frames.length, soon).toBe(1)
    await expect.poll(async () => (await post()).status, soon).toBe(200)
    await expect.poll(() => client.frames.length, soon).toBe(2)
  })
})

import { randomUUID } from 'node:crypto'
import { bearerProtocol, envelopeProtocol, socketProtocols } from '@manc/contract'
import { call } from '@manc/harness'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { JobScene } from './scene.ts'

let scene: JobScene
let count = 0
const newNumber = () => `job-${++count}`

beforeAll(async () => {
  scene = await JobScene.open()
})
afterAll(() => scene?.close())

const soon = { timeout: 5000, interval: 20 }

describe('a result', () => {
  it('that comes before the socket is kept, and delivered exactly as it was posted', async () => {
    const number = newNumber()
    const text = '[{"a": 1.0, "b":"\\u00e9"},  {}]'
    const { body } = await scene.post(number, text)
    expect(body).toMatchObject({ status: 'success', job_number: number, delivered: false })
    const client = await scene.connect(number)
    await expect.poll(() => client.frames, soon).toEqual([text])
    client.socket.close()
    const again = await scene.connect(number)
    await scene.post(number, [{ second: true }])
    await expect.poll(() => again.messages, soon).toEqual([[{ second: true }]])
  })

  it.each([
    ['the same replica', 0],
    ['another replica', 1],
  ] as const)('that comes to a socket on %s is sent at once', async (_where, replica) => {
    const number = newNumber()
    await scene.post(number, [])
    const client = await scene.connect(number, { replica })
    await expect.poll(() => client.messages, soon).toEqual([[]])
    const { body } = await scene.post(number, [{ n: 1 }])
    expect(body.delivered).toBe(true)
    await expect.poll(() => client.messages, soon).toEqual([[], [{ n: 1 }]])
  })

  it('waits with others, in order, while nobody is connected', async () => {
    const number = newNumber()
    for (let n = 0; n < 20; n++) await scene.post(number, [{ n }], { replica: n % 2 === 0 ? 0 : 1 })
    const client = await scene.connect(number, { replica: 1 })
    const expected = Array.from({ length: 20 }, (_, n) => [{ n }])
    await expect.poll(() => client.messages, soon).toEqual(expected)
  })

  it('is delivered once, also when it is posted several times at once', async () => {
    for (let round = 0; round < 20; round++) {
      const number = randomUUID()
      await scene.post(number, [{ first: true }])
      const posts = [0, 1, 0, 1].map((replica) =>
        scene.post(number, [{ second: true }], { key: `${number} once`, replica: replica as 0 | 1 }),
      )
      for (const { status } of await Promise.all(posts)) expect(status).toBe(200)
      const { body } = await call(scene.replicas[0].url, 'GET', `/api/v1/jobs/${number}`, {
        token: scene.adminToken,
      })
      expect(body.last_seq).toBe(2)
    }
  })

  it('is delivered once, however often it is posted with the same key', async () => {
    const number = newNumber()
    for (let n = 0; n < 3; n++) expect((await scene.post(number, [{ n }], { key: 'k' })).status).toBe(200)
    const client = await scene.connect(number)
    await expect.poll(() => client.messages, soon).toEqual([[{ n: 0 }]])
    await scene.post(number, [{ n: 3 }], { key: 'k' })
    await scene.post(number, [{ n: 4 }], { key: 'other' })
    await expect.poll(() => client.messages, soon).toEqual([[{ n: 0 }], [{ n: 4 }]])
  })

  it.each([
    '/api/v1/callback/agent_data/ws',
    '/api/v1/callback/agent_details/ws',
    '/api/v1/callback/emulator/ws',
  ])('comes through %s as well', async (path) => {
    const number = newNumber()
    await scene.post(number, [{ here: true }])
    const client = await scene.connect(number, { path })
    await expect.poll(() => client.messages, soon).toEqual([[{ here: true }]])
  })
})

describe('with envelopes', () => {
  const protocols = [envelopeProtocol]

  it('messages are numbered, acknowledged, and resumed after the last one', async () => {
    const number = newNumber()
    for (let n = 1; n <= 3; n++) await scene.post(number, [{ n }])
    const client = await scene.connect(number, { protocols })
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
    const again = await scene.connect(number, { protocols, replica: 1 })
    await expect.poll(() => again.messages.map(({ seq }) => seq), soon).toContain(3)
    expect(again.messages.map(({ seq }) => seq).filter((seq) => seq > 1)).toEqual([2, 3])
    again.socket.terminate()
    const resumed = await scene.connect(number, { protocols, query: '?after=2' })
    await expect.poll(() => resumed.messages, soon).toEqual([envelope(3)])
  })

  it('anything but an acknowledgement closes the socket', async () => {
    const number = newNumber()
    await scene.post(number, [])
    const client = await scene.connect(number, { protocols })
    client.socket.send('hello')
    expect(await client.closed).toMatchObject({ code: 4400 })
  })
})

describe('a socket', () => {
  it.each([0, 1] as const)('gives way to a newer client of its job on replica %d', async (replica) => {
    const number = newNumber()
    await scene.post(number, [])
    const older = await scene.connect(number)
    const newer = await scene.connect(number, { replica })
    expect(await older.closed).toMatchObject({ code: 4001 })
    await scene.post(number, [{ to: 'the newer' }])
    await expect.poll(() => newer.messages.at(-1), soon).toEqual([{ to: 'the newer' }])
  })

  it('is refused before the upgrade: strangers, wrong tokens, others’ jobs, unknown ones', async () => {
    const number = newNumber()
    await scene.post(number, [])
    const other = await scene.user('other@jobs.test')
    const refused = (options: object) => scene.dial(number, options).refused
    expect(await refused({ token: '' })).toBe(401)
    expect(await refused({ token: 'no.token.atall' })).toBe(401)
    expect(await refused({ token: other })).toBe(404)
    expect(await scene.dial('nobody-has-it').refused).toBe(404)
    expect(await refused({ query: '?after=x' })).toBe(422)
    expect(await refused({ origin: 'https://evil.example' })).toBe(403)
  })

  it('takes the token as a subprotocol, as browsers have to send it', async () => {
    const number = newNumber()
    await scene.post(number, [{ a: 1 }])
    const raw = await scene.connect(number, { protocols: [bearerProtocol, scene.adminToken] })
    expect(raw.socket.protocol).toBe('bearer')
    await expect.poll(() => raw.messages, soon).toEqual([[{ a: 1 }]])
    const enveloped = await scene.connect(number, { protocols: socketProtocols(scene.adminToken) })
    expect(enveloped.socket.protocol).toBe('manc.v1')
    expect(await scene.dial(number, { protocols: [bearerProtocol, 'no.token.atall'] }).refused).toBe(401)
  })

  it('is closed when its token ends', async () => {
    const leaver = await scene.user('leaver@jobs.test')
    const number = newNumber()
    await scene.post(number, [], { token: leaver })
    const client = await scene.connect(number, { token: leaver })
    const { replicas, adminToken } = scene
    await fetch(`${replicas[0].url}/api/v1/users/leaver@jobs.test`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${adminToken}` },
    })
    expect(await client.closed).toMatchObject({ code: 4003 })
  }, 40_000)
})

describe('a callback', () => {
  it('to another’s job is not found, but for those who may post to any', async () => {
    const number = newNumber()
    const owner = await scene.user('owner@jobs.test')
    const stranger = await scene.user('stranger@jobs.test')
    expect((await scene.post(number, [], { token: owner })).status).toBe(200)
    expect((await scene.post(number, [{ forged: true }], { token: stranger })).status).toBe(404)
    expect((await scene.post(number, [{ from: 'admin' }])).status).toBe(200)
    const client = await scene.connect(number, { token: owner })
    await expect.poll(() => client.messages, soon).toEqual([[], [{ from: 'admin' }]])
  })

  it('beyond what a mailbox holds is told to wait, until the client has read', async () => {
    const number = newNumber()
    const large = JSON.stringify([{ text: 'x'.repeat(5_000_000) }])
    expect((await scene.post(number, large)).status).toBe(200)
    const full = await scene.post(number, large)
    expect([full.status, full.headers.get('retry-after')]).toEqual([429, '1'])
    const client = await scene.connect(number)
    await expect.poll(() => client.frames.length, soon).toBe(1)
    await expect.poll(async () => (await scene.post(number, large)).status, soon).toBe(200)
    await expect.poll(() => client.frames.length, soon).toBe(2)
  })
})

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { envelopeProtocol } from '@manc/contract'
import { afterAll, expect } from 'vitest'
import { test as it, JobsEnvironment } from './environment.ts'

let environment: JobsEnvironment
let idleTimeout: JobsEnvironment

it.beforeAll(async ({ environment: own }) => {
  environment = own
  idleTimeout = await JobsEnvironment.open({ MANC_SOCKET_IDLE_SECONDS: '5' })
})
afterAll(() => idleTimeout?.drop())

it('a socket without messages is closed with 4010 after the idle timeout', async () => {
  const number = randomUUID()
  await idleTimeout.postResult(number, [{}])
  const client = await idleTimeout.connect(number)
  // Every socket is looked at once in twenty seconds.
  expect(await client.closed).toMatchObject({ code: 4010 })
}, 40_000)

it('a client that does not read is disconnected after 30 s without loss, and others are served meanwhile', async () => {
  const [slow, quick] = [randomUUID(), randomUUID()]
  const large = [{ text: 'x'.repeat(6 * 1024 * 1024) }]
  const client = await environment.connect(await opened(slow), { protocols: [envelopeProtocol] })
  const other = await environment.connect(await opened(quick))
  client.socket.pause()
  await environment.postResult(slow, large, { token: await environment.posterToken() })
  const startedAt = Date.now()
  await environment.postResult(quick, [{ n: 2 }])
  await expect.poll(() => other.messages.at(-1), { timeout: 2000 }).toEqual([{ n: 2 }])
  // The client gets the reason when it reads again.
  setTimeout(() => client.socket.resume(), 33_000)
  expect((await client.closed).code).toBe(4008)
  expect(Date.now() - startedAt).toBeGreaterThan(29_000)
  const again = await environment.connect(slow, { protocols: [envelopeProtocol], query: '?after=1' })
  await expect
    .poll(() => again.messages.map(({ seq, data }) => [seq, data[0].text.length]), { timeout: 10_000 })
    .toEqual([[2, 6 * 1024 * 1024]])
}, 90_000)

it('a long result waits for its client without using up attempts', async () => {
  const small = await JobsEnvironment.open({ MANC_MAILBOX_BYTES: '300000' })
  try {
    const sql = (text: string) => small.sql(text)
    await sql(`insert into agents (id, ap_id, password_hash, configuration)
      select gen_random_uuid(), 'w-' || n, 'x', json_build_object('note', repeat('x', 400)) from generate_series(1, 3000) as n`)
    const number = await small.requestJob('/api/v1/agent_details/request_all_agents_details')
    await sleep(12_000)
    const [job] = await sql(`select attempts, state from jobs`)
    expect(job.attempts).toBeLessThan(3)
    const client = await small.connect(number, { protocols: [envelopeProtocol] })
    client.socket.on('message', (data) => client.acknowledge(JSON.parse((data as Buffer).toString()).seq))
    expect(await client.closed).toMatchObject({ code: 1000 })
    expect(client.messages.flatMap(({ data }) => data)).toHaveLength(3000)
  } finally {
    await small.drop()
  }
}, 60_000)

async function opened(number: string): Promise<string> {
  await environment.postResult(number, [{}])
  return number
}

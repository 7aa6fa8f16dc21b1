import { randomUUID } from 'node:crypto'
import { envelopeProtocol } from '@manc/contract'
import { expect } from 'vitest'
import { test as base, type JobsEnvironment } from '../jobs/environment.ts'

const [sockets, live, frames] = [4, 2, 10]
const it = base.override('variables', {
  MANC_USER_SOCKETS: String(sockets),
  MANC_USER_LIVE_SUBSCRIPTIONS: String(live),
  MANC_SOCKET_FRAMES_PER_SECOND: String(frames),
})
const soon = { timeout: 40_000, interval: 20 }
const details = '/api/v1/agent_details/request_all_agents_details'

let environment: JobsEnvironment
it.beforeAll(async ({ environment: own }) => {
  environment = own
  await environment.request('POST', '/api/v1/agents/', { ap_id: 'watched', password: 'p', configuration: {} })
})

it('a caller cannot open sockets without end, and can again after closing one', async () => {
  const token = await environment.createUser('opener@sockets.test')
  const numbers: string[] = []
  for (let n = 0; n <= sockets; n++) numbers.push(randomUUID())
  const open = []
  for (const number of numbers.slice(1)) open.push(await environment.connect(number, { token }))
  const connect = () => environment.startConnecting(numbers[0] ?? '', { token })
  expect(await connect().refused).toBe(429)
  // Another caller is not affected.
  await environment.connect(randomUUID(), { token: await environment.createUser('other@sockets.test') })
  open[0]?.socket.close()
  await open[0]?.closed
  await expect
    .poll(() => environment.connect(numbers[0] ?? '', { token }).then(() => 'open', String), soon)
    .toBe('open')
})

it('a caller cannot have live subscriptions without end', async () => {
  const token = await environment.createUser('watcher@sockets.test')
  const subscribe = () => environment.requestJob('/api/v1/agent_data/subscribe?agent_id=watched', token)
  for (let n = 0; n < live; n++) await environment.connect(await subscribe(), { token })
  expect(await environment.startConnecting(await subscribe(), { token }).refused).toBe(429)
  // Results of jobs can still be read.
  await environment.connect(await environment.requestJob(details, token), { token })
})

it.for([
  ['with envelopes', [envelopeProtocol]],
  ['without envelopes', []],
] as const)('a client %s that floods the server with frames is disconnected', async ([, protocols]) => {
  const number = randomUUID()
  await environment.postResult(number, [{}])
  const client = await environment.connect(number, { protocols: [...protocols] })
  for (let n = 0; n < 20 * frames; n++) client.acknowledge(1)
  expect(await client.closed).toMatchObject({ code: 4029 })
})

it('a client that floods the server with pings is disconnected', async () => {
  const client = await environment.connect(randomUUID())
  for (let n = 0; n < 20 * frames; n++) client.socket.ping()
  expect(await client.closed).toMatchObject({ code: 4029 })
})

it('a client that acknowledges each of many messages stays connected', async () => {
  const number = randomUUID()
  const count = 20 * frames
  for (let n = 0; n < count; n += 1) await environment.postResult(number, [{ n }])
  const client = await environment.connect(number, { protocols: [envelopeProtocol] })
  client.socket.on('message', (data) => client.acknowledge(JSON.parse((data as Buffer).toString()).seq))
  await expect
    .poll(async () => (await environment.request('GET', `/api/v1/jobs/${number}`)).body.read_seq, soon)
    .toBe(count)
  expect(client.socket.readyState).toBe(client.socket.OPEN)
}, 60_000)

it('a frame that is larger than an acknowledgement is refused', async () => {
  const number = randomUUID()
  await environment.postResult(number, [{}])
  const client = await environment.connect(number, { protocols: [envelopeProtocol] })
  client.socket.send('x'.repeat(5000))
  expect(await client.closed).toMatchObject({ code: 1009 })
})

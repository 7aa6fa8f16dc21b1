import { type AddressInfo, createServer } from 'node:net'
import { agentTopic, exchanges } from '@manc/contract'
import {
  admin,
  call,
  closedPort,
  type IsolatedEnvironment,
  type ReceivedSpan,
  type ServerProcess,
  startServerProcess,
  startTraceReceiver,
  type TraceReceiver,
  tokenOf,
  uniqueName,
  type Variables,
} from '@manc/harness'
import { testWithEngines } from '@manc/harness/fixture'
import amqp from 'amqplib'
import { afterAll, describe, expect } from 'vitest'
import { connectDevice } from '../mqtt/device.ts'

const it = testWithEngines.override('withServer', false)
const soon = { timeout: 60_000, interval: 100 }
const details = '/api/v1/agent_details/request_all_agents_details'

let environment: IsolatedEnvironment
let receiver: TraceReceiver
let api: ServerProcess
let worker: ServerProcess
let token: string

/** Of both processes: either may be the last one that exports. */
const exporting = () => ({
  MANC_TRACES_URL: receiver.url,
  MANC_TRACES_HEADERS: 'authorization=Bearer of-the-receiver,x-tenant=manc',
})

const startApi = (more: Variables = {}) =>
  startServerProcess(
    {
      ...environment.variables,
      MANC_LOG_LEVEL: 'debug',
      ...exporting(),
      MANC_TRACES_RATIO: '1',
      ...more,
    },
    ['--role', 'api'],
  )

const startWorker = (more: Variables = {}) =>
  startServerProcess(
    {
      ...environment.variables,
      MANC_INTERNAL_PORT: '0',
      MANC_API_URL: api.url,
      ...exporting(),
      // What a subscriber traces is decided by the process that received the request.
      MANC_TRACES_RATIO: '0',
      ...more,
    },
    ['--role', 'subscriber,ingester'],
  )

it.beforeAll(async ({ environment: own }) => {
  environment = own
  receiver = await startTraceReceiver()
  api = await startApi()
  worker = await startWorker()
  token = await tokenOf(api.url, 'user', admin.username, admin.password)
}, 240_000)

afterAll(async () => {
  await worker?.stop()
  await api?.stop()
  await receiver?.stop()
})

const spansOfTrace = (traceId: string) => receiver.spans().filter((span) => span.traceId === traceId)

/** The trace that this job was created in, once it has a span with each of the names. */
async function traceOfJob(jobNumber: string, names: readonly string[]): Promise<ReceivedSpan[]> {
  const find = () => {
    const created = receiver
      .spans()
      .find(
        ({ name, attributes }) => name.startsWith('create ') && attributes['manc.job.number'] === jobNumber,
      )
    return created ? spansOfTrace(created.traceId) : []
  }
  await expect.poll(() => find().map(({ name }) => name), soon).toEqual(expect.arrayContaining([...names]))
  return find()
}

function named(spans: readonly ReceivedSpan[], name: string): ReceivedSpan {
  const found = spans.find((span) => span.name === name)
  if (!found) throw new Error(`no span is named ${name}`)
  return found
}

const requestDetails = async (headers: Record<string, string> = {}): Promise<string> =>
  (await call(api.url, 'POST', details, { token, headers })).body.job_number

const logged = (server: ServerProcess): Record<string, unknown>[] =>
  server
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line))

async function register(): Promise<string> {
  const apId = uniqueName('traced')
  const body = { ap_id: apId, password: 'p', configuration: {} }
  expect((await call(api.url, 'POST', '/api/v1/agents/', { token, body })).status).toBe(200)
  return apId
}

const callbackSpans = [
  'requestAllAgentsDetails',
  'create agent_details',
  'process agent_details',
  'POST /api/v1/callback/agent_details',
  'postAgentDetails',
] as const

describe('a trace', () => {
  it('follows a job from the request through the queue to the callback, in two processes', async () => {
    const broker = await amqp.connect(environment.rabbitmqUrl)
    const channel = await broker.createChannel()
    const { queue } = await channel.assertQueue('', { exclusive: true })
    await channel.bindQueue(queue, exchanges.jobs, 'agent_details')
    const spans = await traceOfJob(await requestDetails(), callbackSpans)
    expect(spans).toHaveLength(callbackSpans.length)
    const chain = callbackSpans.map((name) => named(spans, name))
    expect(chain.map(({ kind }) => kind)).toEqual(['server', 'producer', 'consumer', 'client', 'server'])
    expect(chain.map(({ parentId }) => parentId)).toEqual([
      '',
      ...chain.slice(0, -1).map(({ spanId }) => spanId),
    ])
    expect(chain.map(({ process }) => process['manc.roles'])).toEqual([
      'api',
      'api',
      'subscriber,ingester',
      'subscriber,ingester',
      'api',
    ])
    expect(chain[0]?.attributes).toMatchObject({
      'http.request.method': 'POST',
      'http.route': details,
      'http.response.status_code': 200,
      'manc.caller.kind': 'user',
    })
    expect(chain[3]?.attributes).toMatchObject({
      'server.port': Number(new URL(api.url).port),
      'http.response.status_code': 200,
    })
    expect(chain.every(({ hasFailed }) => !hasFailed)).toBe(true)

    const message = await channel.get(queue, { noAck: true })
    expect(message && message.properties.headers?.['traceparent']).toBe(
      `00-${chain[1]?.traceId}-${chain[1]?.spanId}-01`,
    )
    await broker.close()

    const operations = logged(api)
      .filter((line) => line['trace_id'] === chain[0]?.traceId)
      .map((line) => line['operation'])
    expect(operations).toEqual(['requestAllAgentsDetails', 'postAgentDetails'])
  }, 180_000)

  it('follows a command from the request over the agent to its result', async () => {
    const apId = await register()
    const device = await connectDevice(environment.engines.mqtt, apId, 'p')
    device.client.on('message', (_topic, payload) => {
      const { id } = JSON.parse(payload.toString())
      void device.publish(agentTopic(apId, 'result'), JSON.stringify({ id, state: 'succeeded' }))
    })
    await device.subscribe(agentTopic(apId, 'command'))
    const path = `/api/v1/send_command?agent_id=${apId}&command=reboot`
    const { job_number: jobNumber } = (await call(api.url, 'POST', path, { token })).body
    const names = ['sendCommand', 'create send_command', 'send command', 'command']
    const spans = await traceOfJob(jobNumber, names)
    await device.leave()
    const [request, created, sent, command] = names.map((name) => named(spans, name))
    expect(created?.parentId).toBe(request?.spanId)
    expect(sent).toMatchObject({ parentId: created?.spanId, kind: 'producer', hasFailed: false })
    expect(command).toMatchObject({
      parentId: created?.spanId,
      hasFailed: false,
      attributes: { 'manc.command.state': 'succeeded', 'manc.agent.id': apId, 'manc.job.number': jobNumber },
    })
    expect(command?.durationMs).toBeGreaterThanOrEqual(sent?.durationMs ?? Number.NaN)
    expect(sent?.process['manc.roles']).toBe('subscriber,ingester')
  }, 180_000)

  it('of a job that failed continues in the retry and in the log of the worker', async () => {
    await worker.stop()
    const broken = await startWorker({ MANC_API_URL: `http://127.0.0.1:${await closedPort()}` })
    const jobNumber = await requestDetails()
    const failure = () => logged(broken).find((line) => line['job'] === jobNumber)
    await expect.poll(failure, soon).toMatchObject({ msg: 'a job failed; it will be retried' })
    const traceId = String(failure()?.['trace_id'])
    await broken.stop()
    worker = await startWorker()
    const spans = await traceOfJob(jobNumber, callbackSpans)
    expect(spans[0]?.traceId).toBe(traceId)
    const runs = () =>
      spansOfTrace(traceId)
        .filter(({ name }) => name === 'process agent_details')
        .map(({ hasFailed }) => hasFailed)
    // The processes export at different times, and there may be several failed runs.
    await expect.poll(() => new Set(runs()), soon).toEqual(new Set([true, false]))
    expect(runs().filter((hasFailed) => !hasFailed)).toHaveLength(1)
  }, 240_000)

  it('has neither names nor secrets of callers', async () => {
    const traced = () => receiver.spans().some(({ name }) => name === 'getUser')
    await tokenOf(api.url, 'user', admin.username, admin.password)
    await call(api.url, 'GET', `/api/v1/users/${admin.username}?password=s3cret-query`, { token })
    await expect.poll(traced, soon).toBe(true)
    const sent = receiver.texts().join()
    for (const secret of [admin.username, admin.password, token, 's3cret-query', 'of-the-receiver'])
      expect(sent).not.toContain(secret)
  }, 180_000)

  it('is sent with the headers of the settings', async () => {
    await traceOfJob(await requestDetails(), ['requestAllAgentsDetails'])
    expect(receiver.headers()).toMatchObject({
      authorization: 'Bearer of-the-receiver',
      'x-tenant': 'manc',
      'content-type': 'application/json',
    })
  }, 180_000)
})

describe('the traceparent of a caller', () => {
  const callerTrace = () =>
    `${Date.now().toString(16)}${Math.random().toString(16).slice(2)}`.padEnd(32, 'a').slice(0, 32)

  it('is the parent of the request, whether or not the caller records its own spans', async () => {
    const traceId = callerTrace()
    await requestDetails({ traceparent: `00-${traceId}-00f067aa0ba902b7-00` })
    const request = () => spansOfTrace(traceId).find(({ name }) => name === 'requestAllAgentsDetails')
    await expect.poll(() => request()?.parentId, soon).toBe('00f067aa0ba902b7')
  }, 180_000)

  it('that is not valid is ignored', async () => {
    const jobNumber = await requestDetails({ traceparent: `00-${'0'.repeat(32)}-00f067aa0ba902b7-01` })
    const spans = await traceOfJob(jobNumber, ['requestAllAgentsDetails'])
    expect(named(spans, 'requestAllAgentsDetails').parentId).toBe('')
  }, 180_000)

  it('does not make the server record more than its ratio', async () => {
    const silent = await startApi({ MANC_TRACES_RATIO: '0', MANC_INTERNAL_PORT: '0' })
    const traceId = callerTrace()
    const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-01` }
    for (let n = 0; n < 20; n++)
      expect((await call(silent.url, 'POST', details, { token, headers })).status).toBe(200)
    // The subscriber does the jobs of that process, and then one of the other.
    await traceOfJob(await requestDetails(), callbackSpans)
    await silent.stop()
    expect(spansOfTrace(traceId)).toEqual([])
    expect(silent.output()).not.toContain('trace_id')
  }, 180_000)
})

describe('telemetry', () => {
  it('is never traced, over HTTP or MQTT', async () => {
    const apId = await register()
    const own = await tokenOf(api.url, 'agent', apId, 'p')
    const device = await connectDevice(environment.engines.mqtt, apId, 'p')
    await traceOfJob(await requestDetails(), callbackSpans)
    const before = receiver.spans().length
    const headers = { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' }
    for (let n = 0; n < 20; n++) {
      const body = { payload: { clients: n } }
      const sent = await call(api.url, 'POST', '/api/v1/agent_update/update', { token: own, body, headers })
      expect(sent.status).toBe(200)
      await device.publish(agentTopic(apId, 'data'), JSON.stringify({ load: n }))
    }
    const stored = async () => {
      const { body } = await call(worker.internalUrl, 'GET', '/metrics')
      return Number(/^manc_ingest_samples_total (\d+)/m.exec(String(body))?.[1])
    }
    await expect.poll(stored, soon).toBeGreaterThanOrEqual(40)
    await device.leave()
    // Both processes export in order: what they recorded before this job was received before it.
    const spans = await traceOfJob(await requestDetails(), callbackSpans)
    const others = receiver
      .spans()
      .slice(before)
      .filter(({ traceId }) => traceId !== spans[0]?.traceId)
    expect(others).toEqual([])
  }, 180_000)
})

describe('a receiver', () => {
  const isFast = async (url: string) => {
    const server = await startApi({ MANC_TRACES_URL: url, MANC_INTERNAL_PORT: '0' })
    for (let n = 0; n < 50; n++)
      expect((await call(server.url, 'GET', '/api/v1/users/me', { token })).status).toBe(200)
    return server
  }
  const failures = (server: ServerProcess) =>
    logged(server).filter((line) => String(line['msg']).startsWith('spans could not be exported'))

  it('that is unreachable is logged, once a minute', async () => {
    const server = await isFast(`http://127.0.0.1:${await closedPort()}/v1/traces`)
    await expect.poll(() => failures(server).length, soon).toBe(1)
    await call(server.url, 'GET', '/api/v1/users/me', { token })
    expect(await server.stop()).toBe(0)
    expect(failures(server)).toHaveLength(1)
  }, 180_000)

  it('that does not answer does not delay the stop', async () => {
    const hung = createServer(() => {})
    await new Promise<void>((resolve) => hung.listen(0, '127.0.0.1', resolve))
    const server = await isFast(`http://127.0.0.1:${(hung.address() as AddressInfo).port}/v1/traces`)
    const from = performance.now()
    expect(await server.stop()).toBe(0)
    expect(performance.now() - from).toBeLessThan(10_000)
    hung.close()
  }, 180_000)
})

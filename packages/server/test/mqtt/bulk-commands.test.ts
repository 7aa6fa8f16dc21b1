import { envelopeProtocol, socketPath } from '@manc/contract'
import { call, type IsolatedEnvironment, tokenOf, uniqueName } from '@manc/harness'
import { testWithEngines } from '@manc/harness/fixture'
import { createFleet, startTokenProxy } from '@manc/harness/load'
import { AgentHttp, AgentMqtt } from '@manc/sdk/agent'
import pLimit from 'p-limit'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import WebSocket from 'ws'

const it = testWithEngines.override('variables', {
  // So long the others have, and those who are away are waited for.
  MANC_COMMAND_SECONDS: '30',
  MANC_COMMAND_DELIVERY_SECONDS: '10',
  MANC_COMMAND_HOLD_SECONDS: '60',
  // A busy replica accepts a hundredth of the hourly limit at once.
  MANC_COMMANDS_PER_HOUR: '1000000',
})

let environment: IsolatedEnvironment
const agents: AgentMqtt[] = []
const soon = { timeout: 40_000, interval: 50 }

it.beforeAll(({ environment: own }) => {
  environment = own
})

afterAll(async () => {
  await Promise.all(agents.map((agent) => agent.stop()))
})

async function register(apId: string, configuration: unknown = {}): Promise<void> {
  const body = { ap_id: apId, password: 'p', configuration }
  expect((await environment.request('POST', '/api/v1/agents/', body)).status).toBe(200)
}

const send = (body: object, as = environment.adminToken, headers = {}) =>
  call(environment.url, 'POST', '/api/v1/commands', { token: as, body, headers })

const job = async (number: string) => (await environment.request('GET', `/api/v1/jobs/${number}`)).body

interface JobMessage {
  type: 'state' | 'result'
  seq: number
  final: boolean
  data: any
}

/** Reads a job to its end. */
function follow(number: string): Promise<JobMessage[]> {
  const socket = new WebSocket(
    `${environment.url.replace('http', 'ws')}${socketPath}/${number}`,
    [envelopeProtocol],
    {
      headers: { authorization: `Bearer ${environment.adminToken}` },
    },
  )
  const messages: JobMessage[] = []
  socket.on('message', (data) => {
    const message = JSON.parse((data as Buffer).toString()) as JobMessage
    messages.push(message)
    socket.send(JSON.stringify({ type: 'ack', seq: message.seq }))
  })
  return new Promise((resolve, reject) => {
    socket.on('close', (code) => (code === 1000 ? resolve(messages) : reject(new Error(`closed: ${code}`))))
    socket.on('error', reject)
  })
}

const resultOf = (messages: JobMessage[]) =>
  messages.filter(({ type }) => type === 'result').flatMap(({ data }) => data)

describe('one command to 1,000 agents', () => {
  const connected = 990

  beforeAll(async () => {
    const fleet = await createFleet(environment.variables, 'm', 995)
    const proxy = await startTokenProxy(fleet, environment.url)
    const limit = pLimit(25)
    await Promise.all(
      fleet.slice(0, connected).map(({ apId, password }, n) =>
        limit(async () => {
          const onCommand = () => {
            if (n % 100 === 0) throw new Error('no such radio')
            return { power_w: n }
          }
          const at = { mqttUrl: environment.engines.mqtt, url: proxy.url }
          const agent = new AgentMqtt({ ...at, apId, password, onCommand })
          await agent.start()
          agents.push(agent)
        }),
      ),
    )
    for (let n = 0; n < 5; n++) await register(`deaf-${n}`, { commands: ['reboot'] })
  }, 240_000)

  it('reports its progress, and at the end the result of each agent', async () => {
    const ids = [
      ...Array.from({ length: 995 }, (_, n) => `m-${n}`),
      ...Array.from({ length: 5 }, (_, n) => `deaf-${n}`),
    ]
    const request = { command: 'set_power', agents: [...ids, 'missing-agent', 'm-1'] }
    const once = { 'idempotency-key': uniqueName('once') }
    const { status, body } = await send(request, environment.adminToken, once)
    expect([status, body.agents, body.skipped]).toEqual([200, 995, 6])
    expect((await send(request, environment.adminToken, once)).body).toEqual(body)

    const messages = await follow(body.job_number)
    const progress = messages.filter(({ type }) => type === 'state').map(({ data }) => data.progress)
    const under = progress.map(({ queued = 0, sent = 0, delivered = 0 }) => queued + sent + delivered)
    // Once a second while there is news: on a quick machine it is all over soon.
    expect(progress.length).toBeGreaterThan(1)
    expect(under).toEqual([...under].sort((a, b) => b - a))
    expect(progress.at(-1)).toEqual({ expired: 5, failed: 10, skipped: 6, succeeded: 980 })
    expect(messages.map(({ seq }) => seq)).toEqual(messages.map((_, n) => n + 1))

    const result = resultOf(messages)
    expect(result.map(({ agent_id }) => agent_id)).toEqual([...ids, 'missing-agent'].sort())
    const of = (apId: string) => result.find(({ agent_id }) => agent_id === apId)
    expect(of('m-7')).toMatchObject({ state: 'succeeded', result: { power_w: 7 }, detail: null })
    expect(of('m-100')).toMatchObject({ state: 'failed', result: null, detail: 'no such radio' })
    expect(of('m-994').state).toBe('expired')
    expect(of('deaf-0')).toMatchObject({ state: 'skipped', detail: 'It does not list this command.' })
    expect(of('missing-agent')).toMatchObject({ state: 'skipped' })
    expect(await job(body.job_number)).toMatchObject({ state: 'succeeded', parent: null })
    expect(await job(of('m-7').job_number)).toMatchObject({ state: 'succeeded', parent: body.job_number })

    const list = (query: string) => environment.request('GET', `/api/v1/jobs${query}`)
    const listed: { job_number: string; kind: string }[] = (await list('')).body
    expect(listed.filter(({ kind }) => kind !== 'send_commands')).toEqual([])
    expect(listed.filter(({ job_number }) => job_number === body.job_number)).toHaveLength(1)
    const parts = await list(`?parent=${body.job_number}&limit=1000`)
    expect(parts.body.length).toBe(1000)
    expect(parts.headers.get('link')).toContain(`parent=${body.job_number}`)
  }, 240_000)
})

describe('one command to selected agents', () => {
  let longitude = 0

  it('reaches one technology in an area, including agents that use only HTTP', async () => {
    // Elsewhere at each attempt: the agents of the one before are still where they were.
    longitude += 10
    const at = (latitude: number) => ({ technology: 'LiFi', geolocation: { latitude, longitude } })
    const inside = uniqueName('z-in')
    await register(inside, at(50))
    await register(uniqueName('z-out'), at(60))
    await register(uniqueName('z-wifi'), { ...at(50), technology: 'WiFi' })
    const { body } = await send({
      command: 'blink',
      technology: 'LiFi',
      area: { west: longitude - 1, south: 49, east: longitude + 1, north: 51 },
    })
    expect([body.agents, body.skipped]).toEqual([1, 0])
    const agent = new AgentHttp({
      url: environment.url,
      apId: inside,
      password: 'p',
      onCommand: ({ command }) => `did ${command}`,
    })
    const carryOut = async () => {
      await expect
        .poll(async () => {
          await agent.send([])
          return (await job(body.job_number)).progress
        }, soon)
        .toEqual({ succeeded: 1 })
    }
    const [messages] = await Promise.all([follow(body.job_number), carryOut()])
    expect(resultOf(messages)).toEqual([
      {
        agent_id: inside,
        job_number: expect.any(String),
        state: 'succeeded',
        result: 'did blink',
        detail: null,
        ended_at: expect.any(String),
      },
    ])
  })

  it('is 404 without agents, and skips agents that an app does not see or that another caller holds', async () => {
    const [held, free, unseen] = [uniqueName('y'), uniqueName('y'), uniqueName('x')]
    for (const apId of [held, free, unseen]) await register(apId)
    expect((await send({ command: 'a', area: { west: 0, south: 0, east: 1, north: 1 } })).status).toBe(404)
    const app = async () => {
      const name = uniqueName('app')
      const body = { app_name: name, api_key: 'key', permissions: { agents: ['y-*'] } }
      await environment.request('POST', '/api/v1/third_party_apps/', body)
      return tokenOf(environment.url, 'third_party_app', name, 'key')
    }
    const [one, other] = [await app(), await app()]
    const query = `?agent_id=${held}&command=a`
    expect((await environment.request('POST', `/api/v1/send_command${query}`, undefined, one)).status).toBe(
      200,
    )
    const { body } = await send({ command: 'b', agents: [held, free, unseen] }, other)
    expect([body.agents, body.skipped]).toEqual([1, 2])
  })
})

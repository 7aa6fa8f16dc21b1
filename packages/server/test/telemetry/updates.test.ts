import { type AgentTopic, agentRoutingKey, exchanges } from '@manc/contract'
import { type TestEnvironment, tokenOf, uniqueName } from '@manc/harness'
import { test } from '@manc/harness/fixture'
import { describe, expect, inject } from 'vitest'

const it = test.override('variables', {
  MANC_ROLES: 'api,subscriber,ingester',
})

let environment: TestEnvironment

it.beforeAll(({ environment: own }) => {
  environment = own
})

/** A new agent. */
async function newAgent(prefix: string): Promise<{ name: string; token: string }> {
  const name = uniqueName(prefix)
  await environment.request('POST', '/api/v1/agents/', { ap_id: name, password: 'p', configuration: {} })
  return { name, token: await tokenOf(environment.url, 'agent', name, 'p') }
}

const soon = { timeout: 30_000, interval: 100 }

const update = (token: string, body: unknown) =>
  environment.request('POST', '/api/v1/agent_update/update', body, token)

const sql = async (text: string, values: unknown[] = []) => await environment.sql(text, values)

/** What the store has of an agent: metric → [time, value] pairs. */
async function stored(name: string): Promise<Record<string, [number, number][]>> {
  const url = new URL('/api/v1/export', inject('engines').victoria)
  url.searchParams.set('match[]', `{ap_id="${name}"}`)
  url.searchParams.set('start', '2025-01-01T00:00:00Z')
  url.searchParams.set('end', String(Date.now() / 1000 + 7200))
  const text = await (await fetch(url)).text()
  const series = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
  return Object.fromEntries(
    series.map(({ metric, timestamps, values }) => [
      metric.__name__,
      timestamps.map((ts: number, n: number) => [ts, values[n]]),
    ]),
  )
}

describe('an update over HTTP', () => {
  it('stores one sample, exactly once, with its value and time', async () => {
    const { name, token } = await newAgent('up')
    const ts = Date.now() - 5000
    const { status, body } = await update(token, {
      ts,
      payload: { clients: 7, radio: { rssi: -61.5 }, up: true },
    })
    expect(status).toBe(200)
    expect(body).toEqual({ status: 'success', detail: expect.any(String), accepted: 1, commands: [] })
    await update(token, { ts, payload: { clients: 7, radio: { rssi: -61.5 }, up: true } })
    await expect
      .poll(() => stored(name), soon)
      .toEqual({
        clients: [[ts, 7]],
        radio_rssi: [[ts, -61.5]],
        up: [[ts, 1]],
      })
  })

  it('accepts names that the line protocol has to escape', async () => {
    const { name, token } = await newAgent('odd')
    const ts = Date.now()
    const payload = { 'a b': 1, 'c=d': 2, 'g\\h': 4, 'ü{}': 5, "i'j": 6, 'k\\': 7 }
    expect((await update(token, { ts, payload })).body.accepted).toBe(1)
    const expected = Object.fromEntries(Object.entries(payload).map(([key, value]) => [key, [[ts, value]]]))
    await expect.poll(() => stored(name), soon).toEqual(expected)
  })

  it('accepts a back-filled batch', async () => {
    const { name, token } = await newAgent('fill')
    const start = Date.now() - 3_600_000
    const samples = Array.from({ length: 100 }, (_, n) => ({ ts: start + n * 1000, payload: { n } }))
    expect((await update(token, { samples })).body.accepted).toBe(100)
    await expect
      .poll(async () => (await stored(name))['n'], soon)
      .toEqual(samples.map(({ ts, payload }) => [ts, payload.n]))
  })

  it('onboards the agent with its configuration and stores non-numeric values as attributes', async () => {
    const { name, token } = await newAgent('on')
    const onboard = async () => (await sql('select onboard from agents where ap_id = $1', [name]))[0]?.onboard
    expect(await onboard()).toBe(false)
    const configuration = { geolocation: { latitude: 51.45, longitude: -2.58 } }
    const { body } = await update(token, { configuration, payload: { model: 'A\0B', clients: 1 } })
    expect([body.status, body.accepted]).toEqual(['success', 1])
    expect(await onboard()).toBe(true)
    const read = await environment.request('GET', `/api/v1/agents/${name}`, undefined, token)
    expect(read.body.configuration).toEqual(configuration)
    const said = () => sql('select attributes from agent_attributes where ap_id = $1', [name])
    await expect.poll(said, soon).toEqual([{ attributes: '{"model":"A\ufffdB"}' }])
  })

  it('with invalid Unicode does not delay the attributes of other agents', async () => {
    const [odd, other] = [await newAgent('odd-said'), await newAgent('other-said')]
    const said = (name: string) =>
      sql('select attributes::text from agent_attributes where ap_id = $1', [name])
    // Twice, because the second is merged with the first.
    for (const n of [1, 2]) {
      const list = [{ 'k\0': '\ud800' }, n]
      await update(odd.token, { payload: { literal: String.raw`\u0000 \ud800`, surrogate: '\ud800', list } })
      await expect.poll(async () => JSON.stringify(await said(odd.name)), soon).toContain(`${n}]`)
    }
    await update(other.token, { payload: { model: 'plain' } })
    await expect.poll(() => said(other.name), soon).toEqual([{ attributes: '{"model":"plain"}' }])
  })

  it('is rejected completely if one sample is invalid, and names it', async () => {
    const { token } = await newAgent('unfit')
    const { status, body } = await update(token, {
      samples: [
        { ts: Date.now(), payload: { a: 1 } },
        { ts: 'never', payload: { a: 2 } },
      ],
    })
    expect(status).toBe(422)
    expect(body.detail).toEqual([
      { loc: ['body', 'samples', 1], msg: 'Value error, timestamp is no time', type: 'value_error' },
    ])
    expect((await update(token, [1])).body.detail).toEqual([
      { loc: ['body'], msg: 'Input should be a valid dictionary', type: 'dict_type' },
    ])
  })

  it('without samples is accepted', async () => {
    const { token } = await newAgent('empty')
    expect((await update(token, {})).body.accepted).toBe(0)
  })

  it('is limited to the agent itself; an administrator names the agent and is audited', async () => {
    const { name, token } = await newAgent('own')
    expect((await update(token, { ap_id: 'another', payload: { a: 1 } })).status).toBe(403)
    expect((await update(token, { ap_id: name, payload: { a: 1 } })).status).toBe(200)
    expect((await update(environment.adminToken, { payload: { a: 1 } })).body.detail[0].loc).toEqual([
      'body',
      'ap_id',
    ])
    expect((await update(environment.adminToken, { ap_id: 'missing-agent', payload: { a: 1 } })).status).toBe(
      404,
    )
    expect((await update(environment.adminToken, { ap_id: name, payload: { a: 1 } })).status).toBe(200)
    const audited = await sql(
      `select target from audit where action = 'agent.send-samples' and target = any($1)`,
      [[name, 'another', 'missing-agent']],
    )
    expect(audited).toEqual([{ target: name }])
  })
})

describe('a message on another topic of an agent', () => {
  /** As the broker's MQTT side publishes it. */
  async function publish(name: string, topic: AgentTopic, payload: string): Promise<void> {
    const { origin, username, password } = new URL(inject('engines').rabbitmqManagement)
    const vhost = environment.virtualHost
    const answer = await fetch(`${origin}/api/exchanges/${vhost}/${exchanges.agents}/publish`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        routing_key: agentRoutingKey(name, topic),
        payload,
        payload_encoding: 'string',
        properties: { delivery_mode: 2 },
      }),
    })
    expect(await answer.json()).toEqual({ routed: true })
  }

  it('onboards the agent with its configuration and stores its status', async () => {
    const { name } = await newAgent('mqtt')
    await publish(name, 'onboard', '{"geolocation": {"latitude": 1, "longitude": 2}}')
    await publish(name, 'status', 'online')
    const row = () => sql('select onboard, configuration from agents where ap_id = $1', [name])
    await expect
      .poll(row, soon)
      .toEqual([{ onboard: true, configuration: '{"geolocation":{"latitude":1,"longitude":2}}' }])
    const said = () => sql('select attributes from agent_attributes where ap_id = $1', [name])
    await expect.poll(said, soon).toEqual([{ attributes: '{"status":"online"}' }])
  })

  it('that is invalid is dead-lettered, and the following ones are handled', async () => {
    const { name } = await newAgent('bad')
    await publish(name, 'onboard', 'no JSON')
    await publish('missing-agent', 'onboard', '{}')
    await publish(name, 'result', '{}')
    await publish(name, 'onboard', '{"after": true}')
    const row = () => sql('select configuration from agents where ap_id = $1', [name])
    await expect.poll(row, soon).toEqual([{ configuration: '{"after":true}' }])
  })
})

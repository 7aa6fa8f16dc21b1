import { setTimeout as sleep } from 'node:timers/promises'
import { uniqueName } from '@manc/harness'
import { afterEach, describe, expect } from 'vitest'
import type { Device } from './device.ts'
import { type AttackEnvironment, test as it } from './environment.ts'
import { forbiddenPublications, forbiddenSubscriptions } from './forbidden-topics.ts'
import { SteadySender } from './steady-sender.ts'

let environment: AttackEnvironment
/** Sends from beginning to end: whatever an attacker does, not one of its samples may be missing. */
let observer: SteadySender
/** Whose topics and client id the attacker is after. It waits for commands, and sends nothing. */
let victim: Device
const commands: string[] = []

const refusal = /Bad username or password|Not authorized|closed before/

it.beforeAll(async ({ environment: own }) => {
  environment = own
  observer = new SteadySender(await environment.connect('observer'), 'observer')
  victim = await environment.connect('victim')
  victim.client.on('message', (topic, payload) => commands.push(`${topic} ${payload.toString()}`))
  await victim.subscribe('agent/victim/command')
})

afterEach(() => {
  environment.expectAlive()
  expect(victim.isConnected()).toBe(true)
})

describe("another agent's topic", () => {
  const cutOff = async (device: Device, work: Promise<void>) => {
    await expect(work).rejects.toThrow(/closed|declined|Subscribe error/)
    await device.closed
  }

  it.each(forbiddenPublications)('cannot be published to: %s', async (topic) => {
    const device = await environment.connect('attacker')
    await cutOff(device, device.publish(topic, '{"status":"stolen","stolen":1}'))
  })

  it.each(forbiddenSubscriptions)('cannot be subscribed to: %s', async (topic) => {
    const device = await environment.connect('attacker')
    await cutOff(device, device.subscribe(topic))
  })

  const own: string[] = []

  it('has received nothing, and its own commands arrive', async () => {
    await environment.command('victim', 'go')
    own.push('agent/victim/command go')
    await expect.poll(() => commands, { timeout: 30_000 }).toEqual(own)
    expect(await environment.seriesOf('victim')).toEqual([])
    expect(environment.deadLetters.filter(({ apId }) => apId === 'victim')).toEqual([])
    const known =
      'select onboard, attributes from agents left join agent_attributes using (ap_id) where ap_id = $1'
    expect(await environment.sql(known, ['victim'])).toEqual([{ onboard: false, attributes: null }])
  })
})

describe("another agent's name", () => {
  it.each([
    ['as client id', 'attacker', { clientId: 'victim' }],
    ['as user name', 'victim', { clientId: 'attacker' }],
    ['with other case', 'attacker', { clientId: 'Victim' }],
    ['left out, for one of its own making', 'attacker', { clientId: 'attacker-b' }],
    ['left out, for none', 'attacker', { clientId: '' }],
  ])('%s is rejected, and its owner stays connected', async (_how, apId, more) => {
    await expect(environment.connect(apId, undefined, more)).rejects.toThrow(refusal)
  })

  it("is rejected with the attacker's own token", async () => {
    const token = await environment.tokenOf('attacker')
    await expect(environment.connect('victim', token)).rejects.toThrow(refusal)
    await expect(environment.connect('attacker', token, { clientId: 'victim' })).rejects.toThrow(refusal)
  })
})

describe('a publish of', () => {
  /** RabbitMQ 3.10 never acknowledges it, nor anything after it on that connection; newer ones close it. */
  it.each([
    ['64 MiB', 64 * 2 ** 20],
    // RabbitMQ 4 limits the packet, with its topic, to 1 KiB more than a message.
    ['a KiB more than 1 MiB', 2 ** 20 + 1024],
  ])('%s is not acknowledged', async (_size, bytes) => {
    const device = await environment.connect('attacker')
    const verdict = device.publish('agent/attacker/data', Buffer.alloc(bytes, 'x')).then(
      () => 'acknowledged',
      () => 'closed',
    )
    expect(await Promise.race([verdict, sleep(3000, 'silence')])).not.toBe('acknowledged')
    device.vanish()
    await device.closed
  })

  /** One for each attempt: of what came before it, nothing else may be there. */
  const setAside: number[] = []

  it('1 MiB is acknowledged, and dead-lettered if it is invalid', async () => {
    const device = await environment.connect('attacker')
    await device.publish('agent/attacker/data', Buffer.alloc(2 ** 20, 'x'))
    setAside.push(2 ** 20)
    await device.leave()
    await expect
      .poll(() => environment.deadLetters.map(({ text }) => text.length), { timeout: 30_000 })
      .toEqual(setAside)
  })
})

it('one message with half a million invalid samples becomes one dead letter', async () => {
  const before = environment.deadLetters.length
  const text = `[${Array.from({ length: 500_000 }, () => 1).join(',')}]`
  const device = await environment.connect('attacker')
  await device.publish('agent/attacker/data', text)
  await device.publish('agent/attacker/data', 'after it')
  await device.leave()
  await expect
    .poll(() => environment.deadLetters.slice(before).map(({ text: { length } }) => length), {
      timeout: 60_000,
    })
    .toEqual([text.length, 'after it'.length])
})

describe('text that tries to break out of a query', () => {
  const operations = ['agent_data', 'agent_multi_metric_data', 'agent_metrics']
  const texts = [
    '"}',
    '.*',
    'observer.*',
    '\n',
    'observer\n',
    '\0',
    'observer\0',
    '"} or {ap_id="observer',
    'observer"} or {ap_id!="',
    '{ap_id="observer"}',
    String.raw`\u006fbserver`,
  ]
  const ask = (operation: string, token: string, query: Record<string, string>) =>
    environment.request(
      'GET',
      `/api/v1/metrics/${operation}?${new URLSearchParams(query).toString()}`,
      undefined,
      token,
    )

  it.each(texts)('is an unknown agent when it is used as the agent: %j', async (agent) => {
    const token = await environment.tokenOf('attacker')
    for (const operation of operations) {
      const asked = await ask(operation, environment.adminToken, { agent, metrics: 'seq' })
      expect([operation, asked.status, asked.body]).toEqual([operation, 404, { detail: 'Agent not found' }])
      const own = await ask(operation, token, { agent, metrics: 'seq' })
      expect([operation, own.status, own.body]).toEqual([
        operation,
        403,
        { detail: 'Not enough permissions' },
      ])
    }
  })

  it.each([...texts, 'seq"} or {__name__="seq', `seq",ap_id="observer"} or {ap_id="attacker`])(
    'is an unknown metric when it is used as the metric: %j',
    async (text) => {
      // A comma stands between names; a reply has U+FFFD where a request had U+0000.
      const names = text
        .replaceAll('\0', '\ufffd')
        .split(',')
        .map((name) => name.trim())
      const series = names.filter((name) => name !== '').map((metric) => ({ metric, points: [] }))
      const query = { agent: 'attacker', metrics: text }
      for (const token of [environment.adminToken, await environment.tokenOf('attacker')]) {
        const { status, body } = await ask('agent_multi_metric_data', token, query)
        expect([status, body]).toEqual([200, { agent_id: 'attacker', window_minutes: 5, series }])
      }
    },
  )
})

describe('10,000 metric names of one agent', () => {
  const samples = Array.from({ length: 50 }, (_, sample) => ({
    ts: Date.now() - 60_000 + sample,
    payload: namesFrom(sample * 200, 200),
  }))
  const tooMany = 'too many metric names of this agent'
  const tooManyAtOnce = 'more than 256 metrics in a sample'
  const sent = {
    'over-http': async (apId: string, list: unknown[]) => {
      const token = await environment.tokenOf(apId)
      const body = { samples: list }
      expect((await environment.request('POST', '/api/v1/agent_update/update', body, token)).status).toBe(200)
    },
    'over-mqtt': async (apId: string, list: unknown[]) => {
      const device = await environment.connect(apId)
      for (const sample of list) await device.publish(`agent/${apId}/data`, JSON.stringify(sample))
      await device.leave()
    },
  }

  it.each(['over-http', 'over-mqtt'] as const)(
    '%s make 1,000 series, and the rest is counted as rejected',
    async (way) => {
      const apId = uniqueName(way)
      await environment.register(apId)
      await sent[way](apId, samples)
      await expect
        .poll(() => environment.rejectedSamplesOf(apId), { timeout: 30_000 })
        .toEqual({ [tooMany]: 45 })
      await sent[way](apId, [{ ts: Date.now(), payload: { name_7: 1 } }])
      await expect.poll(() => environment.seriesOf(apId), { timeout: 30_000 }).toHaveLength(1000)
      const { body } = await environment.request('GET', `/api/v1/metrics/agent_metrics?agent=${apId}`)
      expect(body.metrics.map(({ name }: { name: string }) => name)).toContain('name_7')
    },
    120_000,
  )

  it('in one sample are rejected: over HTTP with 422, over MQTT in the counter', async () => {
    const sample = { payload: namesFrom(0, 10_000) }
    const apId = uniqueName('at-once')
    await environment.register(apId)
    const token = await environment.tokenOf(apId)
    const { status, body } = await environment.request('POST', '/api/v1/agent_update/update', sample, token)
    const msg = `Value error, ${tooManyAtOnce}`
    expect([status, body.detail]).toEqual([422, [{ loc: ['body'], msg, type: 'value_error' }]])
    await sent['over-mqtt'](apId, [sample])
    await expect
      .poll(() => environment.rejectedSamplesOf(apId), { timeout: 30_000 })
      .toEqual({ [tooManyAtOnce]: 1 })
  })
})

describe('an invalid sample', () => {
  const nested = (levels: number, [open, close]: readonly [string, string]) =>
    open.repeat(levels) + '1' + close.repeat(levels)
  const objects = ['{"a":', '}'] as const
  const lists = ['[', ']'] as const
  const asText = (payload: string) => `{"payload":${JSON.stringify(payload)}}`
  const aYearAhead = Date.now() + 365 * 86_400_000
  const noJson = { type: 'json_invalid', reason: 'no JSON' }
  const noNumber = { type: 'finite_number', reason: 'value is no finite number' }
  const ahead = { type: 'value_error', reason: 'timestamp more than an hour ahead' }
  const deep = { type: 'json_too_deep', reason: 'nested too deeply' }

  it.each([
    ['NaN', '{"payload":{"odd":NaN}}', noJson],
    ['Infinity', '{"payload":{"odd":Infinity}}', noJson],
    ['-Infinity', '{"payload":{"odd":-Infinity}}', noJson],
    ['1e999', '{"payload":{"odd":1e999}}', noNumber],
    ['-1e999', '{"payload":{"odd":-1e999}}', noNumber],
    ['1e999 in a JSON text', asText('{"odd":1e999}'), { ...noNumber, type: 'value_error' }],
    ['a time a year ahead', `{"ts":${aYearAhead},"payload":{"odd":1}}`, ahead],
    ['such a time in words', `{"ts":"${new Date(aYearAhead).toISOString()}","payload":{"odd":1}}`, ahead],
    ['objects 200 deep', `{"payload":${nested(200, objects)}}`, deep],
    ['lists 200 deep', `{"payload":{"odd":${nested(200, lists)}}}`, deep],
    ['objects 200 deep in a JSON text', asText(nested(200, objects)), { ...deep, type: 'value_error' }],
  ])('is rejected: %s', async (_what, text, { type, reason }) => {
    // An agent of its own: what earlier tests have sent may still be counted.
    const apId = uniqueName('invalid')
    await environment.register(apId)
    const token = await environment.tokenOf(apId)
    const answer = await environment.request('POST', '/api/v1/agent_update/update', text, token)
    expect([answer.status, answer.body.detail[0].type]).toEqual([422, type])

    const device = await environment.connect(apId)
    await device.publish(`agent/${apId}/data`, text)
    await device.leave()
    await expect.poll(() => environment.rejectedSamplesOf(apId), { timeout: 30_000 }).toEqual({ [reason]: 1 })
    await expect
      .poll(() => environment.deadLetters.filter((each) => each.apId === apId), { timeout: 30_000 })
      .toMatchObject([{ reason }])
    expect(await environment.seriesOf(apId)).toEqual([])
  })
})

describe('attributes of an agent', () => {
  const said = 'select attributes::text from agent_attributes where ap_id = $1'

  it.each([20, 200, 2000, 8000])('nested %d levels deep do not delay other agents', async (levels) => {
    const lists = '['.repeat(levels) + ']'.repeat(levels)
    const attacker = await environment.connect('attacker')
    await attacker.publish('agent/attacker/data', `[{"payload":{"odd":${lists}}}]`)
    await attacker.publish('agent/attacker/data', `{"payload":${JSON.stringify(`{"odd":${lists}}`)}}`)
    await attacker.leave()
    const other = await environment.connect('neighbour')
    await other.publish('agent/neighbour/data', `{"payload":{"model":"after ${levels}"}}`)
    await other.leave()
    await expect
      .poll(async () => JSON.stringify(await environment.sql(said, ['neighbour'])), { timeout: 30_000 })
      .toContain(`after ${levels}`)
  })
})

describe('during all attacks', () => {
  it('the observer was served, and each of its samples is stored exactly once', async () => {
    await observer.stop()
    const sent = observer.acknowledged
    expect(sent.length).toBeGreaterThan(50)
    const path = '/api/v1/metrics/agent_multi_metric_data?agent=observer&metrics=seq&window=30'
    const read = async () => (await environment.request('GET', path)).body.series[0].points
    const expected = sent.map(({ ts, value }) => ({ ts: new Date(ts).toISOString(), value }))
    await expect.poll(read, { timeout: 60_000, interval: 500 }).toEqual(expected)
    expect(await environment.rejectedSamplesOf('observer')).toEqual({})
  })
})

function namesFrom(first: number, count: number): Record<string, number> {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`name_${first + n}`, 1]))
}

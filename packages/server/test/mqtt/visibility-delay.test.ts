import { setTimeout as sleep } from 'node:timers/promises'
import { agentTopic } from '@manc/contract'
import { type IsolatedEnvironment, tokenOf, uniqueName } from '@manc/harness'
import { testWithEngines } from '@manc/harness/fixture'
import { afterAll, describe, expect } from 'vitest'
import { connectDevice, type Device } from './device.ts'

const it = testWithEngines.override('variables', {
  MANC_ROLES: 'api,subscriber,ingester',
})

const times = 20
const withinMs = 2000
/** Of a machine that also does other things. */
const atMostMs = 4000
const askEveryMs = 25
/** No divisor of a second: samples meet the rounds of the store, the ingester and the reader at every phase. */
const sendEveryMs = 370
const password = 'a-chosen-password'

let environment: IsolatedEnvironment
let device: Device
let agentToken: string

it.beforeAll(async ({ environment: own }) => {
  environment = own
  for (const ap_id of ['over-mqtt', 'over-http'])
    await environment.request('POST', '/api/v1/agents/', { ap_id, password, configuration: {} })
  device = await connectDevice(environment.engines.mqtt, 'over-mqtt', password)
  agentToken = await tokenOf(environment.url, 'agent', 'over-http', password)
})

afterAll(async () => {
  await device?.leave()
})

/** Each resolves when the sample is acknowledged. */
const send = {
  'over-mqtt': (sample: unknown) => device.publish(agentTopic('over-mqtt', 'data'), JSON.stringify(sample)),
  'over-http': async (sample: unknown) => {
    const path = '/api/v1/agent_update/update'
    expect((await environment.request('POST', path, sample, agentToken)).status).toBe(200)
  },
}
type Channel = keyof typeof send

/** Sends a value of each metric in turn, while a reader asks for all of them: the times until it saw each, in order. */
async function delays(apId: Channel, metrics: readonly string[]): Promise<number[]> {
  const acknowledgedAt: number[] = []
  const seenAt: number[] = []
  const sending = async () => {
    for (const [value, metric] of metrics.entries()) {
      await send[apId]({ ts: Date.now(), payload: { [metric]: value } })
      acknowledgedAt.push(performance.now())
      await sleep(sendEveryMs)
    }
  }
  const names = [...new Set(metrics)].join(',')
  const path = `/api/v1/metrics/agent_multi_metric_data?agent=${apId}&metrics=${names}&window=1`
  const giveUpAt = performance.now() + metrics.length * sendEveryMs * 2 + 10_000
  const reading = async () => {
    while (seenAt.filter(Boolean).length < metrics.length && performance.now() < giveUpAt) {
      const { body } = await environment.request('GET', path)
      const now = performance.now()
      for (const { points } of body.series) for (const { value } of points) seenAt[value] ??= now
      await sleep(askEveryMs)
    }
  }
  await Promise.all([sending(), reading()])
  return acknowledgedAt.map((at, value) => Math.round((seenAt[value] ?? Number.POSITIVE_INFINITY) - at))
}

async function expectInTime(metrics: readonly string[]): Promise<void> {
  const channels = Object.keys(send) as Channel[]
  const found = await Promise.all(channels.map((apId) => delays(apId, metrics)))
  for (const [n, ofChannel] of found.entries()) {
    expect(ofChannel).toHaveLength(times)
    const figures = ofChannel.join(', ')
    const inTime = ofChannel.filter((ms) => ms <= withinMs)
    expect(inTime.length, `${channels[n]}, in ms: ${figures}`).toBeGreaterThanOrEqual(0.9 * times)
    expect(Math.max(...ofChannel), `${channels[n]}, in ms: ${figures}`).toBeLessThanOrEqual(atMostMs)
  }
}

describe('nine samples in ten are visible to a reader within 2 s of their acknowledgement, and all within 4 s, over MQTT and over HTTP', () => {
  it('samples of a new series are visible in time', async () => {
    await expectInTime(Array.from({ length: times }, () => uniqueName('new')))
  }, 60_000)

  it('samples of an existing series are visible in time', async () => {
    const known = uniqueName('known')
    for (const apId of Object.keys(send) as Channel[])
      await send[apId]({ ts: Date.now() - 3_600_000, payload: { [known]: 0 } })
    // From here on the store is not asked any more to make new series readable at once.
    await sleep(5000)
    await expectInTime(Array.from({ length: times }, () => known))
  }, 60_000)
})

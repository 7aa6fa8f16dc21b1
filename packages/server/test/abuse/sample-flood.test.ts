import { setTimeout as sleep } from 'node:timers/promises'
import { environmentTest } from '@manc/harness/fixture'
import { afterAll, expect } from 'vitest'
import { AttackEnvironment } from '../mqtt/environment.ts'
import { SteadySender } from '../mqtt/steady-sender.ts'

const others = Array.from({ length: 20 }, (_, n) => `other-${n}`)
/** What the flooder may send at once is soon used up. */
const variables = { MANC_AGENT_BACKLOG_SECONDS: '120' }
const it = environmentTest(() => AttackEnvironment.open(['expander', 'flooder', ...others], variables))

let environment: AttackEnvironment
const senders: SteadySender[] = []
/** A sample is normally readable in less than 2 s; these have to share two cores with the attack. */
const maxDelayMs = 20_000

it.beforeAll(async ({ environment: own }) => {
  environment = own
  for (const apId of others) senders.push(new SteadySender(await environment.connect(apId), apId))
})

afterAll(() => Promise.all(senders.map((sender) => sender.stop())))

/** The age of the newest readable sample, of the agent where it is oldest; infinite if one has none. */
async function delayMs(): Promise<number> {
  const query = new URLSearchParams({ query: 'tlast_over_time(seq{ap_id=~"other-.*"}[5m])' })
  const response = await fetch(`${environment.engines.victoria}/api/v1/query?${query.toString()}`)
  const { data } = (await response.json()) as { data: { result: { value: [number, string] }[] } }
  if (data.result.length < others.length) return Number.POSITIVE_INFINITY
  return Date.now() - 1000 * Math.min(...data.result.map(({ value }) => Number(value[1])))
}

/** The longest delay until the attack has ended and for some time after it. */
async function longestDelayMs(attack: Promise<unknown>): Promise<number> {
  let isOver = false
  void attack.finally(() => (isOver = true))
  let longest = 0
  for (let calm = 0; calm < 20; calm = isOver ? calm + 1 : 0) {
    longest = Math.max(longest, await delayMs())
    await sleep(250)
  }
  return longest
}

const samples = (count: number) => `{"samples":[${Array.from({ length: count }, () => '{"a":1}').join(',')}]}`

const rejections = async (apId: string) =>
  (await environment.request('GET', `/api/v1/agents/${apId}/rejections`)).body

it('samples of 20 agents are readable soon before the attack', async () => {
  await expect.poll(() => delayMs(), { timeout: 30_000 }).toBeLessThan(3000)
})

it('messages with more samples than fit into memory do not delay the samples of other agents', async () => {
  const device = await environment.connect('expander')
  const text = samples(130_000)
  const longest = await longestDelayMs(
    Promise.all(Array.from({ length: 12 }, () => device.publish('agent/expander/data', text))),
  )
  await device.leave()
  expect(longest).toBeLessThan(maxDelayMs)
  const reasons = async () =>
    (await rejections('expander')).rejected.map(({ reason }: { reason: string }) => reason)
  await expect.poll(reasons, { timeout: 15_000 }).toContain('more than 10000 samples in a message')
}, 120_000)

it('a flood of samples ends with a disconnection, does not delay other agents, and is reported', async () => {
  const device = await environment.connect('flooder')
  const text = samples(10_000)
  let sent = 0
  const startedAt = Date.now()
  const flood = async () => {
    // At most 120 s, where the flooder is not disconnected.
    while (device.isConnected() && Date.now() - startedAt < 120_000) {
      await device.publish('agent/flooder/data', text)
      sent += 1
    }
  }
  const attack = Promise.allSettled(Array.from({ length: 2 }, flood))
  const longest = await longestDelayMs(attack)
  expect(sent).toBeGreaterThan(0)
  await device.closed
  expect(longest).toBeLessThan(maxDelayMs)
  await expect(environment.connect('flooder')).rejects.toThrow(/Not authorized|Bad username|closed/)
  const { suspended_until: until, last_suspension: suspension } = await rejections('flooder')
  expect(Date.parse(until)).toBeGreaterThan(Date.now())
  expect(suspension.reason).toMatch(/^more than \d+ (samples|bytes) per second$/)
  // The pause ends by itself.
  await expect
    .poll(() => environment.connect('flooder').then((next) => next.leave()), { timeout: 30_000 })
    .toBeUndefined()
}, 240_000)

it('every acknowledged sample of the other agents is stored', async () => {
  for (const [n, sender] of senders.entries()) {
    await sender.stop()
    const path = `/api/v1/metrics/agent_multi_metric_data?agent=other-${n}&metrics=seq&window=30`
    const read = async () => (await environment.request('GET', path)).body.series[0].points.length
    await expect.poll(read, { timeout: 20_000, interval: 500 }).toBe(sender.acknowledged.length)
  }
}, 120_000)

import { setTimeout as sleep } from 'node:timers/promises'
import { environmentTest } from '@manc/harness/fixture'
import { afterAll, expect } from 'vitest'
import { AttackEnvironment } from '../mqtt/environment.ts'
import { SteadySender } from '../mqtt/steady-sender.ts'

const others = Array.from({ length: 20 }, (_, n) => `other-${n}`)
const it = environmentTest(() => AttackEnvironment.open(['catcher-up', 'expander', 'flooder', ...others]))

let environment: AttackEnvironment
const senders: SteadySender[] = []
/** What an agent may send at once by default: 100 samples per second for 1800 s. */
const burst = 180_000
/** A sample is normally readable in less than 2 s. */
const normalDelayMs = 3000
/** All programs of this test share a few cores, so that delays depend on the machine: compared with a permitted backlog. */
let backlogDelayMs = 0
const maxDelayMs = () => Math.max(20_000, 5 * backlogDelayMs)

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

/** The longest delay until the attack has ended and the delays have been normal for some time. */
async function longestDelayMs(attack: Promise<unknown>): Promise<number> {
  let isOver = false
  void attack.finally(() => (isOver = true))
  let longest = 0
  for (let calm = 0; calm < 20; await sleep(250)) {
    const delay = await delayMs()
    longest = Math.max(longest, delay)
    calm = isOver && delay < normalDelayMs ? calm + 1 : 0
  }
  return longest
}

/** Samples that the ingester has accepted, of all agents. */
async function acceptedSamples(): Promise<number> {
  const text = await (await fetch(`${environment.internalUrl}/metrics`)).text()
  return Number(/^manc_ingest_samples_total(?:\{.*\})? (\d+)$/m.exec(text)?.[1])
}

const samples = (count: number) => `{"samples":[${Array.from({ length: count }, () => '{"a":1}').join(',')}]}`

const rejections = async (apId: string) =>
  (await environment.request('GET', `/api/v1/agents/${apId}/rejections`)).body

it('samples of 20 agents are readable soon before the attack', async () => {
  await expect.poll(() => delayMs(), { timeout: 60_000 }).toBeLessThan(normalDelayMs)
}, 60_000)

it('a backlog within the limits of an agent is accepted, and is what floods are compared with', async () => {
  const device = await environment.connect('catcher-up')
  const text = samples(10_000)
  const backlog = Array.from({ length: burst / 10_000 }, () => device.publish('agent/catcher-up/data', text))
  backlogDelayMs = await longestDelayMs(Promise.all(backlog))
  expect(device.isConnected()).toBe(true)
  expect(await rejections('catcher-up')).toMatchObject({ rejected: [], suspended_until: null })
  await device.leave()
}, 180_000)

it('messages with more samples than fit into memory do not delay the samples of other agents', async () => {
  const device = await environment.connect('expander')
  const text = samples(130_000)
  const longest = await longestDelayMs(
    Promise.all(Array.from({ length: 12 }, () => device.publish('agent/expander/data', text))),
  )
  await device.leave()
  expect(longest).toBeLessThan(maxDelayMs())
  const reasons = async () =>
    (await rejections('expander')).rejected.map(({ reason }: { reason: string }) => reason)
  await expect.poll(reasons, { timeout: 15_000 }).toContain('more than 10000 samples in a message')
}, 180_000)

it('a flood of samples ends with a disconnection, does not delay other agents, and is reported', async () => {
  const device = await environment.connect('flooder')
  const text = samples(10_000)
  const acceptedBefore = await acceptedSamples()
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
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
  process.stdout.write(
    `sample flood: ${sent} messages; others delayed by ${seconds(longest)}, by ${seconds(backlogDelayMs)} with a permitted backlog\n`,
  )
  expect(longest).toBeLessThan(maxDelayMs())
  // What the others wait for is bounded: the burst, as much again for what is on its way, and little of the others.
  expect((await acceptedSamples()) - acceptedBefore).toBeLessThan(2 * burst + 10_000)
  // The first pause lasts 10 s, and may be over on a slow machine.
  await environment.sql(
    `update agent_suspensions set until = now() + interval '10 s' where ap_id = 'flooder'`,
  )
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

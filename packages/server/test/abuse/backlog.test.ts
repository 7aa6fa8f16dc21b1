import { environmentTest } from '@manc/harness/fixture'
import { expect } from 'vitest'
import { AttackEnvironment } from '../mqtt/environment.ts'
import { SteadySender } from '../mqtt/steady-sender.ts'

const others = Array.from({ length: 20 }, (_, n) => `other-${n}`)
/** 256 KiB for each of the eight queues: less than a single agent may send at once. */
const variables = { MANC_INGESTER_HELD_BYTES: String(8 * 256 * 1024) }
const it = environmentTest(() => AttackEnvironment.open(['returning', 'again', ...others], variables))

let environment: AttackEnvironment

it.beforeAll(({ environment: own }) => {
  environment = own
})

/** 8 MiB, in 40 batches of 1,000 samples. */
async function sendBacklog(apId: string): Promise<number> {
  const device = await environment.connect(apId)
  const start = Date.now() - 3_000_000
  const padding = Object.fromEntries(Array.from({ length: 8 }, (_, n) => [`padding_metric_${n}`, n]))
  for (let batch = 0; batch < 40; batch++) {
    const samples = Array.from({ length: 1000 }, (_, n) => ({
      ts: start + (batch * 1000 + n) * 60,
      payload: { value: 1, ...padding },
    }))
    await device.publish(`agent/${apId}/data`, JSON.stringify({ samples }))
  }
  await device.leave()
  return 40_000
}

async function queried(query: string): Promise<{ value: [number, string] }[]> {
  const parameters = new URLSearchParams({ query })
  const response = await fetch(`${environment.engines.victoria}/api/v1/query?${parameters.toString()}`)
  return ((await response.json()) as any).data.result
}

const stored = async (apId: string) =>
  Number((await queried(`count_over_time(value{ap_id="${apId}"}[1h])`))[0]?.value[1] ?? 0)

/** The age of the newest readable sample, of the agent where it is oldest; infinite if one has none. */
async function delayMs(): Promise<number> {
  const newest = await queried('tlast_over_time(seq{ap_id=~"other-.*"}[5m])')
  if (newest.length < others.length) return Number.POSITIVE_INFINITY
  return Date.now() - 1000 * Math.min(...newest.map(({ value }) => Number(value[1])))
}

it('a backlog that is larger than the memory of the ingester does not delay other agents', async () => {
  const senders: SteadySender[] = []
  for (const apId of others) senders.push(new SteadySender(await environment.connect(apId), apId))
  await expect.poll(() => delayMs(), { timeout: 30_000 }).toBeLessThan(3000)
  const samples = await sendBacklog('returning')
  let longest = 0
  await expect
    .poll(
      async () => {
        longest = Math.max(longest, await delayMs())
        return stored('returning')
      },
      { timeout: 60_000, interval: 250 },
    )
    .toBe(samples)
  // Without the release of memory the queue is paused 32 times for 15 s, until its samples are durable, and the others wait.
  expect(longest).toBeLessThan(30_000)
  await Promise.all(senders.map((sender) => sender.stop()))
}, 180_000)

it('what was released from memory is received again after a restart of the metrics store', async () => {
  const samples = await sendBacklog('again')
  await expect.poll(() => stored('again'), { timeout: 60_000, interval: 250 }).toBeGreaterThan(samples / 2)
  await environment.set.kill('victoria')
  await environment.set.start('victoria')
  await expect.poll(() => stored('again'), { timeout: 60_000, interval: 500 }).toBe(samples)
}, 180_000)

import { expect, it } from 'vitest'
import { MeasurementRate, MeasurementRates } from './measurement-rate.rules.ts'

const unmeasured = Number.POSITIVE_INFINITY

it('as many measurements are stored as the rate allows, and those of four seconds at once', () => {
  const rate = new MeasurementRate(10, 0)
  const taken = (nowMs: number) => {
    let count = 0
    while (rate.take(unmeasured, nowMs)) count += 1
    return count
  }
  expect([taken(0), taken(0), taken(1000), taken(1050), taken(1100), taken(100_000)]).toEqual([
    40, 0, 10, 0, 1, 40,
  ])
})

it('a clock that is set back does not end the limit', () => {
  const rate = new MeasurementRate(10, 5000)
  const take = (nowMs: number) => rate.take(unmeasured, nowMs)
  for (let n = 0; n < 40; n++) take(5000)
  expect([take(1000), take(1000), take(1100)]).toEqual([false, false, true])
})

/** Ages of the measurements of clients that are in a report every 20 s, always in the same order, after two hours. */
function agesOf(clients: number, perSecond: number): number[] {
  const rate = new MeasurementRate(perSecond, 0)
  const storedMs = Array.from({ length: clients }, () => Number.NEGATIVE_INFINITY)
  const endMs = 7_200_000
  for (let nowMs = 0; nowMs < endMs; nowMs += 1000)
    for (let client = (nowMs / 1000) % 20; client < clients; client += 20)
      if (rate.take(nowMs - (storedMs[client] as number), nowMs)) storedMs[client] = nowMs
  return storedMs.map((ms) => endMs - ms)
}

it('of more clients than the rate allows each is measured less often, and none never', () => {
  expect(Math.max(...agesOf(200, 10))).toBeLessThanOrEqual(20_000)
  // Five times as many: every 100 s, if all had the same age.
  expect(Math.max(...agesOf(1000, 10))).toBeLessThan(300_000)
})

it('one agent with thousands of clients does not keep the measurements of others from being stored', () => {
  const rates = new MeasurementRates(100, 0)
  const stored = { attacker: 0, other: 0 }
  for (let nowMs = 0; nowMs < 100_000; nowMs += 1000) {
    for (let n = 0; n < 1000; n++) if (rates.take('attacker', unmeasured, nowMs)) stored.attacker += 1
    for (let n = 0; n < 5; n++) if (rates.take('other', unmeasured, nowMs)) stored.other += 1
  }
  // Its share is 10 per second, and that of 20 s at once.
  expect(stored).toEqual({ attacker: 200 + 99 * 10, other: 500 })
})

it('the measurements of all agents together stay within the rate', () => {
  const rates = new MeasurementRates(100, 0)
  let stored = 0
  for (let n = 0; n < 5000; n++) if (rates.take(`ap-${n % 50}`, unmeasured, 0)) stored += 1
  expect(stored).toBe(400)
})

it('the clients of one agent with more than its share are all measured, each less often', () => {
  const rates = new MeasurementRates(100, 0)
  const storedMs = Array.from({ length: 600 }, () => Number.NEGATIVE_INFINITY)
  const endMs = 3_600_000
  for (let nowMs = 0; nowMs < endMs; nowMs += 20_000)
    for (const [client, atMs] of storedMs.entries())
      if (rates.take('ap', nowMs - atMs, nowMs)) storedMs[client] = nowMs
  expect(endMs - Math.min(...storedMs)).toBeLessThan(300_000)
})

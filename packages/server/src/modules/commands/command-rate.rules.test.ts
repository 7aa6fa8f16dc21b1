import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { CommandRate } from './command-rate.rules.ts'

const [idle, busy] = [{ spare: () => 1 }, { spare: () => 0 }]

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

it('an owner may send 10,000 commands at once, and has to wait for more', () => {
  const rate = new CommandRate(50_000, idle)
  expect(rate.take('owner', 10_000)).toBe(0)
  // 50,000 in an hour are one every 0.072 s.
  expect(rate.take('owner', 100)).toBe(8)
  expect(rate.take('another', 10_000)).toBe(0)
})

it('while the replica is busy an owner may send 500 commands at once', () => {
  const rate = new CommandRate(50_000, busy)
  expect(rate.take('owner', 300)).toBe(0)
  expect(rate.take('owner', 300)).toBe(8)
  vi.advanceTimersByTime(8000)
  expect(rate.take('owner', 300)).toBe(0)
})

it('a busy replica accepts a command to more agents, and the next one after as long as 500 commands take', () => {
  const rate = new CommandRate(50_000, busy)
  expect(rate.take('owner', 5000)).toBe(0)
  expect(rate.take('owner', 1000)).toBe(36)
  expect(rate.take('owner', 1)).toBe(1)
  vi.advanceTimersByTime(36_000)
  expect(rate.take('owner', 1000)).toBe(0)
})

it('commands that were sent before the replica became busy count as 500 at most', () => {
  let spare = 1
  const rate = new CommandRate(50_000, { spare: () => spare })
  expect(rate.take('owner', 8000)).toBe(0)
  spare = 0
  expect(rate.take('owner', 300)).toBe(22)
  vi.advanceTimersByTime(22_000)
  expect(rate.take('owner', 300)).toBe(0)
})

it('soon after the replica was busy an owner may send as many as on one that is not', () => {
  const rate = new CommandRate(50_000, { spare: () => 0.06 })
  expect(rate.take('owner', 4000)).toBe(0)
  expect(rate.take('owner', 4000)).toBe(0)
})

it('a higher limit per hour permits a hundredth of it at once on a busy replica', () => {
  const rate = new CommandRate(200_000, busy)
  expect(rate.take('owner', 2000)).toBe(0)
  expect(rate.take('owner', 1)).toBe(1)
})

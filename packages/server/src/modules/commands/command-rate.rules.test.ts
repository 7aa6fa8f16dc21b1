import { expect, it } from 'vitest'
import { CommandRate } from './command-rate.rules.ts'

const [idle, busy] = [{ spare: () => 1 }, { spare: () => 0 }]

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
  expect(rate.take('owner', 200)).toBe(0)
})

it('a command to more agents is accepted once, and the next one waits for the rest of it', () => {
  const rate = new CommandRate(50_000, busy)
  expect(rate.take('owner', 5000)).toBe(0)
  expect(rate.take('owner', 1)).toBe(325)
})

it('commands that were left before the replica became busy are not left any more', () => {
  let spare = 1
  const rate = new CommandRate(50_000, { spare: () => spare })
  expect(rate.take('owner', 1)).toBe(0)
  spare = 0
  expect(rate.take('owner', 500)).toBe(0)
  expect(rate.take('owner', 500)).toBeGreaterThan(0)
})

it('a higher limit per hour permits a hundredth of it at once on a busy replica', () => {
  const rate = new CommandRate(1_000_000, busy)
  expect(rate.take('owner', 6000)).toBe(0)
  expect(rate.take('owner', 4000)).toBe(0)
  expect(rate.take('owner', 4000)).toBeGreaterThan(0)
})

import { healthDefaults } from '@manc/contract'
import { beforeEach, describe, expect, it } from 'vitest'
import { MonitoredAgents } from './monitored-agents.rules.ts'

const row = (apId: string, intervalS: number) => ({
  apId,
  state: 'online' as 'online' | 'stale',
  intervalS,
  technology: 'WiFi' as const,
  kpiHealth: 'good' as const,
  reasons: [],
})

let agents: MonitoredAgents

beforeEach(() => {
  agents = new MonitoredAgents(healthDefaults)
})

/** One run of the service: what was found is written. */
function runOnce(lagMs = 0): Record<string, string> {
  agents.advanceClock(1000)
  const silent = agents.silent(lagMs)
  agents.silentWritten(silent)
  return Object.fromEntries(silent.map(({ apId, state }) => [apId, state]))
}

/** Sends a sample, and claims the agent. */
function begin(apId: string, intervalS: number): void {
  agents.recordSample(apId)
  agents.claimed([apId], [row(apId, intervalS)])
}

describe('agents that fall silent', () => {
  it('are stale after two intervals and offline after three, once each', () => {
    begin('a', 10)
    const found = Array.from({ length: 40 }, (_, n) => [n + 1, runOnce()] as const)
    // Its sample counts as one of the run after it.
    expect(found.filter(([, changes]) => changes['a'])).toEqual([
      [21, { a: 'stale' }],
      [31, { a: 'offline' }],
    ])
  })

  it('are not silent while they send', () => {
    begin('a', 5)
    for (let second = 0; second < 60; second++) {
      if (second % 5 === 0) agents.recordSample('a')
      expect(runOnce(), `second ${second}`).toEqual({})
    }
  })

  it('are reported again in each run until the change is written', () => {
    begin('a', 1)
    agents.advanceClock(3000)
    expect(agents.silent(0)).toMatchObject([{ apId: 'a', state: 'stale' }])
    agents.advanceClock(1000)
    expect(agents.silent(0)).toMatchObject([{ apId: 'a', state: 'offline' }])
    agents.advanceClock(1000)
    expect(agents.silent(0)).toHaveLength(1)
  })

  it('wait for delayed samples', () => {
    begin('a', 1)
    const delayed = Array.from({ length: 7 }, () => runOnce(4000)['a'])
    expect(delayed.findIndex(Boolean)).toBe(6)
    expect(delayed.at(-1)).toBe('stale')
    expect(runOnce()).toEqual({ a: 'offline' })
  })

  it('are claimed again after a sample, with the interval that they have then', () => {
    begin('a', 10)
    for (let second = 0; second < 21; second++) runOnce()
    expect(agents.toClaim()).toEqual([])
    agents.recordSample('a')
    expect(agents.toClaim()).toEqual(['a'])
    agents.claimed(['a'], [row('a', 1)])
    expect(agents.toClaim()).toEqual([])
    expect(Array.from({ length: 4 }, () => runOnce()['a'])).toEqual([
      undefined,
      undefined,
      'stale',
      'offline',
    ])
  })

  it('are claimed again if they sent while they were written as stale or offline', () => {
    begin('a', 1)
    begin('b', 1)
    agents.advanceClock(3000)
    const stale = agents.silent(0)
    agents.recordSample('a')
    agents.silentWritten(stale)
    expect(agents.toClaim()).toEqual(['a'])
    agents.claimed(['a'], [row('a', 1)])
    agents.advanceClock(1000)
    const offline = agents.silent(0)
    expect(offline).toMatchObject([{ apId: 'b', state: 'offline' }])
    agents.recordSample('b')
    agents.silentWritten(offline)
    expect(agents.toClaim()).toEqual(['b'])
  })
})

describe('agents of other monitors', () => {
  it('are not claimed or reported after their release', () => {
    begin('a', 1)
    runOnce()
    runOnce()
    expect(runOnce()).toEqual({ a: 'stale' })
    agents.recordSample('a')
    agents.release(['a'])
    expect(agents.toClaim()).toEqual([])
    expect(runOnce()).toEqual({})
  })

  it('are reported once when they were released and adopted again', () => {
    begin('a', 10)
    agents.release(['a'])
    agents.adopt([row('a', 1)])
    expect(Array.from({ length: 40 }, () => runOnce()['a']).filter(Boolean)).toEqual(['stale', 'offline'])
  })

  it('have one and a half intervals for a sample if they were stale', () => {
    agents.adopt([{ ...row('a', 10), state: 'stale' }])
    const states = Array.from({ length: 20 }, () => runOnce()['a'])
    expect(states.findIndex((state) => state === 'offline')).toBe(14)
  })

  it('are forgotten if they are not registered', () => {
    agents.recordSample('a')
    agents.claimed(['a'], [])
    expect(agents.toClaim()).toEqual([])
    expect(runOnce()).toEqual({})
  })
})

it('finds the same as a look at every agent in each run', () => {
  const intervals = [1, 2, 3, 5, 7, 11]
  const intervalOf = (apId: string) => intervals[Number(apId) % intervals.length] ?? 1
  const all = Array.from({ length: 30 }, (_, n) => String(n))
  const seenAt = new Map<string, number>()
  const states = new Map<string, string>()
  let random = 7
  const isChosen = (odds: number) => (random = (random * 48_271) % 2_147_483_647) % odds === 0
  let changes = 0
  for (let second = 1; second <= 300; second++) {
    const senders = all.filter((apId) => isChosen(intervalOf(apId) * 2))
    for (const apId of senders) {
      agents.recordSample(apId)
      seenAt.set(apId, second)
    }
    const unclaimed = senders.filter((apId) => states.get(apId) !== 'online')
    expect(agents.toClaim().toSorted()).toEqual(unclaimed.toSorted())
    for (const apId of unclaimed) states.set(apId, 'online')
    agents.claimed(
      unclaimed,
      unclaimed.map((apId) => row(apId, intervalOf(apId))),
    )
    const expected: Record<string, string> = {}
    for (const [apId, at] of seenAt) {
      const missed = (second - at) / intervalOf(apId)
      const state = missed >= 3 ? 'offline' : 'stale'
      if (missed >= 2 && state !== states.get(apId)) expected[apId] = state
    }
    expect(runOnce(), `second ${second}`).toEqual(expected)
    for (const [apId, state] of Object.entries(expected)) states.set(apId, state)
    changes += Object.keys(expected).length
  }
  expect(changes).toBeGreaterThan(100)
})

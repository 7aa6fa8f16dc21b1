import { describe, expect, it } from 'vitest'
import { AirGroups } from './air-groups.ts'
import { DawnLike } from './baselines/dawn-like.ts'
import { StrongestSignal } from './baselines/strongest-signal.ts'
import { UsteerLike } from './baselines/usteer-like.ts'
import { OverlapGraph } from './overlap-graph.ts'
import { RateCurve } from './rate-curve.ts'
import { Rhythm } from './rhythm.ts'
import { fairLevel } from './sharing.ts'
import { accessPoint, client, viewOf } from './test-views.ts'
import type { Policy, Proposal, View } from './view.types.ts'

describe('a fair division', () => {
  it('gives all that is needed, or all that there is, and no one more than the level', () => {
    for (let n = 1; n < 200; n++) {
      const needs = Float64Array.from({ length: 1 + (n % 9) }, (_, k) => ((n * 37 + k * 101) % 50) / 100)
      const capacity = (n % 20) / 10 + 0.05
      const level = fairLevel(needs, needs.length, capacity)
      const given = needs.reduce((sum, need) => sum + Math.min(need, level), 0)
      const needed = needs.reduce((sum, need) => sum + need, 0)
      expect(given).toBeCloseTo(Math.min(needed, capacity), 6)
    }
  })
})

describe('air', () => {
  it('is shared by WiFi on one channel that hears each other, and by no other', () => {
    const accessPoints = [
      accessPoint('WiFi', 0, { channel: 36, others: 0.2 }),
      accessPoint('WiFi', 20, { channel: 36 }),
      accessPoint('WiFi', 20, { channel: 52 }),
      accessPoint('WiFi', 500, { channel: 36 }),
      accessPoint('5G', 20, { channel: 36 }),
    ]
    const air = new AirGroups(accessPoints)
    expect(air.withNeighbours(0)).toEqual([0, 1])
    const needed = Float64Array.from([2, 0.1, 5, 5, 5])
    expect(air.capacityOf(0, needed)).toBeCloseTo(0.97 * 0.8 - 0.1, 6)
    expect(air.capacityOf(4, needed)).toBeCloseTo(0.97, 6)
  })
})

describe('the curve of rates', () => {
  it('comes from the rates of attached clients', () => {
    const curve = new RateCurve()
    for (let n = 0; n < 400; n++) curve.learn('WiFi', -60.5, 123)
    expect(curve.rateOf('WiFi', -60.1)).toBeCloseTo(123, 0)
    expect(curve.rateOf('WiFi', -50)).toBeGreaterThan(300)
  })
})

describe('a rhythm', () => {
  it('is known after three begins at equal intervals, and forgotten when one does not come', () => {
    const rhythm = new Rhythm()
    const lamp = accessPoint('LiFi', 0)
    const expected: number[] = []
    for (let s = 0; s < 1000; s++) {
      lamp.isBlocked = s % 200 >= 30 && s % 200 < 60 && s < 700
      rhythm.update(viewOf(s, [lamp], []))
      if (rhythm.untilNext(0, s) === 10) expected.push(s)
    }
    expect(expected).toEqual([620, 820])
    expect(rhythm.untilNext(0, 999)).toBe(Number.POSITIVE_INFINITY)
  })
})

describe('the graph of overlaps', () => {
  it('learns from what clients hear, and keeps what is known of one that is asleep', () => {
    const accessPoints = [accessPoint('WiFi', 0), accessPoint('WiFi', 15), accessPoint('WiFi', 400)]
    const graph = new OverlapGraph(accessPoints)
    expect([graph.overlap(0, 1), graph.overlap(0, 2)]).toEqual([0.85, 0])
    const one = client(0, [
      [0, -60],
      [1, -60],
    ])
    for (let s = 0; s < 400; s++) graph.update(viewOf(s, accessPoints, [one]))
    expect(graph.overlap(0, 1)).toBeGreaterThan(0.99)
    expect(graph.aloneAt(0)).toBeLessThan(0.01)
    accessPoints[1] = { ...accessPoint('WiFi', 15), isOn: false }
    one.heard = [{ accessPoint: 0, signal: -60 }]
    for (let s = 400; s < 800; s++) graph.update(viewOf(s, accessPoints, [one]))
    expect(graph.overlap(0, 1)).toBeGreaterThan(0.99)
    expect(graph.aloneAt(0)).toBeGreaterThan(0.99)
    expect(graph.coverage(0, () => true)).toBeGreaterThan(0.99)
  })
})

/** The proposals of some seconds, none of which is carried out. */
function proposalsOf(policy: Policy, seconds: number, view: (s: number) => View): Proposal[] {
  return Array.from({ length: seconds }, (_, s) => policy.decide(view(s))).flat()
}

describe('policies of others', () => {
  const weak = () => [
    accessPoint('WiFi', 0, { utilisation: 0.9 }),
    accessPoint('WiFi', 20),
    accessPoint('5G', 90),
  ]
  const clients = Array.from({ length: 12 }, (_, n) =>
    client(n, [
      [0, -70 + n / 10],
      [1, -66],
      [2, -114],
    ]),
  )

  it('strongest signal moves each client that hears a clearly stronger one', () => {
    const proposals = proposalsOf(new StrongestSignal(), 1, (s) => viewOf(s, weak(), clients))
    expect(proposals).toHaveLength(9)
    expect(proposals[0]).toMatchObject({ kind: 'steer', from: 0, to: 1 })
  })

  it('usteer-like sends the weakest client of a busy access point away after 10 s, one at a time', () => {
    const proposals = proposalsOf(new UsteerLike(), 22, (s) => viewOf(s, weak(), clients))
    expect(proposals.map((one) => (one.kind === 'steer' ? [one.client, one.to] : []))).toEqual([
      [0, 1],
      [0, 1],
    ])
  })

  it('DAWN-like moves a client when another has a score better by 20 three times running', () => {
    const accessPoints = [accessPoint('WiFi', 0, { utilisation: 0.9 }), accessPoint('WiFi', 20)]
    const one = client(0, [
      [0, -65],
      [1, -58],
    ])
    const slow = proposalsOf(new DawnLike(), 31, (s) => viewOf(s, accessPoints, [one]))
    expect(slow).toHaveLength(1)
    one.deliveredMbps = 10
    expect(proposalsOf(new DawnLike(), 31, (s) => viewOf(s, accessPoints, [one]))).toEqual([])
  })
})

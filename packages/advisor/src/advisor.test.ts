import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { Advisor } from './advisor.ts'
import { type PolicyFile, parsePolicy, policyFileSchema } from './policy-file.ts'
import { accessPoint, client, viewOf } from './test-views.ts'
import type { AccessPointView, ClientView, Proposal } from './view.types.ts'

const folder = path.join(import.meta.dirname, '../policies')
const read = (name: string): unknown => JSON.parse(readFileSync(path.join(folder, name), 'utf8'))
const policyOf = (name: string, more: Partial<PolicyFile> = {}): PolicyFile => ({
  ...parsePolicy(read(`${name}.json`)),
  ...more,
})

/** Runs seconds, in which moves are carried out unless `answer` refuses them, and returns all proposals with their seconds. */
function follow(
  advisor: Advisor,
  seconds: readonly [number, number],
  accessPoints: readonly AccessPointView[],
  clients: readonly ClientView[],
  each: (s: number) => void = () => {},
  accepts: (client: number) => boolean = () => true,
): (Proposal & { s: number })[] {
  const all: (Proposal & { s: number })[] = []
  for (let s = seconds[0]; s < seconds[1]; s++) {
    each(s)
    const view = viewOf(s, accessPoints, clients)
    const proposals = advisor.decide(view)
    const outcomes = proposals.map((proposal) => {
      all.push({ ...proposal, s })
      const done = proposal.kind !== 'steer' || accepts(proposal.client)
      if (proposal.kind === 'steer' && done) {
        const one = clients[proposal.client] as ClientView
        one.accessPoint = proposal.to
        one.signal = one.heard.find(({ accessPoint: at }) => at === proposal.to)?.signal ?? 0
      } else if (proposal.kind !== 'steer') {
        const one = accessPoints[proposal.accessPoint] as AccessPointView
        one.isAsleep = proposal.kind === 'sleep'
        one.isOn = !one.isAsleep
        for (const member of clients)
          if (one.isAsleep && member.accessPoint === proposal.accessPoint) {
            const other = member.heard.find(({ accessPoint: at }) => accessPoints[at]?.isOn)
            member.accessPoint = other?.accessPoint ?? -1
          }
      }
      return { proposal, done, status: done ? 0 : 1 }
    })
    advisor.learn(outcomes, view)
  }
  return all
}

describe('a policy file', () => {
  it('of each policy is valid, and its schema is that of the code', () => {
    const files = readdirSync(folder).filter((name) => name !== 'schema.json')
    expect(files.sort()).toEqual([
      'best-experience.json',
      'energy-first.json',
      'lifi-first.json',
      'load-balancing.json',
    ])
    for (const name of files) expect(`${parsePolicy(read(name)).name}.json`).toBe(name)
    expect(read('schema.json')).toEqual(JSON.parse(JSON.stringify(policyFileSchema)))
  })

  it('that is not valid is refused with the place of the problem', () => {
    expect(() => parsePolicy({ ...policyOf('lifi-first'), fairness: 9 })).toThrow('/fairness')
    expect(() => parsePolicy({ ...policyOf('lifi-first'), other: 1 })).toThrow('schema.json')
  })
})

/** A busy WiFi access point with twenty clients, all of which hear an idle one. */
function crowded() {
  const accessPoints = [
    accessPoint('WiFi', 1, { load: 1, utilisation: 1 }),
    accessPoint('WiFi', 20, { channel: 36 }),
  ]
  const clients = Array.from({ length: 20 }, (_, n) =>
    client(n, [
      [0, -60],
      [1, -62],
    ]),
  )
  for (const one of clients) one.rateMbps = 50
  return { accessPoints, clients }
}

describe('the advisor', () => {
  it('divides clients of a crowded access point with an idle one that they hear', () => {
    const { accessPoints, clients } = crowded()
    const proposals = follow(new Advisor(policyOf('best-experience')), [100, 130], accessPoints, clients)
    const there = clients.filter((one) => one.accessPoint === 1).length
    expect(there).toBeGreaterThanOrEqual(7)
    expect(there).toBeLessThanOrEqual(14)
    for (const proposal of proposals)
      expect(proposal.expected.afterMbps).toBeGreaterThan(proposal.expected.beforeMbps ?? 0)
  })

  it('moves nothing where nothing is gained', () => {
    const { accessPoints, clients } = crowded()
    for (const one of clients) one.rateMbps = 900
    for (const one of accessPoints) one.load = 0.2
    expect(follow(new Advisor(policyOf('best-experience')), [100, 200], accessPoints, clients)).toEqual([])
  })

  it('does not move a client again before its stay, and asks one that refused no more', () => {
    const { accessPoints, clients } = crowded()
    const last = new Map<number, number>()
    let asked = 0
    const proposals = follow(
      new Advisor(policyOf('best-experience')),
      [100, 400],
      accessPoints,
      clients,
      (s) => {
        // Clients come back by themselves.
        if (s % 50 === 0) for (const one of clients) one.accessPoint = 0
      },
      (index) => {
        if (index === 3) asked += 1
        return index !== 3
      },
    )
    for (const proposal of proposals) {
      if (proposal.kind !== 'steer') continue
      expect(proposal.s - (last.get(proposal.client) ?? -1000)).toBeGreaterThan(11)
      last.set(proposal.client, proposal.s)
    }
    expect(proposals.length).toBeGreaterThan(20)
    expect(asked).toBeLessThanOrEqual(1)
  })

  it('leaves a luminaire in the second in which the light goes out, and before a blockage with a known period', () => {
    const accessPoints = [accessPoint('LiFi', 1), accessPoint('WiFi', 5)]
    const own = client(0, [
      [0, 30],
      [1, -55],
    ])
    own.rateMbps = 250
    const blocked = (s: number) => s % 100 >= 50 && s % 100 < 70
    const proposals = follow(
      new Advisor(policyOf('lifi-first', { preference: { '5G': 1, WiFi: 1, LiFi: 3 }, outage_aversion: 0 })),
      [0, 460],
      accessPoints,
      [own],
      (s) => {
        const luminaire = accessPoints[0] as AccessPointView
        luminaire.isBlocked = blocked(s)
        // It comes back when the light is back for a while.
        if (s % 100 === 90) own.accessPoint = 0
        own.signal = own.accessPoint === 1 ? -55 : blocked(s) ? -20 : 30
        own.heard = blocked(s) ? [{ accessPoint: 1, signal: -55 }] : own.heard
        if (!blocked(s))
          own.heard = [
            { accessPoint: 0, signal: 30 },
            { accessPoint: 1, signal: -55 },
          ]
      },
    )
    const leaves = proposals.filter((one) => one.kind === 'steer' && one.to === 1).map(({ s }) => s)
    expect(leaves).toEqual([50, 150, 250, 348, 448])
  })
})

describe('sleep', () => {
  const quiet = () => [
    accessPoint('WiFi', 1),
    accessPoint('WiFi', 10, { channel: 36 }),
    accessPoint('WiFi', 500, { channel: 52 }),
  ]

  it('is proposed for one of two that cover each other, never for one whose client has no alternative', () => {
    const accessPoints = quiet()
    const clients = [
      client(0, [
        [0, -60],
        [1, -60],
      ]),
      client(1, [
        [1, -60],
        [0, -60],
      ]),
      client(2, [[2, -60]]),
    ]
    const proposals = follow(new Advisor(policyOf('energy-first')), [0, 600], accessPoints, clients)
    expect(proposals.filter(({ kind }) => kind === 'sleep')).toHaveLength(1)
    expect(accessPoints.filter(({ isAsleep }) => isAsleep)).toHaveLength(1)
    expect(accessPoints[2]?.isAsleep).toBe(false)
  })

  it('ends before the others are full', () => {
    const accessPoints = quiet()
    const clients = [
      client(0, [
        [0, -60],
        [1, -60],
      ]),
      client(1, [
        [1, -60],
        [0, -60],
      ]),
    ]
    const proposals = follow(new Advisor(policyOf('energy-first')), [0, 1200], accessPoints, clients, (s) => {
      for (const one of accessPoints) one.load = one.isOn && s > 600 ? Math.min(1, (s - 600) / 300) : 0
    })
    const woken = proposals.find(({ kind }) => kind === 'wake')
    expect(woken?.s).toBeGreaterThan(700)
    expect(woken?.s).toBeLessThan(870)
  })
})

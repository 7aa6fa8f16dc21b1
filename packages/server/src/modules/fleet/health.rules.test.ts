import { type HealthRule, healthDefaults, type Technology } from '@manc/contract'
import { describe, expect, it } from 'vitest'
import { HealthPlan, HealthTracker, type StoredHealth } from './health.rules.ts'

const start = Date.parse('2026-03-01T12:00:00Z')
const at = (s: number) => new Date(start + s * 1000).toISOString()
const unknown: StoredHealth = { kpiHealth: 'unknown', reasons: [] }

/** An access point that sends samples at seconds of its clock. */
class Agent {
  readonly #rule: HealthRule
  readonly #technology: Technology
  #tracker: HealthTracker

  constructor(stored: StoredHealth = unknown, technology: Technology = 'WiFi', rule = healthDefaults) {
    this.#tracker = new HealthTracker(stored)
    this.#technology = technology
    this.#rule = rule
  }

  send(s: number, sample: Record<string, number>): boolean {
    const steps = new HealthPlan(Object.keys(sample)).steps(this.#technology)
    return this.#tracker.record(steps, Object.values(sample), start + s * 1000, this.#rule)
  }

  /** Every 10 s from one second to another, both included. Answers the healths. */
  sendAll(from: number, to: number, sample: Record<string, number>): string[] {
    const healths: string[] = []
    for (let s = from; s <= to; s += 10) {
      this.send(s, sample)
      healths.push(this.health)
    }
    return healths
  }

  restart(): void {
    this.#tracker = new HealthTracker({ kpiHealth: this.#tracker.kpiHealth, reasons: this.reasons })
  }

  get health() {
    return this.#tracker.kpiHealth
  }

  get reasons() {
    return this.#tracker.reasons
  }
}

describe('the health of an access point', () => {
  it('is unknown without a KPI that has thresholds, and good with the first good sample', () => {
    const agent = new Agent()
    expect(agent.send(0, { clients: 5, uptime_s: 9 })).toBe(false)
    expect(agent.health).toBe('unknown')
    expect(agent.send(10, { load_pct: 20, latency_ms: 5 })).toBe(true)
    expect(agent.health).toBe('good')
  })

  it('is not good while one of its first KPIs is not', () => {
    const agent = new Agent()
    expect(agent.sendAll(0, 30, { load_pct: 99, latency_ms: 5 })).toEqual([
      'unknown',
      'unknown',
      'unknown',
      'bad',
    ])
  })

  it('is bad once a KPI has been bad for 30 s, with the value and the time of the first bad sample', () => {
    const agent = new Agent()
    agent.send(0, { load_pct: 20 })
    expect(agent.sendAll(10, 40, { load_pct: 98 })).toEqual(['good', 'good', 'good', 'bad'])
    expect(agent.reasons).toEqual([{ kpi: 'load_pct', level: 'bad', value: 98, since: at(10) }])
  })

  it('needs three samples, however long they take', () => {
    const agent = new Agent()
    agent.send(0, { load_pct: 20 })
    agent.send(100, { load_pct: 98 })
    agent.send(200, { load_pct: 98 })
    expect(agent.health).toBe('good')
    agent.send(300, { load_pct: 98 })
    expect(agent.health).toBe('bad')
  })

  it('does not change when a KPI is bad now and then', () => {
    const agent = new Agent()
    for (let s = 0; s < 600; s += 10) agent.send(s, { load_pct: s % 30 === 0 ? 20 : 99 })
    expect(agent.health).toBe('good')
  })

  it('is degraded while a KPI changes between degraded and bad', () => {
    const agent = new Agent()
    for (let s = 0; s <= 60; s += 10) agent.send(s, { load_pct: s % 20 === 0 ? 85 : 99 })
    expect(agent.health).toBe('degraded')
    expect(agent.reasons).toEqual([{ kpi: 'load_pct', level: 'degraded', value: 85, since: at(0) }])
  })

  it('is better again once the KPI has been better for 30 s', () => {
    const agent = new Agent()
    agent.sendAll(0, 30, { load_pct: 99 })
    expect(agent.sendAll(40, 60, { load_pct: 85 })).toEqual(['bad', 'bad', 'bad'])
    expect(agent.sendAll(70, 90, { load_pct: 20 })).toEqual(['degraded', 'degraded', 'degraded'])
    expect(agent.reasons).toEqual([{ kpi: 'load_pct', level: 'degraded', value: 85, since: at(40) }])
    expect(agent.sendAll(100, 100, { load_pct: 20 })).toEqual(['good'])
    expect(agent.reasons).toEqual([])
  })

  it('goes from bad to good at once when the KPI is good for 30 s', () => {
    const agent = new Agent()
    agent.sendAll(0, 30, { latency_ms: 500 })
    expect(agent.sendAll(40, 70, { latency_ms: 5 })).toEqual(['bad', 'bad', 'bad', 'good'])
  })

  it('is the worst of the KPIs, with all reasons, the worst first', () => {
    const agent = new Agent()
    agent.sendAll(0, 30, { latency_ms: 70, packet_loss_pct: 1, load_pct: 97, signal_quality: 0.2 })
    expect(agent.health).toBe('bad')
    expect(agent.reasons.map(({ kpi, level }) => `${kpi} ${level}`)).toEqual([
      'load_pct bad',
      'latency_ms degraded',
      'signal_quality degraded',
    ])
  })

  it('reports a change once, and not for each sample that stays bad', () => {
    const agent = new Agent()
    const changes = Array.from({ length: 60 }, (_, n) => agent.send(n * 10, { load_pct: 96 + (n % 4) }))
    expect(changes.filter(Boolean)).toHaveLength(1)
  })

  it('is not changed by a late sample', () => {
    const agent = new Agent()
    agent.send(1000, { load_pct: 20 })
    agent.sendAll(0, 900, { load_pct: 99 })
    expect(agent.health).toBe('good')
  })

  it('is not changed by a restart, and is cleared after it like before', () => {
    const agent = new Agent()
    agent.sendAll(0, 30, { load_pct: 99, latency_ms: 80 })
    const before = agent.reasons
    agent.restart()
    expect([agent.health, agent.reasons]).toEqual(['bad', before])
    agent.send(40, { load_pct: 20, latency_ms: 5 })
    expect([agent.health, agent.reasons]).toEqual(['bad', before])
    expect(agent.sendAll(50, 70, { load_pct: 20, latency_ms: 5 })).toEqual(['bad', 'bad', 'good'])
    agent.restart()
    agent.send(80, { load_pct: 99 })
    expect(agent.health).toBe('good')
  })

  it('does not count a KPI that is no longer sent, after 20 minutes', () => {
    const agent = new Agent()
    agent.sendAll(0, 30, { load_pct: 99, latency_ms: 5 })
    expect(agent.sendAll(40, 1230, { latency_ms: 5 }).at(-1)).toBe('bad')
    expect(agent.sendAll(1240, 1240, { latency_ms: 5 })).toEqual(['good'])
  })

  it('does not count the signal while there are no clients', () => {
    const agent = new Agent()
    expect(agent.sendAll(0, 60, { clients: 0, signal_quality: 0 }).at(-1)).toBe('unknown')
    expect(agent.sendAll(70, 100, { clients: 1, signal_quality: 0 }).at(-1)).toBe('bad')
  })

  it('uses the names and units of standards, and the technology for the signal', () => {
    const cell = new Agent(unknown, '5G')
    cell.sendAll(0, 30, { 'RRU.PrbTotDl': 97, 'DRB.AirIfDelayDl': 700, snr: -8 })
    expect(cell.reasons.map(({ kpi, level, value }) => [kpi, level, value])).toEqual([
      ['load_pct', 'bad', 97],
      ['signal_quality', 'bad', 0],
      ['latency_ms', 'degraded', 70],
    ])
    const other = new Agent(unknown, 'other')
    other.sendAll(0, 30, { snr: -8 })
    expect(other.health).toBe('unknown')
  })

  it('changes after the seconds of the setting', () => {
    const agent = new Agent(unknown, 'WiFi', { ...healthDefaults, seconds: 2 })
    for (const s of [0, 1, 2]) agent.send(s, { load_pct: 99 })
    expect(agent.health).toBe('bad')
  })
})

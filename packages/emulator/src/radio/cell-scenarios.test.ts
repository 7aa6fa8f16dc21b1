import { describe, expect, it } from 'vitest'
import { type Technology, technologies } from './index.ts'
import { cellOf, every, hourMs, meanOf, startMs } from './test-cells.ts'

describe('a scenario', () => {
  const early = [0, 0.12] as const
  const middle = [0.46, 0.54] as const

  it('rush_hour has its peak in the middle', () => {
    for (const technology of technologies)
      for (const metric of ['clients', 'throughput_mbps', 'load_pct', 'power_w', 'latency_ms'])
        expect(meanOf(technology, 'rush_hour', metric, middle)).toBeGreaterThan(
          meanOf(technology, 'rush_hour', metric, early),
        )
  })

  it('lifi_beam_blocked takes clients from LiFi, which come to the others at the same time', () => {
    const lamp = cellOf('LiFi', 'lifi_beam_blocked')
    const samples = every(startMs, startMs + hourMs, 10_000, (ms) => [ms, lamp.sampleAt(ms)] as const)
    const blocked = samples.filter(([, sample]) => sample?.['blockage'] === 1).map(([ms]) => ms)
    const free = samples.filter(([, sample]) => sample?.['blockage'] === 0).map(([ms]) => ms)
    const begins = blocked.filter((ms) => free.includes(ms - 10_000)).length
    expect(begins).toBe(6)
    const mean = (technology: Technology, metric: string, moments: readonly number[]) => {
      let sum = 0
      for (let seed = 0; seed < 10; seed++) {
        const cell = cellOf(technology, 'lifi_beam_blocked', { seed: `blocked ${seed}` })
        for (const ms of moments) sum += cell.sampleAt(ms)?.[metric] ?? 0
      }
      return sum / moments.length
    }
    expect(mean('LiFi', 'clients', blocked)).toBeLessThan(0.4 * mean('LiFi', 'clients', free))
    expect(mean('LiFi', 'signal_quality', blocked)).toBeLessThan(0.6 * mean('LiFi', 'signal_quality', free))
    expect(mean('LiFi', 'illuminance_lux', blocked)).toBeLessThan(mean('LiFi', 'illuminance_lux', free))
    for (const technology of ['5G', 'WiFi'] as const)
      expect(mean(technology, 'clients', blocked)).toBeGreaterThan(1.2 * mean(technology, 'clients', free))
  })

  it('backhaul_cut stops the traffic but not the radio', () => {
    for (const technology of technologies) {
      const of = (metric: string, part: readonly [number, number]) =>
        meanOf(technology, 'backhaul_cut', metric, part)
      expect(of('throughput_mbps', middle)).toBeLessThan(0.01 * of('throughput_mbps', early))
      expect(of('latency_ms', middle)).toBeGreaterThan(1000)
      expect(of('packet_loss_pct', middle)).toBeGreaterThan(90)
      expect(of('signal_quality', middle)).toBeGreaterThan(0.7 * of('signal_quality', early))
      expect(of('clients', middle)).toBeGreaterThan(0.7 * of('clients', early))
      expect(of('latency_ms', [0.7, 0.8])).toBeLessThan(100)
    }
  })

  it('access_point_failure stops telemetry once, at a different time for each seed, and then boots', () => {
    const begins = new Set<number>()
    for (let seed = 0; seed < 10; seed++) {
      const cell = cellOf('WiFi', 'access_point_failure', { seed: `failure ${seed}` })
      const samples = every(startMs, startMs + hourMs, 1000, (ms) => cell.sampleAt(ms))
      const from = samples.findIndex((sample) => sample === undefined)
      const to = samples.findLastIndex((sample) => sample === undefined)
      begins.add(from)
      expect(samples.filter((sample) => sample === undefined)).toHaveLength(to - from + 1)
      expect(to - from + 1).toBe(540)
      expect(samples[to + 1]?.['clients']).toBe(0)
      expect(samples[to + 100]?.['uptime_s']).toBeLessThan(100)
      expect(samples[from - 1]?.['uptime_s']).toBeGreaterThan(1000)
    }
    expect(begins.size).toBe(10)
  })
})

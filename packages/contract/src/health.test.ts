import { describe, expect, it } from 'vitest'
import { type HealthReason, healthKpis, reasonText } from './health.ts'

const now = Date.parse('2026-03-01T12:00:00Z')
const reason = (kpi: HealthReason['kpi'], value: number, agoS = 0): HealthReason => ({
  kpi,
  level: 'bad',
  value,
  since: new Date(now - agoS * 1000).toISOString(),
})

describe('the reason of a health', () => {
  it('names each KPI with its value and unit, and how long it has lasted', () => {
    expect(reasonText([reason('load_pct', 98.4, 250), reason('packet_loss_pct', 9.04, 59)], now)).toBe(
      'load 98 % for 4 min; packet loss 9 %',
    )
  })

  it('is null without reasons', () => {
    expect(reasonText([], now)).toBeNull()
  })

  it('has two digits of small values and no unit where the KPI has none', () => {
    expect(reasonText([reason('signal_quality', 0.0823)], now)).toBe('signal quality 0.082')
    expect(reasonText([reason('signal_quality', 0)], now)).toBe('signal quality 0')
    expect(reasonText([reason('latency_ms', 2512.4)], now)).toBe('latency 2512 ms')
  })

  it('has hours and days of a long time', () => {
    const lasting = (hours: number) => reasonText([reason('load_pct', 98, hours * 3600)], now)
    expect([3.9, 47.9, 48].map(lasting)).toEqual([
      'load 98 % for 3 h',
      'load 98 % for 47 h',
      'load 98 % for 2 d',
    ])
  })
})

it('the health is made of the KPIs with thresholds', () => {
  expect(healthKpis).toEqual(['latency_ms', 'packet_loss_pct', 'load_pct', 'signal_quality'])
})

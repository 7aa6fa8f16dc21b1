import { describe, expect, it } from 'vitest'
import { healthKpis } from './health.ts'
import { findKpis } from './kpi-sources.ts'
import { type KpiName, kpiNames } from './kpis.ts'
import type { Technology } from './technologies.ts'

function read(sample: Record<string, number>, technology: Technology = 'WiFi', wanted = healthKpis) {
  const values = Object.values(sample)
  return Object.fromEntries(
    findKpis(Object.keys(sample), technology, wanted).map(({ kpi, at, toKpi }) => [
      kpi,
      Number(((values[at] ?? Number.NaN) * toKpi.factor + toKpi.offset).toFixed(6)),
    ]),
  )
}

describe('the KPIs of a sample', () => {
  it('are found under their names', () => {
    expect(read({ clients: 3, load_pct: 40, latency_ms: 5 })).toEqual({ load_pct: 40, latency_ms: 5 })
  })

  it('are converted from the units of 3GPP, TR-181 and OpenConfig', () => {
    expect(read({ 'RRU.PrbTotDl': 71, 'DRB.AirIfDelayDl': 125, 'DRB.PacketLossRateUu': 20_000 })).toEqual({
      load_pct: 71,
      latency_ms: 12.5,
      packet_loss_pct: 2,
    })
    expect(read({ 'Radio.Utilization': 255, AverageResponseTime: 9 })).toEqual({
      load_pct: 100,
      latency_ms: 9,
    })
    expect(read({ 'total-channel-utilization': 33, 'avg-delay': 61_000, 'loss-percentage': 4 })).toEqual({
      load_pct: 33,
      latency_ms: 61,
      packet_loss_pct: 4,
    })
    expect(read({ 'PEE.AvgPower': 140, 'num-associated-clients': 7 }, '5G', [...kpiNames])).toEqual({
      power_w: 140,
      clients: 7,
    })
  })

  it('are found with underscores instead of dots and dashes, as in nested objects', () => {
    expect(read({ RRU_PrbTotDl: 71, avg_delay: 5000 })).toEqual({ load_pct: 71, latency_ms: 5 })
  })

  it('are taken from their own name first, and from one metric only', () => {
    expect(read({ 'RRU.PrbTotUl': 10, 'RRU.PrbTotDl': 20, load_pct: 30 })).toEqual({ load_pct: 30 })
    expect(read({ 'RRU.PrbTotUl': 10, 'RRU.PrbTotDl': 20 })).toEqual({ load_pct: 20 })
  })

  it('have a signal quality from the signal-to-noise ratio by technology', () => {
    const quality = (technology: Technology, snr: number) => read({ snr }, technology)
    expect(quality('5G', 10)).toEqual({ signal_quality: 0.5 })
    expect(quality('WiFi', 5)).toEqual({ signal_quality: 0 })
    expect(quality('LiFi', 40)).toEqual({ signal_quality: 1 })
    expect(quality('other', 40)).toEqual({})
  })

  it('do not include metrics that one value cannot convert', () => {
    const names: KpiName[] = [...kpiNames]
    expect(
      read({ 'L1M.SS-RSRP': -80, SignalStrength: -60, 'DRB.UEThpDl': 9000, tx_bytes: 5 }, '5G', names),
    ).toEqual({})
  })
})

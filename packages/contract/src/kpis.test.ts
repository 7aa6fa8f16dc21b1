import { describe, expect, it } from 'vitest'
import { kpiNames, kpis, levelOf } from './kpis.ts'

describe('the level of a KPI', () => {
  it('is bad and degraded from the thresholds on, in the direction of the KPI', () => {
    expect([79.9, 80, 94.9, 95].map((value) => levelOf('load_pct', value))).toEqual([
      'good',
      'degraded',
      'degraded',
      'bad',
    ])
    expect([0.31, 0.3, 0.1].map((value) => levelOf('signal_quality', value))).toEqual([
      'good',
      'degraded',
      'bad',
    ])
  })

  it('is undefined without thresholds', () => {
    expect(levelOf('clients', 1000)).toBeUndefined()
  })

  it('has thresholds in the direction of the KPI', () => {
    const wrong = kpiNames.filter((name) => {
      const { thresholds, better } = kpis[name]
      return thresholds && better !== (thresholds.bad > thresholds.degraded ? 'less' : 'more')
    })
    expect(wrong).toEqual([])
  })
})

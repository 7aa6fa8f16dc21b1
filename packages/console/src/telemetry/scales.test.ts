import { expect, it } from 'vitest'
import { scaleEndsOf, thresholdsOf } from './scales.ts'

it('percentages have a scale up to 100, packet loss a shorter one while it is enough', () => {
  expect(scaleEndsOf('load_pct', '%')).toEqual([100])
  expect(scaleEndsOf('packet_loss_pct', '%')).toEqual([10, 100])
  expect(scaleEndsOf('signal_quality', '')).toEqual([1])
  expect(scaleEndsOf('clients', '')).toBeUndefined()
})

it('thresholds are those of the KPI, with the side on which values are worse', () => {
  expect(thresholdsOf('load_pct')[1]).toEqual({ level: 'bad', value: 95, side: 'above' })
  expect(thresholdsOf('signal_quality')[0]).toEqual({ level: 'degraded', value: 0.3, side: 'below' })
  expect(thresholdsOf('power_w')).toEqual([])
})

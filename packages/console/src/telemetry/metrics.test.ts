import { expect, it } from 'vitest'
import { grouped, metricOf } from './metrics.ts'

const metrics = [
  { name: 'airtime_pct', label: 'Airtime (%)' },
  { name: 'power_w', label: 'Power (W)' },
  { name: 'clients', label: 'Clients' },
  { name: 'mcs', label: 'MCS' },
].map(metricOf)

it('a label is split from its unit', () => {
  expect(metricOf({ name: 'throughput_mbps', label: 'Throughput (Mbit/s)' })).toEqual({
    name: 'throughput_mbps',
    label: 'Throughput',
    unit: 'Mbit/s',
  })
  expect(metricOf({ name: 'mcs', label: 'MCS' }).unit).toBe('')
})

it('common metrics come first, in display order', () => {
  const { common, specific } = grouped(metrics)
  expect(common.map(({ name }) => name)).toEqual(['clients', 'power_w'])
  expect(specific.map(({ name }) => name)).toEqual(['airtime_pct', 'mcs'])
})

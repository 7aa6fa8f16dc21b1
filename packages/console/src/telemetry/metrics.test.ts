import { expect, it } from 'vitest'
import { grouped, metricOf } from './metrics.ts'

const metrics = [
  { name: 'airtime_pct', label: 'Airtime (%)' },
  { name: 'power_w', label: 'Power (W)' },
  { name: 'clients', label: 'Clients' },
  { name: 'mcs', label: 'MCS' },
].map(metricOf)

it('tells a label from its unit', () => {
  expect(metricOf({ name: 'throughput_mbps', label: 'Throughput (Mbit/s)' })).toEqual({
    name: 'throughput_mbps',
    label: 'Throughput',
    unit: 'Mbit/s',
  })
  expect(metricOf({ name: 'mcs', label: 'MCS' }).unit).toBe('')
})

it('puts what all technologies have first', () => {
  const { common, own } = grouped(metrics)
  expect(common.map(({ name }) => name)).toEqual(['clients', 'power_w'])
  expect(own.map(({ name }) => name)).toEqual(['airtime_pct', 'mcs'])
})

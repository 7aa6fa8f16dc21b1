import { describe, expect, it } from 'vitest'
import { loadPct, parseStat } from './cpu.ts'
import { builtInSources } from './index.ts'
import { parseMemInfo } from './memory.ts'
import { parseNetDev, trafficOf } from './network.ts'
import { hottest } from './temperature.ts'

const netDev = `Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
    lo: 152789709100 141401991    0 6233    0     0          0         0 152789709100 141401991    0    0    0     0       0          0
  eth0:4977591749  196845    3    4    0     0          0         0 14317012  123192    5    6    0     0       0          0
br-lan: 1000 10 0 0 0 0 0 0 2000 20 0 0 0 0 0 0
`

describe('/proc/net/dev', () => {
  it('is parsed without a space between the name and the first number', () => {
    const counters = parseNetDev(netDev)
    expect([...counters.keys()]).toEqual(['lo', 'eth0', 'br-lan'])
    expect(counters.get('eth0')).toEqual({
      rxBytes: 4_977_591_749,
      rxErrors: 3,
      rxDropped: 4,
      txBytes: 14_317_012,
      txErrors: 5,
      txDropped: 6,
    })
  })

  it('gives rates between two readings', () => {
    const before = parseNetDev(netDev)
    const after = new Map(
      [...before].map(([name, each]) => [name, { ...each, rxBytes: each.rxBytes + 1_250_000 }]),
    )
    after.delete('lo')
    expect(trafficOf(before, after, 10)).toMatchObject({
      throughput_mbps: 2,
      rx_rate_mbps: 2,
      tx_rate_mbps: 0,
      rx_errors: 3,
      tx_dropped: 6,
      eth0_throughput_mbps: 1,
      'br-lan_rx_rate_mbps': 1,
    })
  })

  it('gives a rate of 0 if a counter was reset or no time has passed', () => {
    const now = parseNetDev(netDev)
    const then = new Map([...now].map(([name, each]) => [name, { ...each, rxBytes: each.rxBytes + 1 }]))
    expect(trafficOf(then, now, 10)).toMatchObject({ throughput_mbps: 0 })
    expect(trafficOf(now, now, 0)).toMatchObject({ throughput_mbps: 0 })
  })
})

it('/proc/stat gives the share of time that was not idle', () => {
  const then = parseStat('cpu  100 0 100 800 0 0 0 0 0 0\ncpu0 1 2 3 4\n')
  const now = parseStat('cpu  150 0 150 1600 100 0 0 0 50 0\ncpu0 1 2 3 4\n')
  expect(then).toEqual({ busy: 200, all: 1000 })
  expect(loadPct(then, now)).toBe(10)
  expect(loadPct(now, now)).toBe(0)
})

it('/proc/meminfo gives the memory in use', () => {
  const text = 'MemTotal:        1000000 kB\nMemFree:          100000 kB\nMemAvailable:     750000 kB\n'
  expect(parseMemInfo(text)).toEqual({ memory_usage_pct: 25, memory_available_mib: 732 })
  expect(parseMemInfo('')).toEqual({})
})

it('the temperature is that of the hottest thermal zone', () => {
  expect(hottest(['45123\n', '', '51000\n'])).toBe(51)
  expect(hottest([''])).toBeUndefined()
})

it('the sources can be read on this machine', async () => {
  const there = []
  for (const source of builtInSources) if (await source.probe()) there.push(source)
  const all = await Promise.all(there.map((source) => source.read()))
  const readings = Object.assign({}, ...all)
  expect(readings).toMatchObject({
    throughput_mbps: expect.any(Number),
    cpu_load_pct: expect.any(Number),
    memory_usage_pct: expect.any(Number),
    uptime_s: expect.any(Number),
  })
  expect(readings.memory_usage_pct).toBeGreaterThan(0)
  expect(readings.uptime_s).toBeGreaterThan(0)
})

import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { Readings, Source } from '../source.ts'

export interface Counters {
  rxBytes: number
  rxErrors: number
  rxDropped: number
  txBytes: number
  txErrors: number
  txDropped: number
}

const file = '/proc/net/dev'
/** A sample has at most 256 metrics; a machine may have any number of interfaces. */
const maxInterfaces = 16

/** By interface, in the order of the file. */
export function parseNetDev(text: string): Map<string, Counters> {
  const found = new Map<string, Counters>()
  for (const line of text.split('\n').slice(2)) {
    // There may be no space between the name and the first number.
    const at = line.lastIndexOf(':')
    if (at < 0) continue
    const numbers = line
      .slice(at + 1)
      .trim()
      .split(/\s+/)
      .map(Number)
    const [rxBytes = 0, , rxErrors = 0, rxDropped = 0, , , , , txBytes = 0, , txErrors = 0, txDropped = 0] =
      numbers
    found.set(line.slice(0, at).trim(), { rxBytes, rxErrors, rxDropped, txBytes, txErrors, txDropped })
  }
  return found
}

/** Rates since the previous reading; error and drop counters as in the kernel, since boot. */
export function trafficOf(
  before: ReadonlyMap<string, Counters>,
  after: ReadonlyMap<string, Counters>,
  seconds: number,
): Readings {
  const readings: Readings = {}
  const total = { rxRate: 0, txRate: 0, rxErrors: 0, txErrors: 0, rxDropped: 0, txDropped: 0 }
  for (const [name, now] of after) {
    const then = before.get(name) ?? now
    const rxRate = mbps(then.rxBytes, now.rxBytes, seconds)
    const txRate = mbps(then.txBytes, now.txBytes, seconds)
    readings[`${name}_rx_rate_mbps`] = rxRate
    readings[`${name}_tx_rate_mbps`] = txRate
    readings[`${name}_throughput_mbps`] = rounded(rxRate + txRate)
    total.rxRate += rxRate
    total.txRate += txRate
    for (const key of ['rxErrors', 'txErrors', 'rxDropped', 'txDropped'] as const) total[key] += now[key]
  }
  return {
    throughput_mbps: rounded(total.rxRate + total.txRate),
    rx_rate_mbps: rounded(total.rxRate),
    tx_rate_mbps: rounded(total.txRate),
    rx_errors: total.rxErrors,
    tx_errors: total.txErrors,
    rx_dropped: total.rxDropped,
    tx_dropped: total.txDropped,
    ...readings,
  }
}

/** A counter that decreased was reset: the rate is unknown, and reported as 0. */
function mbps(then: number, now: number, seconds: number): number {
  return seconds > 0 && now >= then ? rounded(((now - then) * 8) / seconds / 1e6) : 0
}

const rounded = (value: number) => Math.round(value * 1000) / 1000

/**
 * Physical interfaces only, so that traffic of a bridge is not counted twice; if there are none (in a container), all but
 * the loopback, or the loopback alone.
 */
function selectInterfaces(all: ReadonlyMap<string, Counters>): Map<string, Counters> {
  const isPhysical = (name: string) => existsSync(`/sys/class/net/${name}/device`)
  for (const isSelected of [isPhysical, (name: string) => name !== 'lo', () => true]) {
    const some = [...all].filter(([name]) => isSelected(name)).slice(0, maxInterfaces)
    if (some.length > 0) return new Map(some)
  }
  return new Map()
}

let before: { atMs: number; counters: Map<string, Counters> } | undefined

async function readCounters() {
  const counters = selectInterfaces(parseNetDev(await readFile(file, 'utf8')))
  return { atMs: performance.now(), counters }
}

/** Throughput, errors and drops, in total and by interface. */
export const source: Source = {
  name: 'network',
  async probe() {
    if (!existsSync(file)) return false
    before = await readCounters()
    return before.counters.size > 0
  },
  async read() {
    const now = await readCounters()
    const then = before ?? now
    before = now
    return trafficOf(then.counters, now.counters, (now.atMs - then.atMs) / 1000)
  },
}

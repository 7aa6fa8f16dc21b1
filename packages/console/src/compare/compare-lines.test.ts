import { expect, it } from 'vitest'
import { colourOf } from '../ui/theme.ts'
import { bestOf, linesOf, withBands } from './compare-lines.ts'

it('twelve lines of one technology have the same colour and different styles', () => {
  const subjects = Array.from({ length: 12 }, (_, n) => ({
    key: `${n}`,
    label: `ap-${n}`,
    technology: 'WiFi' as const,
    apId: `${n}`,
  }))
  const styles = linesOf(subjects, 'light').map(({ colour, dash }) => JSON.stringify([colour, dash]))
  expect(new Set(styles).size).toBe(12)
  expect(styles.every((style) => style.includes(colourOf('WiFi', 'light')))).toBe(true)
})

it('edges of bands follow the lines, and a hidden line has no band', () => {
  const given = [
    { label: 'a', colour: '#111111' },
    { label: 'b', colour: '#222222a6', isHidden: true },
    { label: 'c', colour: '#333333' },
  ]
  const { lines, bands } = withBands(given, (n) => n < 2)
  expect(lines.map(({ label }) => label)).toEqual(['a', 'b', 'c', 'a p90', 'a p10', 'b p90', 'b p10'])
  expect(bands).toEqual([{ upper: 3, lower: 4, colour: '#1111112b' }])
})

const busy = (...values: (number | undefined)[]) => values.map((value) => ({ value, hasClients: true }))

it('the best value depends on the metric, and a tie has none', () => {
  expect(bestOf('throughput_mbps', busy(1, 5, undefined))).toBe(1)
  expect(bestOf('latency_ms', busy(4, 2, 9))).toBe(1)
  expect(bestOf('clients', busy(1, 2))).toBeUndefined()
  expect(bestOf('latency_ms', busy(3, 3))).toBeUndefined()
  expect(bestOf('latency_ms', busy(undefined, 3))).toBeUndefined()
})

it('an idle access point is never the best, and a low load is not better', () => {
  expect(bestOf('load_pct', busy(0, 50))).toBeUndefined()
  const idle = { value: 1, hasClients: false }
  expect(bestOf('latency_ms', [idle, ...busy(20, 30)])).toBe(1)
  expect(bestOf('power_w', [idle, ...busy(9)])).toBeUndefined()
})

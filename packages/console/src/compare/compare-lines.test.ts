import { expect, it } from 'vitest'
import { bestOf, linesOf, meanOfPresent } from './compare-lines.ts'

it('twelve lines of one technology have the same colour and different styles', () => {
  const subjects = Array.from({ length: 12 }, (_, n) => ({
    key: `${n}`,
    label: `ap-${n}`,
    technology: 'WiFi' as const,
    apIds: [`${n}`],
  }))
  const styles = linesOf(subjects, 'light').map(({ colour, dash }) => JSON.stringify([colour, dash]))
  expect(new Set(styles).size).toBe(12)
  expect(styles.every((style) => style.includes('#c2410c'))).toBe(true)
})

it('the best value depends on the metric, and a tie has none', () => {
  expect(bestOf('throughput_mbps', [1, 5, undefined])).toBe(1)
  expect(bestOf('latency_ms', [4, 2, 9])).toBe(1)
  expect(bestOf('clients', [1, 2])).toBeUndefined()
  expect(bestOf('load_pct', [3, 3])).toBeUndefined()
  expect(bestOf('load_pct', [undefined, 3])).toBeUndefined()
})

it('the mean ignores missing values', () => {
  expect(meanOfPresent([1, null, 3])).toBe(2)
  expect(meanOfPresent([null])).toBeUndefined()
})

import { expect, it } from 'vitest'
import { bestOf, linesOf, meanOfPresent } from './compare-lines.ts'

it('tells twelve of one technology apart, and leaves their colour as it is', () => {
  const subjects = Array.from({ length: 12 }, (_, n) => ({
    key: `${n}`,
    label: `ap-${n}`,
    technology: 'WiFi' as const,
    apIds: [`${n}`],
  }))
  const looks = linesOf(subjects, 'light').map(({ colour, dash }) => JSON.stringify([colour, dash]))
  expect(new Set(looks).size).toBe(12)
  expect(looks.every((look) => look.includes('#c2410c'))).toBe(true)
})

it('knows what is better, and where nothing is', () => {
  expect(bestOf('throughput_mbps', [1, 5, undefined])).toBe(1)
  expect(bestOf('latency_ms', [4, 2, 9])).toBe(1)
  expect(bestOf('clients', [1, 2])).toBeUndefined()
  expect(bestOf('load_pct', [3, 3])).toBeUndefined()
  expect(bestOf('load_pct', [undefined, 3])).toBeUndefined()
})

it('averages over what is there', () => {
  expect(meanOfPresent([1, null, 3])).toBe(2)
  expect(meanOfPresent([null])).toBeUndefined()
})

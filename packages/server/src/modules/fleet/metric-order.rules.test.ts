import { describe, expect, it } from 'vitest'
import { MetricOrder } from './metric-order.rules.ts'

const values: Record<string, number | undefined> = {
  a: 3,
  b: 1,
  c: undefined,
  d: 3,
  e: 2,
  f: undefined,
  g: 3,
}
const ids = Object.keys(values)
const orderOf = (isDescending: boolean) =>
  new MetricOrder(isDescending ? ids.toReversed() : ids, (apId) => values[apId], isDescending)

describe('the order by a metric', () => {
  it('has those without a value last, and equal values in the order of their ids', () => {
    expect(orderOf(false).page(0, 10)).toEqual(['b', 'e', 'a', 'd', 'g', 'c', 'f'])
    expect(orderOf(true).page(0, 10)).toEqual(['g', 'd', 'a', 'e', 'b', 'f', 'c'])
    expect(orderOf(true).length).toBe(7)
  })

  it.each([1, 2, 3])('is the same in pages of %d', (limit) => {
    for (const isDescending of [false, true]) {
      const order = orderOf(isDescending)
      const paged: string[] = []
      for (let offset = 0; offset < order.length; offset += limit) paged.push(...order.page(offset, limit))
      expect(paged).toEqual(order.page(0, 10))
    }
  })

  it('has no rows beyond its end', () => {
    expect(orderOf(false).page(7, 5)).toEqual([])
    expect(new MetricOrder([], () => 1, false).page(0, 5)).toEqual([])
  })

  it('is that of a comparison of each pair, with negative values and infinity', () => {
    const many = Array.from({ length: 500 }, (_, n) => `ap-${String(n).padStart(3, '0')}`)
    const valueOf = (apId: string) => {
      const n = Number(apId.slice(3))
      return n % 7 === 0 ? undefined : n % 50 === 1 ? Infinity : ((n * 7919) % 40) - 20
    }
    const known = many.filter((apId) => valueOf(apId) !== undefined)
    const expected = known.toSorted((a, b) =>
      valueOf(a) === valueOf(b) ? (a < b ? -1 : 1) : (valueOf(a) ?? 0) - (valueOf(b) ?? 0),
    )
    expect(new MetricOrder(many, valueOf, false).page(0, known.length)).toEqual(expected)
  })
})

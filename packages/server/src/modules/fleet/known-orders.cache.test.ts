import { describe, expect, it } from 'vitest'
import { KnownOrders } from './known-orders.cache.ts'
import { MetricOrder } from './metric-order.rules.ts'

const readings = new Map([['ap-1', 1]])
const ids = ['ap-1']
const orderOf = (members: readonly string[]) => new MetricOrder(members, () => 1, false)

describe('the known orders', () => {
  it('are found with the readings and ids that they were computed from', () => {
    const known = new KnownOrders()
    const order = orderOf(ids)
    known.set('clients', readings, ids, order)
    expect(known.get('clients', readings, ids)).toBe(order)
    expect(known.get('clients', new Map(readings), ids)).toBeUndefined()
    expect(known.get('clients', readings, [...ids])).toBeUndefined()
    expect(known.get('load_pct', readings, ids)).toBeUndefined()
  })

  it('are at most 20, however few agents each has', () => {
    const known = new KnownOrders()
    for (let n = 0; n < 1000; n++) known.set(`q=${n}`, readings, [], orderOf([]))
    expect(known.size).toBe(20)
    expect(known.get('q=0', readings, [])).toBeUndefined()
  })

  it('have a maximum of ids together, and one of a larger fleet is kept alone', () => {
    const known = new KnownOrders({ maxIds: 10 })
    const many = Array.from({ length: 6 }, (_, n) => `ap-${n}`)
    for (const key of ['a', 'b']) known.set(key, readings, many, orderOf(many))
    expect(known.size).toBe(1)
    const more = [...many, ...many]
    known.set('c', readings, more, orderOf(more))
    expect(known.size).toBe(1)
    expect(known.get('c', readings, more)?.length).toBe(12)
  })

  it('are forgotten after their lifetime', async () => {
    const known = new KnownOrders({ lifetimeMs: 10 })
    known.set('clients', readings, ids, orderOf(ids))
    await expect.poll(() => known.size).toBe(0)
  })
})

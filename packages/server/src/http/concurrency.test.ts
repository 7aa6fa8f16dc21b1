import { describe, expect, it } from 'vitest'
import { ConcurrentRequests } from './concurrency.ts'

type Entered = ReturnType<ConcurrentRequests['enter']>

const started = (entered: readonly Entered[]) => entered.filter((each) => each === undefined).length

function enter(requests: ConcurrentRequests, key: string, count: number, bytes = 0): Entered[] {
  const entered: Entered[] = []
  for (let n = 0; n < count; n++) entered.push(requests.enter(key, 40, bytes))
  return entered
}

describe('the requests that a replica processes at a time', () => {
  it('are all of one caller while no other is active', () => {
    expect(started(enter(new ConcurrentRequests(40), 'a', 60))).toBe(40)
  })

  it('are shared by the active callers', () => {
    const requests = new ConcurrentRequests(40)
    for (const key of ['b', 'c', 'd']) void enter(requests, key, 1)
    expect(started(enter(requests, 'a', 60))).toBe(10)
  })

  it('are at least four of each caller', () => {
    const requests = new ConcurrentRequests(40)
    for (let n = 0; n < 1000; n++) void enter(requests, `caller ${n}`, 1)
    expect(started(enter(requests, 'a', 60))).toBe(4)
  })

  it('are no more than the maximum of the caller', () => {
    const requests = new ConcurrentRequests(40)
    const entered = Array.from({ length: 10 }, () => requests.enter('a', 5, 0))
    expect(started(entered)).toBe(5)
  })

  it('start in the order in which they came, one for each that has ended', async () => {
    const requests = new ConcurrentRequests(4)
    const order: number[] = []
    void enter(requests, 'a', 4)
    for (const n of [1, 2, 3]) void (requests.enter('a', 4, 0) as Promise<void>).then(() => order.push(n))
    requests.leave('a')
    requests.leave('a')
    await Promise.resolve()
    expect(order).toEqual([1, 2])
  })

  it('do not include those of a caller of whom 1,000 or 32 MiB wait already', () => {
    const requests = new ConcurrentRequests(4)
    const many = enter(requests, 'many', 1005)
    expect(many.findIndex((each) => each === 'refused')).toBe(1004)
    void enter(requests, 'large', 4)
    const large = enter(requests, 'large', 40, 1024 * 1024)
    expect(large.findIndex((each) => each === 'refused')).toBe(32)
    for (let n = 0; n < 4; n++) requests.leave('large')
    expect(enter(requests, 'large', 1, 1024 * 1024)[0]).toBeInstanceOf(Promise)
  })
})

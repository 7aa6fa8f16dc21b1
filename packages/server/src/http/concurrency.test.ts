import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ConcurrentRequests, type RunningRequest } from './concurrency.ts'

type Entered = ReturnType<ConcurrentRequests['enter']>

const isStarted = (entered: Entered): entered is RunningRequest =>
  entered !== 'refused' && !(entered instanceof Promise)
const started = (entered: readonly Entered[]) => entered.filter(isStarted)

const idle = { spare: () => 1 }
const busy = { spare: () => 0 }

function enter(requests: ConcurrentRequests, key: string, count: number, bytes = 0): Entered[] {
  const entered: Entered[] = []
  for (let n = 0; n < count; n++) entered.push(requests.enter(key, { max: 40, sharesTime: true, bytes }))
  return entered
}

describe('the requests that a replica processes at a time', () => {
  it('are all of one caller while no other is active', () => {
    expect(started(enter(new ConcurrentRequests(40, idle), 'a', 60))).toHaveLength(40)
  })

  it('are shared by the active callers', () => {
    const requests = new ConcurrentRequests(40, idle)
    for (const key of ['b', 'c', 'd']) void enter(requests, key, 1)
    expect(started(enter(requests, 'a', 60))).toHaveLength(10)
  })

  it('are at least four of each caller', () => {
    const requests = new ConcurrentRequests(40, idle)
    for (let n = 0; n < 1000; n++) void enter(requests, `caller ${n}`, 1)
    expect(started(enter(requests, 'a', 60))).toHaveLength(4)
  })

  it('are no more than the maximum of the caller', () => {
    const requests = new ConcurrentRequests(40, idle)
    const entered = Array.from({ length: 10 }, () =>
      requests.enter('a', { max: 5, sharesTime: true, bytes: 0 }),
    )
    expect(started(entered)).toHaveLength(5)
  })

  it('start in the order in which they came, one for each that has ended', async () => {
    const requests = new ConcurrentRequests(4, idle)
    const order: number[] = []
    const running = started(enter(requests, 'a', 4))
    for (const [n, entered] of enter(requests, 'a', 3).entries())
      void (entered as Promise<RunningRequest>).then(() => order.push(n))
    for (const each of running.slice(0, 2)) requests.leave(each)
    await Promise.resolve()
    expect(order).toEqual([0, 1])
  })

  it('do not include those of a caller of whom 1,000 or 32 MiB wait already', () => {
    const requests = new ConcurrentRequests(4, idle)
    const many = enter(requests, 'many', 1005)
    expect(many.findIndex((each) => each === 'refused')).toBe(1004)
    const running = started(enter(requests, 'large', 4))
    const large = enter(requests, 'large', 40, 1024 * 1024)
    expect(large.findIndex((each) => each === 'refused')).toBe(32)
    for (const each of running) requests.leave(each)
    expect(enter(requests, 'large', 1, 1024 * 1024)[0]).toBeInstanceOf(Promise)
  })
})

describe('the processing time of a busy replica', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] }))
  afterEach(() => void vi.useRealTimers())

  /** Sends one request of `ms` after the other for `forMs`, and returns how many were processed. */
  async function sendAll(requests: ConcurrentRequests, key: string, ms: number, forMs: number) {
    const endsAt = performance.now() + forMs
    let processed = 0
    while (performance.now() < endsAt) {
      const [entered] = enter(requests, key, 1)
      if (entered === undefined || entered === 'refused') throw new Error('refused')
      const queued: RunningRequest[] = []
      void Promise.resolve(entered).then((each) => each !== 'refused' && queued.push(each))
      await Promise.resolve()
      while (queued.length === 0 && performance.now() < endsAt) await vi.advanceTimersByTimeAsync(10)
      const [running] = queued
      if (!running) break
      await vi.advanceTimersByTimeAsync(ms)
      requests.leave(running)
      processed += 1
    }
    return processed
  }

  it('is all of one caller while no other is active', async () => {
    expect(await sendAll(new ConcurrentRequests(40, busy), 'a', 50, 20_000)).toBe(400)
  })

  it('is shared by the active callers, after 0.3 s of it at once', async () => {
    const requests = new ConcurrentRequests(40, busy)
    const others = Array.from({ length: 9 }, (_, n) => `caller ${n}`)
    let processed = 0
    for (let second = 0; second < 20; second++) {
      for (const other of others) for (const each of started(enter(requests, other, 1))) requests.leave(each)
      processed += await sendAll(requests, 'a', 50, 1000)
    }
    // Of ten callers six count twice. 0.3 s at once, and a 16th of 20 s: 31 requests of 50 ms, less one that is not waited for in
    // each second.
    expect(processed).toBeGreaterThan(10)
    expect(processed).toBeLessThan(37)
  })

  it('is not shared while the replica is not busy', async () => {
    const requests = new ConcurrentRequests(40, idle)
    for (const each of started(enter(requests, 'b', 1))) requests.leave(each)
    expect(await sendAll(requests, 'a', 50, 1500)).toBe(30)
  })

  it('counts once for requests that run together', async () => {
    const requests = new ConcurrentRequests(40, busy)
    for (const other of ['b', 'c', 'd'])
      for (const each of started(enter(requests, other, 1))) requests.leave(each)
    const running = started(enter(requests, 'a', 10))
    await vi.advanceTimersByTimeAsync(250)
    for (const each of running) requests.leave(each)
    expect(started(enter(requests, 'a', 1))).toHaveLength(1)
  })

  it('refuses a request that has waited for 30 s', async () => {
    const requests = new ConcurrentRequests(40, busy)
    const running = started(enter(requests, 'a', 40))
    const outcomes: unknown[] = []
    void Promise.resolve(enter(requests, 'a', 1)[0]).then((outcome) => outcomes.push(outcome))
    await vi.advanceTimersByTimeAsync(31_000)
    for (const each of running.slice(0, 1)) requests.leave(each)
    await vi.advanceTimersByTimeAsync(0)
    expect(outcomes).toEqual(['refused'])
  })

  it('does not include a pause of the process', async () => {
    const requests = new ConcurrentRequests(40, busy)
    const [running] = started(enter(requests, 'a', 1))
    // It is paused while the request runs: neither a timer nor another request can run.
    vi.advanceTimersByTime(20_000)
    for (let n = 0; n < 20; n++) void enter(requests, `caller ${n}`, 1)
    if (running) requests.leave(running)
    expect(started(enter(requests, 'a', 1))).toHaveLength(1)
  })

  it('includes all the time for which a request keeps the thread busy', async () => {
    const requests = new ConcurrentRequests(40, busy)
    const [running] = started(enter(requests, 'a', 1))
    const startedAt = process.threadCpuUsage().user
    while (process.threadCpuUsage().user - startedAt < 1_200_000);
    vi.advanceTimersByTime(20_000)
    for (let n = 0; n < 20; n++) void enter(requests, `caller ${n}`, 1)
    if (running) requests.leave(running)
    expect(started(enter(requests, 'a', 1))).toHaveLength(0)
  })

  it('does not count for requests that share no time', async () => {
    const requests = new ConcurrentRequests(40, busy)
    for (const each of started(enter(requests, 'b', 1))) requests.leave(each)
    const options = { max: 4, sharesTime: false, bytes: 0 }
    const slow = requests.enter('address', options)
    await vi.advanceTimersByTimeAsync(5000)
    if (isStarted(slow)) requests.leave(slow)
    expect(isStarted(requests.enter('address', options))).toBe(true)
  })
})

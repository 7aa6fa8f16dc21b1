import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { SharedReads } from './shared-reads.cache.ts'

let reads: SharedReads
let count: number
const answer = async () => `answer ${++count}`
const pass = (ms: number) => vi.setSystemTime(Date.now() + ms)

beforeEach(() => {
  vi.useFakeTimers({ now: 1_700_000_000_000, toFake: ['Date'] })
  reads = new SharedReads({ maxEntries: 10, maxBytes: 1000, countLookup: () => {} })
  count = 0
})
afterEach(() => {
  vi.useRealTimers()
})

describe('a shared read', () => {
  it('in progress is not started again', async () => {
    const { promise, resolve } = Promise.withResolvers<string>()
    const slow = vi.fn<() => Promise<string>>(() => promise)
    const all = [1, 2, 3].map(() => reads.read('q', slow))
    resolve('slow')
    expect(await Promise.all(all)).toEqual(['slow', 'slow', 'slow'])
    expect(slow).toHaveBeenCalledTimes(1)
  })

  it('of many callers happens at most once a second', async () => {
    for (let ms = 0; ms < 10_000; ms += 10) {
      await reads.read('q', answer)
      pass(10)
    }
    expect(count).toBe(10)
  })

  it('of one caller, about once a second, has a new answer every time', async () => {
    for (const [n, ms] of [1000, 995, 1005, 950, 1050, 1000].entries()) {
      expect(await reads.read('q', answer)).toBe(`answer ${n + 1}`)
      pass(ms)
    }
  })

  it('is repeated when the one before takes too long, and after the clock was set back', async () => {
    const stuck = reads.read('q', () => new Promise(() => {}))
    pass(1000)
    expect(await reads.read('q', answer)).toBe('answer 1')
    pass(-5000)
    expect(await reads.read('q', answer)).toBe('answer 2')
    expect(stuck).toBeInstanceOf(Promise)
  })

  it('has its own answer for each key', async () => {
    await Promise.all([reads.read('q', answer), reads.read('r', answer), reads.read('q', answer)])
    expect(count).toBe(2)
  })

  it('that failed is repeated by the next caller', async () => {
    const failing = async () => Promise.reject(new Error('no luck'))
    await expect(Promise.all([reads.read('q', failing), reads.read('q', answer)])).rejects.toThrow('no luck')
    expect(await reads.read('q', answer)).toBe('answer 1')
  })
})

describe('a shared read of a caller who disconnects', () => {
  /** Never ends by itself. */
  function startSlow(joining: (AbortController | undefined)[]) {
    let signal: AbortSignal | undefined
    const slow = (unread: AbortSignal) =>
      new Promise<string>((_, reject) => {
        signal = unread
        unread.addEventListener('abort', () => reject(new Error('abandoned')))
      })
    const answers = joining.map((caller) => reads.read('q', slow, caller?.signal))
    return { answers, isAborted: () => signal?.aborted }
  }

  it('goes on for the others, and is aborted when all have', async () => {
    const callers = [new AbortController(), new AbortController()] as const
    const { answers, isAborted } = startSlow([...callers])
    callers[0].abort()
    expect(isAborted()).toBe(false)
    callers[1].abort()
    expect(isAborted()).toBe(true)
    expect((await Promise.allSettled(answers)).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  })

  it('is started again by the next caller', async () => {
    const caller = new AbortController()
    const { answers } = startSlow([caller])
    caller.abort()
    expect(await reads.read('q', answer)).toBe('answer 1')
    await expect(answers[0]).rejects.toThrow('abandoned')
  })

  it('goes on for a caller without a signal', () => {
    const caller = new AbortController()
    const { isAborted } = startSlow([caller, undefined])
    caller.abort()
    expect(isAborted()).toBe(false)
  })
})

it('reads that are joined late are not started again while they are in progress', async () => {
  reads = new SharedReads({ maxEntries: 10, maxBytes: 1000, countLookup: () => {}, isJoinedLate: true })
  const { promise, resolve } = Promise.withResolvers<string>()
  const first = reads.read('q', () => promise)
  pass(20_000)
  const second = reads.read('q', answer)
  resolve('slow')
  expect([await first, await second, count]).toEqual(['slow', 'slow', 0])
  expect(await reads.read('q', answer)).toBe('answer 1')
})

describe('cached answers', () => {
  it('are evicted beyond a count and beyond a size', async () => {
    for (let n = 0; n < 11; n++) await reads.read(`q${n}`, answer)
    await reads.read('q0', answer)
    expect(count).toBe(12)
    await reads.read('large', async () => 'x'.repeat(990))
    await reads.read('q10', answer)
    expect(count).toBe(13)
    await reads.read('too large', async () => 'x'.repeat(2000))
    await reads.read('q10', answer)
    expect(count).toBe(13)
  })
})

import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { type HashOwner, HashQueue } from './hash-queue.ts'
import { Limits } from './limits.ts'
import { Metrics } from './metrics.ts'

/** Runs the works in the order of the queue, and returns their names in the order in which they started. */
async function startedOrder(
  works: readonly (HashOwner & { name: string })[],
  /** Come when a third of the others has started. */
  late: readonly (HashOwner & { name: string })[] = [],
): Promise<string[]> {
  const queue = new HashQueue()
  const started: string[] = []
  const gate = Promise.withResolvers<void>()
  // Occupies every place, so that what follows is queued.
  const occupying = Array.from({ length: 64 }, () =>
    queue.run({ kind: 'change', owner: '-' }, () => gate.promise),
  )
  const all: Promise<unknown>[] = []
  const add = ({ name, ...by }: HashOwner & { name: string }): void => {
    all.push(
      queue.run(by, async () => {
        started.push(name)
        if (started.length === Math.floor(works.length / 3)) late.forEach(add)
      }),
    )
  }
  works.forEach(add)
  gate.resolve()
  await Promise.all(occupying)
  // It grows while the late ones are added.
  for (const each of all) await each
  return started
}

describe('queued password hashes', () => {
  it('of one owner do not delay those of another owner', async () => {
    const flood = Array.from(
      { length: 50 },
      (_, n) => ({ kind: 'login', owner: 'a', name: `a${n}` }) as const,
    )
    const order = await startedOrder([...flood, { kind: 'login', owner: 'b', name: 'b' }])
    expect(order.indexOf('b')).toBeLessThanOrEqual(3)
    expect(order.slice(-1)).toEqual(['a49'])
  })

  it('of an owner without queued ones go before those of owners that have had their turn', async () => {
    const floods = Array.from(
      { length: 60 },
      (_, n) => ({ kind: 'login', owner: `a${n % 20}`, name: `a${n}` }) as const,
    )
    const order = await startedOrder(floods, [{ kind: 'login', owner: 'b', name: 'b' }])
    expect(order.indexOf('b') - order.indexOf('a19')).toBeLessThanOrEqual(3)
  })

  it('of people get every second turn', async () => {
    const flood = (['broker', 'change', 'login'] as const).flatMap((kind) =>
      Array.from({ length: 20 }, (_, n) => ({ kind, owner: `${kind}-${n}`, name: kind })),
    )
    const order = await startedOrder(flood)
    expect(order.slice(0, 20).filter((kind) => kind === 'login').length).toBeGreaterThanOrEqual(10)
  })

  it('that have waited are checked again, without occupying a place', async () => {
    const queue = new HashQueue()
    const gate = Promise.withResolvers<void>()
    const by: HashOwner = { kind: 'login', owner: 'a' }
    const occupying = Array.from({ length: 64 }, () => queue.run(by, () => gate.promise))
    const check = Promise.withResolvers<void>()
    const slow = queue.run(
      by,
      async () => 'slow',
      () => check.promise,
    )
    const refused = queue.run(
      by,
      async () => 'refused',
      () => Promise.reject(new Error('wait')),
    )
    refused.catch(() => {})
    const other = queue.run(by, async () => 'other')
    gate.resolve()
    await expect(refused).rejects.toThrow('wait')
    await expect(other).resolves.toBe('other')
    check.resolve()
    await expect(slow).resolves.toBe('slow')
    await Promise.all(occupying)
  })

  it('have durations that can be imitated without computing one', async () => {
    const queue = new HashQueue()
    await expect(queue.waitLikeOne()).resolves.toBe(false)
    await queue.run({ kind: 'broker', owner: 'a' }, () => new Promise((resolve) => setTimeout(resolve, 30)))
    const startedAt = performance.now()
    await expect(queue.waitLikeOne()).resolves.toBe(true)
    expect(performance.now() - startedAt).toBeGreaterThan(25)
  })

  it('of one kind do not delay those of another kind, however many owners they have', async () => {
    const flood = Array.from(
      { length: 50 },
      (_, n) => ({ kind: 'broker', owner: `ap-${n}`, name: `${n}` }) as const,
    )
    const order = await startedOrder([...flood, { kind: 'change', owner: 'c', name: 'c' }])
    expect(order.indexOf('c')).toBeLessThanOrEqual(3)
  })

  it('beyond the limit are refused for this kind only', async () => {
    const queue = new HashQueue()
    const gate = Promise.withResolvers<void>()
    const owned = (kind: HashOwner['kind']) => queue.run({ kind, owner: 'a' }, () => gate.promise)
    const flood = Promise.allSettled(Array.from({ length: 20_000 }, () => owned('broker')))
    const other = owned('login')
    gate.resolve()
    const outcomes = (await flood).map(({ status }) => status)
    expect(outcomes).toContain('fulfilled')
    expect(outcomes.at(-1)).toBe('rejected')
    await expect(other).resolves.toBeUndefined()
  })

  it('of one owner that fill the queue give way to those of other owners', async () => {
    const queue = new HashQueue()
    const gate = Promise.withResolvers<void>()
    const owned = (owner: string) => queue.run({ kind: 'login', owner }, () => gate.promise)
    const flood = Promise.allSettled(Array.from({ length: 20_000 }, () => owned('a')))
    const others = Promise.allSettled(Array.from({ length: 20 }, (_, n) => owned(`b${n}`)))
    gate.resolve()
    expect((await others).map(({ status }) => status)).toEqual(Array(20).fill('fulfilled'))
    const outcomes = await flood
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
    expect(refused[0]).toMatchObject({ kind: 'unavailable', retryAfterS: 5 })
    // The first ones, which have waited longest, are computed.
    expect(outcomes.slice(0, 100).map(({ status }) => status)).toEqual(Array(100).fill('fulfilled'))
  })

  it('of an owner that has as many as any other are refused when the queue is full', async () => {
    const queue = new HashQueue()
    const gate = Promise.withResolvers<void>()
    const owned = (owner: string) => queue.run({ kind: 'broker', owner }, () => gate.promise)
    const flood = Promise.allSettled(Array.from({ length: 20_000 }, (_, n) => owned(`a${n}`)))
    const late = Promise.allSettled([owned('b')])
    gate.resolve()
    const outcomes = (await flood).map(({ status }) => status)
    const firstRefused = outcomes.indexOf('rejected')
    expect(firstRefused).toBeGreaterThan(0)
    expect(outcomes.slice(firstRefused)).not.toContain('fulfilled')
    expect((await late).map(({ status }) => status)).toEqual(['rejected'])
  })

  it('of one owner beyond its limit are refused, those of other owners are not', async () => {
    const limits = new Limits(new Metrics(pino({ level: 'silent' })))
    const queue = new HashQueue({ limits, maxQueuedPerOwner: 5 })
    const gate = Promise.withResolvers<void>()
    const owned = (owner: string) => queue.run({ kind: 'login', owner }, () => gate.promise)
    const flood = Promise.allSettled(Array.from({ length: 300 }, () => owned('a')))
    const other = owned('b')
    gate.resolve()
    const refusals = (await flood).flatMap((outcome) =>
      outcome.status === 'rejected' ? [outcome.reason] : [],
    )
    expect(refusals.length).toBeGreaterThan(0)
    expect(refusals[0]).toMatchObject({ kind: 'too-many', retryAfterS: 1 })
    await expect(other).resolves.toBeUndefined()
  })

  it('are followed by others when one fails', async () => {
    const queue = new HashQueue()
    const works = Array.from({ length: 40 }, (_, n) =>
      queue.run({ kind: 'login', owner: 'a' }, async () => {
        if (n % 2 === 0) throw new Error('wrong')
        return n
      }),
    )
    const outcomes = await Promise.allSettled(works)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(20)
  })
})

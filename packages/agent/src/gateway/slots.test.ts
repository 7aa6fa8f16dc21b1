import { describe, expect, it } from 'vitest'
import { Slots } from './slots.ts'

describe('slots', () => {
  it('run at most as many at the same time as there are slots, in order', async () => {
    const slots = new Slots(3, 60_000)
    let running = 0
    let most = 0
    const order: number[] = []
    await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        slots.run(async () => {
          running += 1
          most = Math.max(most, running)
          order.push(n)
          await new Promise((resolve) => setImmediate(resolve))
          running -= 1
        }),
      ),
    )
    expect(most).toBe(3)
    expect(order).toEqual(order.toSorted((a, b) => a - b))
  })

  it('are taken from work that does not end', async () => {
    const slots = new Slots(2, 20)
    const hanging = Array.from({ length: 6 }, () => slots.run(() => new Promise<never>(() => {})))
    expect(hanging).toHaveLength(6)
    expect(await slots.run(async () => 'read')).toBe('read')
  })

  it('can become more or fewer while they are held', async () => {
    const slots = new Slots(1, 60_000)
    const { promise: held, resolve: end } = Promise.withResolvers<void>()
    let running = 0
    const work = () => {
      running += 1
      return held
    }
    const all = Array.from({ length: 5 }, () => slots.run(work))
    expect(running).toBe(1)
    slots.resize(2)
    await expect.poll(() => running).toBe(3)
    slots.resize(-2)
    end()
    await Promise.all(all)
    expect(running).toBe(5)
    const order: string[] = []
    const first = slots.run(async () => {
      await new Promise((resolve) => setImmediate(resolve))
      order.push('first')
    })
    await Promise.all([first, slots.run(async () => void order.push('second'))])
    expect(order).toEqual(['first', 'second'])
  })

  it('are free again after work that fails', async () => {
    const slots = new Slots(1, 60_000)
    await expect(slots.run(() => Promise.reject(new Error('no answer')))).rejects.toThrow('no answer')
    expect(await slots.run(async () => 'read')).toBe('read')
  })
})

import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { LiveBuffer } from './live.buffer.ts'

const intervalMs = 100

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout'] }))
afterEach(() => void vi.useRealTimers())

/** A client that takes a frame only when `take` is called. */
function slowClient() {
  const frames: { items: { agent: string; n: number }[]; skipped: number }[] = []
  let take: (() => void) | undefined
  const buffer = new LiveBuffer((items, skipped) => {
    frames.push({ items: JSON.parse(items), skipped })
    return new Promise((resolve) => {
      take = resolve
    })
  })
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  return {
    buffer,
    frames,
    takeNow: () => take?.(),
    take: async () => {
      take?.()
      await vi.advanceTimersByTimeAsync(intervalMs)
      await turn()
    },
    turn,
  }
}

const sampleOf = (agent: string, n: number, length = 0) => ({
  key: agent,
  text: JSON.stringify({ agent, n, pad: 'x'.repeat(length) }),
})

it('a client that keeps up gets every item, and items that arrive at once in one frame', async () => {
  const { buffer, frames, take, turn } = slowClient()
  for (let n = 0; n < 3; n++) buffer.offer(sampleOf('a', n))
  await turn()
  buffer.offer(sampleOf('a', 3))
  buffer.offer(sampleOf('b', 4))
  await take()
  expect(frames.map(({ items }) => items.map(({ n }) => n))).toEqual([
    [0, 1, 2],
    [3, 4],
  ])
  expect(frames.map(({ skipped }) => skipped)).toEqual([0, 0])
})

it('a client gets at most one frame in 100 ms, and the first one at once', async () => {
  const { buffer, frames, takeNow, turn } = slowClient()
  for (let n = 0; n < 20; n++) {
    buffer.offer(sampleOf('a', n))
    await turn()
    // The client has taken each frame.
    takeNow()
    await vi.advanceTimersByTimeAsync(25)
  }
  expect(frames.map(({ items }) => items.map(({ n }) => n))).toEqual([
    [0],
    [1, 2, 3],
    [4, 5, 6, 7],
    [8, 9, 10, 11],
    [12, 13, 14, 15],
    [16, 17, 18, 19],
  ])
})

it('a slow client gets the newest item of each agent, and the number of skipped items', async () => {
  const { buffer, frames, take, turn } = slowClient()
  buffer.offer(sampleOf('first', 0))
  await turn()
  for (let n = 0; n < 10_000; n++) buffer.offer(sampleOf(`agent-${n % 10}`, n, 400))
  await take()
  const [, second] = frames
  const newest = new Map(second?.items.map(({ agent, n }) => [agent, n]))
  expect([...newest.values()].sort((a, b) => a - b)).toEqual(Array.from({ length: 10 }, (_, n) => 9990 + n))
  expect((second?.items.length ?? 0) + (second?.skipped ?? 0)).toBe(10_000)
  // At most the limit and one item were pending.
  expect(JSON.stringify(second?.items).length).toBeLessThan(300 * 1024)
})

it('the pending items of a slow client are bounded however many agents there are', async () => {
  const { buffer, frames, take, turn } = slowClient()
  buffer.offer(sampleOf('first', 0))
  await turn()
  for (let n = 0; n < 5000; n++) buffer.offer(sampleOf(`agent-${n}`, n, 1000))
  await take()
  const second = frames[1]
  expect(JSON.stringify(second?.items).length).toBeLessThan(1.2 * 1024 * 1024)
  expect(second?.items.at(-1)?.n).toBe(4999)
  expect((second?.items.length ?? 0) + (second?.skipped ?? 0)).toBe(5000)
})

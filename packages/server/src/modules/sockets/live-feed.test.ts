import { expect, it } from 'vitest'
import { LiveFeed } from './live-feed.ts'

/** A client that takes a frame only when it is told to. */
function slowClient() {
  const frames: { items: { agent: string; n: number }[]; skipped: number }[] = []
  let take: (() => void) | undefined
  const feed = new LiveFeed((items, skipped) => {
    frames.push({ items: JSON.parse(items), skipped })
    return new Promise((resolve) => {
      take = resolve
    })
  })
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  return {
    feed,
    frames,
    take: async () => {
      take?.()
      await turn()
    },
    turn,
  }
}

const sampleOf = (agent: string, n: number, length = 0) => ({
  about: agent,
  text: JSON.stringify({ agent, n, pad: 'x'.repeat(length) }),
})

it('hands over everything that a client can take, in one frame what came at once', async () => {
  const { feed, frames, take, turn } = slowClient()
  for (let n = 0; n < 3; n++) feed.offer(sampleOf('a', n))
  await turn()
  feed.offer(sampleOf('a', 3))
  feed.offer(sampleOf('b', 4))
  await take()
  expect(frames.map(({ items }) => items.map(({ n }) => n))).toEqual([
    [0, 1, 2],
    [3, 4],
  ])
  expect(frames.map(({ skipped }) => skipped)).toEqual([0, 0])
})

it('keeps the newest of each agent for a client that is slow, and says how many it left out', async () => {
  const { feed, frames, take, turn } = slowClient()
  feed.offer(sampleOf('first', 0))
  await turn()
  for (let n = 0; n < 10_000; n++) feed.offer(sampleOf(`agent-${n % 10}`, n, 400))
  await take()
  const [, second] = frames
  const newest = new Map(second?.items.map(({ agent, n }) => [agent, n]))
  expect([...newest.values()].sort((a, b) => a - b)).toEqual(Array.from({ length: 10 }, (_, n) => 9990 + n))
  expect((second?.items.length ?? 0) + (second?.skipped ?? 0)).toBe(10_000)
  // What waited was never more than the bound and one sample.
  expect(JSON.stringify(second?.items).length).toBeLessThan(300 * 1024)
})

it('is bounded however many agents there are', async () => {
  const { feed, frames, take, turn } = slowClient()
  feed.offer(sampleOf('first', 0))
  await turn()
  for (let n = 0; n < 5000; n++) feed.offer(sampleOf(`agent-${n}`, n, 1000))
  await take()
  const second = frames[1]
  expect(JSON.stringify(second?.items).length).toBeLessThan(1.2 * 1024 * 1024)
  expect(second?.items.at(-1)?.n).toBe(4999)
  expect((second?.items.length ?? 0) + (second?.skipped ?? 0)).toBe(5000)
})

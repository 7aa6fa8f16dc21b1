import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { rounded } from '../bench.ts'

/** Runs in the page: counts its frames, and the longest time between two. */
const count = `
  globalThis.frames = { count: 0, longestMs: 0, isOver: false }
  let last = performance.now()
  const look = (now) => {
    frames.count += 1
    frames.longestMs = Math.max(frames.longestMs, now - last)
    last = now
    if (!frames.isOver) requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
`

export async function framesWhile(page: Page, act: () => Promise<unknown>) {
  await page.evaluate(count)
  const startedAt = performance.now()
  await act()
  const seconds = (performance.now() - startedAt) / 1000
  const { count: frames, longestMs } = await page.evaluate<{ count: number; longestMs: number }>(
    'Object.assign(frames, { isOver: true })',
  )
  return { perS: rounded(frames / seconds, 1), longestMs: Math.round(longestMs) }
}

/** What the page holds after everything that nobody needs is gone. */
async function heapMbOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await session.detach()
  return rounded(usedSize / 1024 / 1024, 1)
}

/** After a first minute, in which it fills what it keeps. */
export async function heapOver(page: Page, minutes: number, say: (line: string) => void) {
  await sleep(minutes > 1 ? 60_000 : 10_000)
  const first = await heapMbOf(page)
  let last = first
  for (let minute = 1; minute <= minutes; minute++) {
    await sleep(60_000)
    last = await heapMbOf(page)
    say(`${last} MB after ${minute} min`)
  }
  return { first, last }
}

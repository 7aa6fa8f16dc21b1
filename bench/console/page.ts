import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { rounded } from '../bench.ts'

/** Runs in the page: counts frames and the longest time between two. */
const count = `
  const mine = { count: 0, longestMs: 0, isOver: false }
  globalThis.mancFrames = mine
  let last = performance.now()
  const look = (now) => {
    if (mine.isOver) return
    mine.count += 1
    mine.longestMs = Math.max(mine.longestMs, now - last)
    last = now
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
`

export async function framesWhile(page: Page, act: () => Promise<unknown>) {
  await page.evaluate(`{${count}}`)
  const startedAt = performance.now()
  await act()
  const seconds = (performance.now() - startedAt) / 1000
  const { count: frames, longestMs } = await page.evaluate<{ count: number; longestMs: number }>(
    'Object.assign(mancFrames, { isOver: true })',
  )
  return { perS: rounded(frames / seconds, 1), longestMs: Math.round(longestMs) }
}

interface Held {
  /** Heap of scripts, page and buffers after garbage collection. */
  heapMb: number
  /** Resident memory of all pages and workers of this browser. */
  residentMb: number
}

async function heldBy(browser: Browser, page: Page): Promise<Held> {
  const ofPage = await page.context().newCDPSession(page)
  await ofPage.send('HeapProfiler.collectGarbage')
  const heap = (await ofPage.send('Runtime.getHeapUsage')) as Record<string, number>
  await ofPage.detach()
  const ofBrowser = await browser.newBrowserCDPSession()
  const { processInfo } = await ofBrowser.send('SystemInfo.getProcessInfo')
  await ofBrowser.detach()
  let pages = 0
  for (const { type, id } of processInfo)
    if (type === 'renderer') pages += Number((await readFile(`/proc/${id}/statm`, 'utf8')).split(' ')[1] ?? 0)
  const { usedSize = 0, embedderHeapUsedSize = 0, backingStorageSize = 0 } = heap
  return {
    heapMb: rounded((usedSize + embedderHeapUsedSize + backingStorageSize) / 1024 ** 2, 1),
    residentMb: Math.round((pages * 4096) / 1024 ** 2),
  }
}

/** Starts after the first minute, in which caches fill; of a short run after 10 s. */
export async function heldOver(browser: Browser, page: Page, minutes: number, log: (line: string) => void) {
  await sleep(minutes > 1 ? 60_000 : 10_000)
  const first = await heldBy(browser, page)
  let last = first
  for (let passed = 0; passed < minutes; passed += 1) {
    await sleep(60_000 * Math.min(1, minutes - passed))
    last = await heldBy(browser, page)
    log(`${last.heapMb} MB of heap, ${last.residentMb} MB in all, after ${rounded(passed + 1, 1)} min`)
  }
  return { first, last }
}

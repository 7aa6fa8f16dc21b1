import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { call } from '../../packages/server/test/client.ts'
import { startProcess } from '../../packages/server/test/process.ts'
import { rounded } from '../bench.ts'
import type { Stage } from '../stage.ts'
import { heapOver } from './page.ts'

const apId = 'charted'
const metrics = ['clients', 'throughput_mbps', 'latency_ms', 'packet_loss_pct', 'load_pct', 'power_w']

interface Options {
  minutes: number
  signIn: (page: Page, url: string) => Promise<void>
  say: (line: string) => void
}

/** Six metrics once a second: what the page keeps, and whether it missed a point that operation 28 has. */
export async function watchCharts(browser: Browser, stage: Stage, { minutes, signIn, say }: Options) {
  const { token, server } = stage
  const ingester = await startProcess({ ...stage.place.environment, MANC_ROLES: 'ingester' })
  const body = { ap_id: apId, password: 'a-password', configuration: { technology: 'WiFi' } }
  await call(server.url, 'POST', '/api/v1/agents/', { token, body })
  const over = new AbortController()
  const sending = (async () => {
    while (!over.signal.aborted) {
      const payload = Object.fromEntries(metrics.map((name) => [name, Math.round(Math.random() * 100)]))
      await call(server.url, 'POST', '/api/v1/agent_update/update', { token, body: { ap_id: apId, payload } })
      await sleep(1000 - (Date.now() % 1000))
    }
  })()
  try {
    await sleep(5000)
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, acceptDownloads: true })
    await signIn(page, server.url)
    await page.goto(`${server.url}/access-points/${apId}`)
    await page.getByText('15 min', { exact: true }).click()
    const heap = await heapOver(page, minutes, say)
    const shown = await exported(page)
    const missed = await missedOf(stage, shown)
    await page.close()
    return {
      charts_heap_mb: heap.last,
      charts_heap_growth_mb: rounded(heap.last - heap.first),
      charts_points: shown.size,
      charts_missed_points: missed,
    }
  } finally {
    over.abort()
    await sending
    await ingester.stop()
  }
}

/** The rows that the page saves as CSV, by their moments. */
async function exported(page: Page): Promise<Set<string>> {
  await page.getByRole('button', { name: 'Export' }).click()
  const coming = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Values as CSV' }).click()
  const [, ...rows] = (await readFile(await (await coming).path(), 'utf8')).trim().split('\r\n')
  // Of a row with a gap a point is missing.
  return new Set(rows.filter((row) => !/,(,|$)/.test(row)).map((row) => row.split(',')[0] ?? ''))
}

async function missedOf(stage: Stage, shown: ReadonlySet<string>): Promise<number> {
  const where = `/api/v1/metrics/agent_multi_metric_data?agent=${apId}&metrics=${metrics.join(',')}&window=15m`
  const { body } = await call(stage.server.url, 'GET', where, { token: stage.token })
  const [first = '', last = ''] = [[...shown][0], [...shown].at(-1)]
  const known: string[] = body.series[0].points.map(({ ts }: { ts: string }) => ts)
  return known.filter((moment) => moment >= first && moment <= last && !shown.has(moment)).length
}

import { setTimeout as sleep } from 'node:timers/promises'
import { call, startServerProcess } from '@manc/harness'
import type { Browser, Page } from 'playwright-core'
import { exportedCharts } from '../../e2e/console/charts.ts'
import { rounded } from '../bench.ts'
import type { BenchEnvironment } from '../environment.ts'
import { heldOver } from './page.ts'

const apId = 'charted'
const metrics = ['clients', 'throughput_mbps', 'latency_ms', 'packet_loss_pct', 'load_pct', 'power_w']
/** The page reloads its whole window once a minute, which would hide points that it missed: compare more often. */
const compareEveryMs = 20_000
/** A sample is readable within 2 s and shown within another second. */
const onItsWayMs = 3000

interface Options {
  minutes: number
  signIn: (page: Page, url: string) => Promise<void>
  log: (line: string) => void
}

/** Six metrics at 1 Hz: memory of the page, and points that operation 28 has but the page missed. */
export async function watchCharts(
  browser: Browser,
  environment: BenchEnvironment,
  { minutes, signIn, log }: Options,
) {
  const ingester = await startServerProcess({ ...environment.variables, MANC_ROLES: 'ingester' })
  const over = new AbortController()
  try {
    const body = { ap_id: apId, password: 'a-password', configuration: { technology: 'WiFi' } }
    await ask(environment, 'POST', '/api/v1/agents/', body)
    const sending = keepSending(environment, over.signal)
    await sleep(5000)
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, acceptDownloads: true })
    await signIn(page, environment.server.url)
    await page.goto(`${environment.server.url}/access-points/${apId}?range=15m`)
    const openedAt = Date.now()
    const comparing = keepComparing(environment, page, openedAt, over.signal)
    const watching = heldOver(browser, page, minutes, log)
    // An error in either ends the bench.
    const { first, last } = await Promise.race([watching, sending.then(never), comparing.then(never)])
    over.abort()
    const [{ points, missed }] = await Promise.all([comparing, sending])
    await page.close()
    return {
      charts_heap_mb: last.heapMb,
      charts_heap_growth_mb: rounded(last.heapMb - first.heapMb, 1),
      charts_resident_growth_mb: last.residentMb - first.residentMb,
      charts_points: points,
      charts_missed_points: missed,
    }
  } finally {
    over.abort()
    await ingester.stop()
  }
}

const never = () => new Promise<never>(() => {})

async function ask(
  environment: BenchEnvironment,
  method: 'GET' | 'POST',
  where: string,
  body?: unknown,
): Promise<unknown> {
  const answer = await call(environment.server.url, method, where, {
    token: environment.token,
    ...(body !== undefined && { body }),
  })
  if (answer.status !== 200) throw new Error(`${method} ${where}: ${answer.status}`)
  return answer.body
}

async function keepSending(environment: BenchEnvironment, over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    const payload = Object.fromEntries(metrics.map((name) => [name, Math.round(Math.random() * 100)]))
    await ask(environment, 'POST', '/api/v1/agent_update/update', { ap_id: apId, payload })
    await sleep(1000 - (Date.now() % 1000))
  }
}

/** Compares the page with operation 28 throughout; returns the worst metric. */
async function keepComparing(environment: BenchEnvironment, page: Page, openedAt: number, over: AbortSignal) {
  const known = new Map(metrics.map((metric) => [metric, new Set<string>()]))
  const missed = new Set<string>()
  const from = new Date(openedAt).toISOString()
  while (!over.aborted) {
    await sleep(compareEveryMs)
    const until = new Date(Date.now() - onItsWayMs).toISOString()
    const shown = await exportedCharts(page)
    const where = `/api/v1/metrics/agent_multi_metric_data?agent=${apId}&metrics=${metrics.join(',')}&window=1m`
    const { series } = (await ask(environment, 'GET', where)) as {
      series: { metric: string; points: { ts: string; value: number }[] }[]
    }
    for (const { metric, points } of series)
      for (const { ts, value } of points.filter((point) => point.ts > from && point.ts <= until)) {
        known.get(metric)?.add(ts)
        if (shown.get(metric)?.get(ts) !== value) missed.add(`${metric} ${ts}`)
      }
  }
  return { points: Math.min(...[...known.values()].map((moments) => moments.size)), missed: missed.size }
}

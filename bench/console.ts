import { setTimeout as sleep } from 'node:timers/promises'
import { admin } from '@manc/harness'
import type { Page } from 'playwright-core'
import { launchBrowser } from '../e2e/browser.ts'
import { buildConsole } from '../tools/console.ts'
import { type Bench, rounded } from './bench.ts'
import { watchCharts } from './console/charts.ts'
import { insertAgents, keepAlive, sendSamples } from './console/fleet-data.ts'
import { framesWhile, heldOver } from './console/page.ts'
import { clickTable, compareWithBare, loadTable, requestPages } from './console/table.ts'
import { createBenchEnvironment } from './environment.ts'

const sizes = [10_000, 100_000]
const viewport = { width: 1280, height: 800 }

/**
 * The console with 10,000 and 100,000 access points: load time, sort and filter of the table, frame rate of the map, memory; then
 * charts at 1 Hz. The ratio is the time of a page of the table with the bare engines, against the API.
 */
export const consoleBench: Bench = async ({ quick, minutes = 10, agents, log }) => {
  await buildConsole(log)
  const environment = await createBenchEnvironment(log)
  const { url } = environment.server
  // One browser per page, so that their memory is measured separately.
  const [browser, other, tables] = [await launchBrowser(), await launchBrowser(), await launchBrowser()]
  const over = new AbortController()
  const figures: Record<string, number> = {}
  try {
    const page = await browser.newPage({ viewport })
    const tablePage = await tables.newPage({ viewport })
    await signIn(page, url)
    await signIn(tablePage, url)
    const empty = await framesWhile(page, () => sleep(2000))
    let before = 0
    for (const size of agents === undefined ? sizes : [agents]) {
      log(`${size} access points …`)
      await insertAgents(environment, before, size)
      before = size
      await sendSamples(environment, size)
      const loaded = await loadTable(tablePage, url, { quick, log })
      const clickedMs = await clickTable(tablePage, url, { quick, log })
      await tablePage.goto(`${url}/developers`)
      await sendSamples(environment, size)
      const { sortMs, filterMs } = await requestPages(environment, { quick, log })
      const seen = await look(page, url, size)
      log(`the list after ${seen.list_ms} ms, the map after ${seen.map_ms} ms`)
      const panned = await framesWhile(page, () => pan(page))
      const scrolled = await framesWhile(page, () => scroll(page))
      log(
        `panning ${panned.perS} frames/s, scrolling ${scrolled.perS}; a page that does nothing has ${empty.perS}`,
      )
      const named = {
        rows_ms: loaded.rowsMs,
        first_load_kb: loaded.kb,
        clicked_sort_p95_ms: clickedMs,
        sort_p95_ms: sortMs,
        filter_p95_ms: filterMs,
        ...seen,
        pan_frames_per_s: panned.perS,
        pan_longest_frame_ms: panned.longestMs,
        scroll_frames_per_s: scrolled.perS,
        scroll_longest_frame_ms: scrolled.longestMs,
      }
      for (const [name, value] of Object.entries(named)) figures[nameOf(name, size)] = value
      await page.goto(`${url}/developers`)
    }
    await sendSamples(environment, before)
    const ratio = await compareWithBare(environment, { quick, log })
    const living = keepAlive(environment, before, over.signal)
    const lasts = quick ? 1 / 3 : minutes
    await Promise.all([page.goto(url), tablePage.goto(`${url}/access-points?sort=load_pct`)])
    await page.getByText(`${before.toLocaleString('en')} access points`).waitFor({ timeout: 120_000 })
    const watching = Promise.all([
      heldOver(browser, page, lasts, log),
      heldOver(tables, tablePage, lasts, log),
      watchCharts(other, environment, { minutes: lasts, signIn, log }),
    ])
    const [held, table, charts] = await Promise.race([watching, living])
    return {
      ratio,
      ...figures,
      heap_mb: held.last.heapMb,
      heap_growth_mb: rounded(held.last.heapMb - held.first.heapMb, 1),
      resident_mb: held.last.residentMb,
      resident_growth_mb: held.last.residentMb - held.first.residentMb,
      table_heap_mb: table.last.heapMb,
      table_heap_growth_mb: rounded(table.last.heapMb - table.first.heapMb, 1),
      ...charts,
      charts_points_of_expected: rounded(charts.charts_points / (60 * lasts)),
    }
  } finally {
    over.abort()
    await Promise.all([browser.close(), other.close(), tables.close()])
    await environment.end()
  }
}

/** `rows_ms` of 10,000 is `rows_10k_ms`: the unit is last. */
const nameOf = (name: string, size: number) => name.replace(/_(ms|kb|frames_per_s)$/, `_${size / 1000}k_$1`)

async function signIn(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/developers`)
  await page.getByLabel('E-mail').fill(admin.username)
  await page.getByRole('textbox', { name: 'Password' }).fill(admin.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('PostgreSQL is up').waitFor()
}

/** From a reload without cache to the visible list and map. */
async function look(page: Page, url: string, agents: number) {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  const startedAt = performance.now()
  await page.goto(url)
  await page.getByText(`${agents.toLocaleString('en')} access points`).waitFor({ timeout: 120_000 })
  const listMs = Math.round(performance.now() - startedAt)
  await page.locator('.maplibregl-map[data-drawn]').waitFor({ timeout: 120_000 })
  const mapMs = Math.round(performance.now() - startedAt)
  await session.detach()
  await sleep(3000)
  return { list_ms: listMs, map_ms: mapMs }
}

async function pan(page: Page): Promise<void> {
  const map = page.locator('.maplibregl-canvas')
  const box = await map.boundingBox()
  if (!box) throw new Error('There is no map.')
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  const before = await map.screenshot()
  for (let turn = 0; turn < 4; turn++) {
    await page.mouse.move(x, y)
    await page.mouse.down()
    for (let step = 1; step <= 60; step++) {
      await page.mouse.move(x + (turn % 2 ? -4 : 4) * step, y + step)
      await sleep(16)
    }
    await page.mouse.up()
  }
  if (before.equals(await map.screenshot())) throw new Error('The map did not move.')
}

async function scroll(page: Page): Promise<void> {
  const list = page.getByRole('list', { name: 'Access points' })
  // The first row is always there, as the one with the focus.
  const last = () => list.getByRole('listitem').last().innerText()
  const before = await last()
  // The list itself is higher than the screen.
  await list.getByRole('listitem').first().hover()
  for (let step = 0; step < 200; step++) {
    await page.mouse.wheel(0, 240)
    await sleep(16)
  }
  if (before === (await last())) throw new Error('The list did not scroll.')
}

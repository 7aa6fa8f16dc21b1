import { setTimeout as sleep } from 'node:timers/promises'
import { measurementOf } from '@manc/contract'
import { admin, sqlAt } from '@manc/harness'
import type { Page } from 'playwright-core'
import { launchBrowser } from '../e2e/browser.ts'
import { buildConsole } from '../tools/console.ts'
import { type Bench, rounded } from './bench.ts'
import { watchCharts } from './console/charts.ts'
import { framesWhile, heldOver } from './console/page.ts'
import { type BenchEnvironment, createBenchEnvironment } from './environment.ts'

const everyChangeMs = 1000
const changes = 50

/** The console with 10,000 access points: load time, frame rate, memory; then charts at 1 Hz. */
export const consoleBench: Bench = async ({ quick, minutes = 10, agents = 10_000, log }) => {
  await buildConsole(log)
  const environment = await createBenchEnvironment(log)
  // One browser per page, so that their memory is measured separately.
  const [browser, other] = [await launchBrowser(), await launchBrowser()]
  const over = new AbortController()
  try {
    await insert(environment, agents)
    await sendSamples(environment, agents)
    const living = live(environment, agents, over.signal)
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    await signIn(page, environment.server.url)
    const empty = await framesWhile(page, () => sleep(2000))
    const seen = await look(page, environment.server.url, agents)
    log(`the list after ${seen.list_ms} ms, the map after ${seen.map_ms} ms`)
    const panned = await framesWhile(page, () => pan(page))
    const scrolled = await framesWhile(page, () => scroll(page))
    log(
      `panning ${panned.perS} frames/s, scrolling ${scrolled.perS}; a page that does nothing has ${empty.perS}`,
    )
    const lasts = quick ? 1 : minutes
    const watching = Promise.all([
      heldOver(browser, page, lasts, log),
      watchCharts(other, environment, { minutes: lasts, signIn, log }),
    ])
    const [held, charts] = await Promise.race([watching, living])
    return {
      ratio: rounded(panned.perS / empty.perS),
      ...seen,
      pan_frames_per_s: panned.perS,
      pan_longest_frame_ms: panned.longestMs,
      scroll_frames_per_s: scrolled.perS,
      scroll_longest_frame_ms: scrolled.longestMs,
      heap_mb: held.last.heapMb,
      heap_growth_mb: rounded(held.last.heapMb - held.first.heapMb, 1),
      resident_mb: held.last.residentMb,
      resident_growth_mb: held.last.residentMb - held.first.residentMb,
      ...charts,
      charts_points_of_expected: rounded(charts.charts_points / (60 * lasts)),
    }
  } finally {
    over.abort()
    await Promise.all([browser.close(), other.close()])
    await environment.end()
  }
}

async function signIn(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/developers`)
  await page.getByLabel('E-mail').fill(admin.username)
  await page.getByRole('textbox', { name: 'Password' }).fill(admin.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('PostgreSQL is up').waitFor()
}

/** Spread around Bristol. No ingester tracks their presence, so that their state does not change. */
async function insert(environment: BenchEnvironment, agents: number): Promise<void> {
  const database = environment.databaseUrl
  const ids = Array.from({ length: agents }, (_, n) => `ap-${n}`)
  await sqlAt(
    database,
    `insert into agents (id, ap_id, password_hash, configuration)
     select gen_random_uuid(), ap_id, 'x', '{}' from unnest($1::text[]) ap_id`,
    [ids],
  )
  await sqlAt(
    database,
    `insert into fleet (ap_id, technology, state, latitude, longitude)
     select ap_id, (array['5G', 'WiFi', 'LiFi'])[1 + n % 3], case when n % 50 = 0 then 'stale' else 'online' end,
            51.45 + 0.3 * (random() - 0.5), -2.6 + 0.5 * (random() - 0.5)
     from unnest($1::text[]) with ordinality as all_of_them (ap_id, n)`,
    [ids],
  )
}

/** The newest values of each agent, as the ingester would store them. */
async function sendSamples(environment: BenchEnvironment, agents: number): Promise<void> {
  let lines = ''
  for (let n = 0; n < agents; n++) {
    const load = Math.round(Math.random() * 100)
    lines += `${measurementOf(`ap-${n}`)},ap_id=ap-${n} clients=${load % 40},throughput_mbps=${load * 3},power_w=${8 + load / 10},load_pct=${load},latency_ms=${2 + load / 9},signal_quality=${load / 100} ${Date.now()}\n`
  }
  const answer = await fetch(`${environment.engines.urls.victoria}/write?precision=ms`, {
    method: 'POST',
    body: lines,
  })
  if (!answer.ok) throw new Error(`The metrics store answered ${answer.status}.`)
}

/** From a reload without cache to the visible list and map. */
async function look(page: Page, url: string, agents: number) {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  const startedAt = performance.now()
  await page.goto(url)
  await page.getByText(`${agents.toLocaleString('en')} access points`).waitFor()
  const listMs = Math.round(performance.now() - startedAt)
  await page.locator('.maplibregl-map[data-drawn]').waitFor()
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
  const first = () => list.getByRole('listitem').first().innerText()
  const before = await first()
  await list.hover()
  for (let step = 0; step < 200; step++) {
    await page.mouse.wheel(0, 240)
    await sleep(16)
  }
  if (before === (await first())) throw new Error('The list did not scroll.')
}

/** Some agents change state each second, as in a network of this size, and all send every 10 s. Runs until aborted. */
async function live(environment: BenchEnvironment, agents: number, over: AbortSignal): Promise<never> {
  const database = environment.databaseUrl
  for (let second = 1; !over.aborted; second++) {
    const ids = Array.from({ length: changes }, () => `ap-${Math.floor(Math.random() * agents)}`)
    await sqlAt(
      database,
      `update fleet set state = case when state = 'online' then 'offline' else 'online' end, since = now()
       where ap_id = any($1)`,
      [ids],
    )
    if (second % 10 === 0) await sendSamples(environment, agents)
    await sleep(everyChangeMs)
  }
  return new Promise<never>(() => {})
}

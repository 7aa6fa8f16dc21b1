import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { launchBrowser } from '../e2e/browser.ts'
import { admin, sqlAt } from '../packages/server/test/harness.ts'
import { type Bench, rounded } from './bench.ts'
import { watchCharts } from './console/charts.ts'
import { framesWhile, heapOver } from './console/page.ts'
import { type Stage, setStage } from './stage.ts'

const everyChangeMs = 1000
const changes = 50

/** The console before a network of 10,000: how soon it is there, how it moves, what it keeps; then charts at 1 Hz. */
export const consoleBench: Bench = async ({ quick, minutes = 10, agents = 10_000, say }) => {
  const stage = await setStage(say)
  const browser = await launchBrowser()
  try {
    await insert(stage, agents)
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    await signIn(page, stage.server.url)
    const empty = await framesWhile(page, () => sleep(2000))
    const seen = await look(page, stage.server.url, agents)
    say(`the list after ${seen.list_ms} ms, the map after ${seen.map_ms} ms`)
    const panned = await framesWhile(page, () => pan(page))
    const scrolled = await framesWhile(page, () => scroll(page))
    say(
      `panning ${panned.perS} frames/s, scrolling ${scrolled.perS}; a page that does nothing has ${empty.perS}`,
    )
    const lasts = quick ? 1 : minutes
    const heap = await whileItChanges(stage, agents, () => heapOver(page, lasts, say))
    await page.close()
    const charts = await watchCharts(browser, stage, { minutes: lasts, signIn, say })
    return {
      ratio: rounded(panned.perS / empty.perS),
      ...seen,
      pan_frames_per_s: panned.perS,
      pan_longest_frame_ms: panned.longestMs,
      scroll_frames_per_s: scrolled.perS,
      scroll_longest_frame_ms: scrolled.longestMs,
      heap_mb: heap.last,
      heap_growth_mb: rounded(heap.last - heap.first),
      ...charts,
    }
  } finally {
    await browser.close()
    await stage.end()
  }
}

async function signIn(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/developers`)
  await page.getByLabel('E-mail').fill(admin.username)
  await page.getByRole('textbox', { name: 'Password' }).fill(admin.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('PostgreSQL is up').waitFor()
}

/** Around Bristol, as far as the eye reaches; nobody judges them, so they stay as they are. */
async function insert(stage: Stage, agents: number): Promise<void> {
  const database = stage.place.environment['MANC_DATABASE_URL'] ?? ''
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

/** From a reload of the built page, with nothing kept, to what one came for. */
async function look(page: Page, url: string, agents: number) {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.clearBrowserCache')
  const startedAt = performance.now()
  await page.goto(url)
  await page.getByText(`${agents.toLocaleString('en')} access points`).waitFor()
  const listMs = Math.round(performance.now() - startedAt)
  await page.locator('.maplibregl-map[data-drawn]').waitFor()
  const mapMs = Math.round(performance.now() - startedAt)
  await sleep(3000)
  return { list_ms: listMs, map_ms: mapMs }
}

async function pan(page: Page): Promise<void> {
  const box = await page.locator('.maplibregl-canvas').boundingBox()
  if (!box) throw new Error('There is no map.')
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  for (let turn = 0; turn < 4; turn++) {
    await page.mouse.move(x, y)
    await page.mouse.down()
    for (let step = 1; step <= 60; step++) {
      await page.mouse.move(x + (turn % 2 ? -4 : 4) * step, y + step)
      await sleep(16)
    }
    await page.mouse.up()
  }
}

async function scroll(page: Page): Promise<void> {
  await page.getByRole('list', { name: 'Access points' }).hover()
  for (let step = 0; step < 200; step++) {
    await page.mouse.wheel(0, 240)
    await sleep(16)
  }
}

/** Some come and go each second, as in a network of this size. */
async function whileItChanges<T>(stage: Stage, agents: number, watch: () => Promise<T>): Promise<T> {
  const database = stage.place.environment['MANC_DATABASE_URL'] ?? ''
  const over = new AbortController()
  const changing = (async () => {
    while (!over.signal.aborted) {
      const ids = Array.from({ length: changes }, () => `ap-${Math.floor(Math.random() * agents)}`)
      await sqlAt(
        database,
        `update fleet set state = case when state = 'online' then 'offline' else 'online' end, since = now()
         where ap_id = any($1)`,
        [ids],
      )
      await sleep(everyChangeMs)
    }
  })()
  const seen = await watch()
  over.abort()
  await changing
  return seen
}

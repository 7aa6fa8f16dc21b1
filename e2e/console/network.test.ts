import { randomUUID } from 'node:crypto'
import { type FleetAgent, Manc } from '@manc/sdk'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type ConsoleEnvironment,
  consoleEnvironment,
  desktop,
  expectAccessible,
  phone,
} from './environment.ts'

let env: ConsoleEnvironment
/** Shared by all tests of this file. */
let page: Page

beforeAll(async () => {
  env = await consoleEnvironment()
  page = await env.signedIn('/')
})
afterAll(() => env?.close())

/** Loads the page again, whatever was open before. */
async function open(path: string): Promise<void> {
  const answer = await page.goto(`${env.url}${path}`)
  // A change of the fragment alone does not load the page.
  if (!answer) await page.reload()
}

const fleet = () => Array.fromAsync(env.manc.fleet.agents())
const rows = () => page.getByRole('list', { name: 'Access points' }).getByRole('listitem')
/** The length of the list, which renders visible rows only. */
const listed = async () =>
  Number(/^([\d,]+) access/.exec(await page.getByText(/^[\d,]+ access points?( of|$)/).innerText())?.[1])
/** The list is as long as in the controller. */
async function expectListed(wanted: (agent: FleetAgent) => boolean = () => true): Promise<void> {
  await expect.poll(async () => (await listed()) - (await fleet()).filter(wanted).length).toBe(0)
}
const isLiFi = ({ technology }: FleetAgent) => technology === 'LiFi'
const search = () => page.getByLabel('Search access points')
const chip = (name: string) => page.locator('label').filter({ hasText: new RegExp(`^${name}$`) })
const canvas = () => page.locator('.maplibregl-canvas')
const pathname = () => new URL(page.url()).pathname

/** The map is drawn. */
const mapIsDrawn = () => page.locator('.maplibregl-map[data-drawn]').waitFor({ timeout: 90_000 })

/** Runs in the page: the median number of pixels per row of an image that differ from the background. */
const foregroundPixelsPerRow = `async (url) => {
  const image = new Image()
  image.src = url
  await image.decode()
  const { width, height } = image
  const context = Object.assign(document.createElement('canvas'), { width, height }).getContext('2d')
  context.drawImage(image, 0, 0)
  const { data } = context.getImageData(0, 0, width, height)
  const pixel = (x, y) => data.slice((y * width + x) * 4, (y * width + x) * 4 + 3).join()
  const inks = Array.from({ length: height }, (_, y) => {
    const counts = new Map()
    for (let x = 0; x < width; x++) counts.set(pixel(x, y), (counts.get(pixel(x, y)) ?? 0) + 1)
    return width - Math.max(...counts.values())
  })
  return inks.sort((a, b) => a - b)[Math.floor(height / 2)]
}`

it('the list opens an access point with the keyboard', async () => {
  await open('/')
  await expect.poll(() => rows().count()).toBeGreaterThan(2)
  await rows().first().getByRole('button').focus()
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowUp')
  const focused = page.locator('.row:focus')
  const name = await focused.locator('p').first().innerText()
  expect(await page.locator('.row[tabindex="0"]').count()).toBe(1)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name }).waitFor()
  expect(pathname()).toMatch(/^\/access-points\/./)
  await expect.poll(() => page.title()).toBe(`${decodeURIComponent(pathname().split('/')[2] ?? '')} · MANC`)
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('content')
})

// The map is slow without a graphics card, so these tests block it. The rest of the page works without it.
describe('the network page without its map', () => {
  const mapCode = '**/assets/fleet-map-*.js'
  beforeAll(() => page.route(mapCode, (route) => route.abort()))
  afterAll(() => page.unroute(mapCode))

  it('lists every access point and filters while typing', async () => {
    await open('/')
    await page.getByText('Map failed to load').waitFor()
    await expectListed()
    await chip('LiFi').click()
    await expectListed(isLiFi)
    const lifi = (await fleet()).find(isLiFi)
    await search().fill(lifi?.ap_id.toUpperCase() ?? '')
    await expect.poll(listed).toBe(1)
    await search().fill('no such name')
    await page.getByText('No matches').waitFor()
    await page.getByRole('button', { name: 'Clear search' }).click()
    await expectListed(isLiFi)
  })

  it('restores the filter on return', async () => {
    await open('/')
    await chip('LiFi').click()
    await search().fill('lifi')
    await expect
      .poll(() => Object.fromEntries(new URL(page.url()).searchParams))
      .toEqual({
        q: 'lifi',
        technology: 'LiFi',
      })
    await rows().first().getByRole('button').click()
    await page.getByRole('tab', { name: 'Charts' }).waitFor()
    await page.goBack()
    await expect.poll(() => search().inputValue()).toBe('lifi')
    await expectListed((agent) => isLiFi(agent) && agent.ap_id.includes('lifi'))
  })

  it('shows an access point that goes offline, in the list and in the changes', async () => {
    const apId = `offline-${randomUUID().slice(0, 8)}`
    const { manc } = env
    await manc.agents.register({
      ap_id: apId,
      password: 'a-password',
      configuration: { technology: 'WiFi', name: `Porch of ${apId}`, telemetry_interval_s: 2 },
    })
    try {
      const agent = new Manc({
        url: env.url,
        credentials: { loginType: 'agent', username: apId, password: 'a-password' },
      })
      await open('/')
      await search().fill(apId)
      const row = rows().filter({ hasText: apId })
      await row.waitFor()
      await expect
        .poll(
          async () => {
            await agent.agents.sendUpdate({ payload: { clients: 1 } })
            return row.getByText('online', { exact: true }).count()
          },
          { interval: 500 },
        )
        .toBe(1)
      await page.getByText(`Porch of ${apId} came online`).waitFor()
      await row.getByText(/^offline \d+ (s|min)$/).waitFor({ timeout: 60_000 })
      await page.getByText(`Porch of ${apId} went offline`).waitFor()
    } finally {
      await manc.agents.remove(apId)
    }
  })

  it('shows what is bad and why, and filters by it', async () => {
    const apId = `bad-${randomUUID().slice(0, 8)}`
    const { manc } = env
    await manc.agents.register({
      ap_id: apId,
      password: 'a-password',
      configuration: { technology: 'WiFi', telemetry_interval_s: 3600 },
    })
    try {
      const agent = new Manc({
        url: env.url,
        credentials: { loginType: 'agent', username: apId, password: 'a-password' },
      })
      const send = (agoS: number) =>
        agent.agents.sendUpdate({ ts: Date.now() - agoS * 1000, payload: { load_pct: 99 } })
      await send(80)
      await expect.poll(async () => (await fleet()).find(({ ap_id }) => ap_id === apId)?.state).toBe('online')
      // The duration of a level is measured in the time of the samples.
      for (const agoS of [70, 50, 30, 0]) await send(agoS)
      await open('/')
      const counts = page.getByRole('group', { name: 'Health of the network' })
      await counts.getByRole('button', { name: /^\d+ bad$/ }).click()
      expect(new URL(page.url()).searchParams.get('health')).toBe('bad')
      await expectListed(({ health }) => health === 'bad')
      const row = rows().filter({ hasText: apId })
      await row.getByText(/^load 99 % for \d+ min$/).waitFor()
      await row.getByRole('button').click()
      await page.getByRole('heading', { level: 1, name: apId }).waitFor()
      await page.getByText(/^load 99 %/).waitFor()
      await expectAccessible(page)
    } finally {
      await manc.agents.remove(apId)
    }
  })

  it('shows counts and sums by technology that add up', async () => {
    await open('/')
    const counted = async () => {
      const { total, technologies } = await env.manc.fleet.summary()
      const shown = technologies.filter((each) => each.technology !== 'other' || each.total > 0)
      const all = await page.getByText(`of ${total}`, { exact: true }).count()
      return [all > 0, (await page.getByText(/of \d+$/).count()) - shown.length]
    }
    await expect.poll(counted).toEqual([true, 1])
    const sums = page.getByText(/^[\d,]+ clients$/)
    await expect.poll(() => sums.count()).toBeGreaterThanOrEqual(4)
    const [all = 0, ...parts] = (await sums.allInnerTexts()).map((text) => Number(text.replaceAll(/\D/g, '')))
    expect(all).toBeGreaterThan(0)
    expect(parts.reduce((sum, each) => sum + each, 0)).toBe(all)
  })

  it('counts of a technology filter, and figures show their trend', async () => {
    await open('/')
    const lifi = page.getByRole('region', { name: 'LiFi' })
    await lifi.getByRole('button', { name: /online. Show only LiFi$/ }).click()
    await expectListed(isLiFi)
    expect(new URL(page.url()).searchParams.get('technology')).toBe('LiFi')
    await lifi.getByRole('button', { name: /online. Show only LiFi$/ }).click()
    await expectListed()
    await lifi.getByRole('button', { name: /trend of clients of lifi/ }).click()
    const trend = page.getByRole('group', { name: 'Trend of clients of lifi' })
    await trend.getByText('Clients of LiFi in the last hour').waitFor()
    // The controller records several times before each minute ends.
    await trend.getByText(/now; lowest [\d,]+, highest [\d,]+$/).waitFor({ timeout: 120_000 })
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await trend.waitFor({ state: 'hidden' })
  })

  it('shows whether the controller works while there are no access points', async () => {
    const summaries = '**/api/v1/fleet/summary*'
    await page.route(summaries, async (route) => {
      const summary = (await (await route.fetch()).json()) as object
      await route.fulfill({ json: { ...summary, total: 0 } })
    })
    try {
      await open('/')
      await page.getByText('No access points', { exact: true }).waitFor()
      await page.getByRole('button', { name: /^Controller: / }).click()
      await page.getByText(/^PostgreSQL: /).waitFor()
      await expectAccessible(page)
    } finally {
      await page.unroute(summaries)
    }
  })

  it('lists matching access points by load, highest first', async () => {
    await open('/')
    await chip('LiFi').click()
    await page.getByText('By load', { exact: true }).click()
    const busiest = page.getByRole('list', { name: 'Access points by load' })
    const count = async () => busiest.getByRole('listitem').count()
    const known = async () =>
      (await env.manc.fleet.figures()).technologies.find(({ technology }) => technology === 'LiFi')?.busiest
    await expect.poll(async () => (await count()) - ((await known())?.length ?? 0)).toBe(0)
    const loads = (await busiest.getByText(/% load$/).allInnerTexts()).map((text) =>
      Number(/(\d+) %/.exec(text)?.[1]),
    )
    expect(loads.length).toBeGreaterThan(1)
    expect(loads).toEqual(loads.toSorted((a, b) => b - a))
    await search().fill((await known())?.[0]?.ap_id ?? '')
    await expect.poll(count).toBe(1)
    await busiest.getByRole('button').first().click()
    await page.getByRole('tab', { name: 'Charts' }).waitFor()
  })

  it('opens the command palette while a filter has the focus', async () => {
    await open('/')
    await chip('LiFi').click()
    const palette = page.getByPlaceholder('Search access points, pages and actions')
    await page.keyboard.press('Control+k')
    await palette.waitFor()
    await page.keyboard.press('Escape')
    await palette.waitFor({ state: 'hidden' })
  })

  it('shows the age of the data and keeps it while the controller is unreachable', async () => {
    await open('/')
    await page.getByText('Live', { exact: true }).waitFor()
    await page.context().setOffline(true)
    try {
      await page.getByText(/^Last update \d+ s ago$/).waitFor({ timeout: 60_000 })
      await expectListed()
    } finally {
      await page.context().setOffline(false)
    }
    await page.getByText('Live', { exact: true }).waitFor({ timeout: 60_000 })
  })

  it('shows the age of the data if the controller has no new data', async () => {
    const summaries = '**/api/v1/fleet/summary*'
    const as_of = new Date(Date.now() - 300_000).toISOString()
    await page.route(summaries, async (route) => {
      const summary = (await (await route.fetch()).json()) as object
      await route.fulfill({ json: { ...summary, as_of } })
    })
    try {
      await open('/')
      await page.getByText('Last update 5 min ago', { exact: true }).waitFor()
    } finally {
      await page.unroute(summaries)
    }
  })
})

describe('the map', () => {
  /** Opens the map around a 5G access point that is alone at its place, which is then at the centre. */
  async function openAround(query = ''): Promise<FleetAgent> {
    const agents = await fleet()
    const placeOf = ({ position }: FleetAgent) => JSON.stringify(position)
    const agent = agents.find(
      (each) =>
        each.technology === '5G' && agents.filter((other) => placeOf(other) === placeOf(each)).length === 1,
    )
    if (!agent?.position) throw new Error('There is no access point with a place of its own.')
    const { latitude, longitude } = agent.position
    const area = [longitude - 1e-4, latitude - 1e-4, longitude + 1e-4, latitude + 1e-4].join(',')
    await open(`/${query}#area=${area}`)
    await mapIsDrawn()
    return agent
  }
  const card = (agent: FleetAgent) =>
    page.getByRole('group', { name: `Access point ${agent.name ?? agent.ap_id}` })
  async function centre(): Promise<[number, number]> {
    const box = await canvas().boundingBox()
    if (!box) throw new Error('There is no map.')
    return [box.x + box.width / 2, box.y + box.height / 2]
  }

  it('shows the area in the address, and a click opens the card of an access point', async () => {
    const agent = await openAround()
    await page.mouse.click(...(await centre()))
    await card(agent)
      .getByText(/^5G, online for/)
      .waitFor()
    await expect.poll(() => card(agent).getByRole('definition').allInnerTexts()).not.toContain('…')
    expect(pathname()).toBe('/')
    expect(new URL(page.url()).searchParams.get('selected')).toBe(agent.ap_id)
    await expectAccessible(page)
    await page.reload()
    await card(agent).waitFor()
    await card(agent).getByRole('link', { name: 'Open details' }).click()
    await expect.poll(pathname).toBe(`/access-points/${agent.ap_id}`)
    await page.goBack()
    await card(agent).getByRole('button', { name: 'Close card' }).click()
    await card(agent).waitFor({ state: 'hidden' })
  })

  it('opens the cards of access points at the same place one after the other', async () => {
    const agents = await fleet()
    const together = agents.filter(({ position }) => position?.latitude === 51.4585)
    expect(together.length).toBeGreaterThan(1)
    const area = [-2.6031, 51.4584, -2.6029, 51.4586].join(',')
    await open(`/#area=${area}`)
    await mapIsDrawn()
    // Null until the first one is selected.
    const seen = new Set<string | null>([null])
    for (const _ of together) {
      await page.mouse.click(...(await centre()))
      await expect.poll(() => seen.has(new URL(page.url()).searchParams.get('selected'))).toBe(false)
      seen.add(new URL(page.url()).searchParams.get('selected'))
    }
    expect(seen).toEqual(new Set([null, ...together.map(({ ap_id: apId }) => apId)]))
  })

  it('shows the card of an access point under the pointer, until the pointer leaves', async () => {
    const agent = await openAround()
    const [x, y] = await centre()
    await page.mouse.move(x + 200, y + 150)
    await page.mouse.move(x, y)
    await card(agent).waitFor()
    expect(new URL(page.url()).searchParams.get('selected')).toBeNull()
    await page.mouse.move(x + 300, y + 200)
    await card(agent).waitFor({ state: 'hidden' })
  })

  it('opens the card of the access point at its centre with the keyboard', async () => {
    const agent = await openAround()
    await canvas().focus()
    await page.keyboard.press('Enter')
    await expect
      .poll(() => page.evaluate('document.activeElement.textContent || document.activeElement.ariaLabel'))
      .toBe('Close card')
    await page.keyboard.press('Tab')
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Open details')
    await page.keyboard.press('Escape')
    await card(agent).waitFor({ state: 'hidden' })
    await expect.poll(() => page.evaluate('document.activeElement.className')).toContain('maplibregl-canvas')
  })

  it('is coloured by technology, health or load, as the address says, with words for each colour', async () => {
    await openAround()
    const legend = page.getByRole('region', { name: 'Colours of the map' })
    await expect
      .poll(() => legend.getByRole('listitem').allInnerTexts())
      .toEqual(['5G', 'WiFi', 'LiFi', 'other'])
    const before = await canvas().screenshot()
    await legend.getByText('Health', { exact: true }).click()
    await expect.poll(() => new URL(page.url()).searchParams.get('colour')).toBe('health')
    await expect.poll(() => legend.getByRole('listitem').allInnerTexts()).toContain('degraded')
    await expect.poll(async () => (await canvas().screenshot()).equals(before)).toBe(false)
    await openAround('?colour=load')
    await expect.poll(() => legend.getByRole('listitem').allInnerTexts()).toContain('80 to 100 %')
  })

  it('has the streets and buildings that the controller is configured with', async () => {
    await openAround()
    await page.locator('.maplibregl-ctrl-attrib').filter({ hasText: 'Buildings of the tests' }).waitFor()
  })

  it('keeps its view on return and when the colour scheme changes', async () => {
    await open('/')
    await mapIsDrawn()
    const scale = page.locator('.maplibregl-ctrl-scale')
    const zoomIn = async (from: string) => {
      await page.getByRole('button', { name: 'Zoom in' }).click()
      await expect.poll(() => scale.innerText()).not.toBe(from)
      let now = ''
      const isStill = async () => {
        const last = now
        now = await scale.innerText()
        return now === last
      }
      // Longer than a frame takes without a graphics card.
      await expect.poll(isStill, { interval: 1500 }).toBe(true)
      return now
    }
    const there = await zoomIn(await zoomIn(await scale.innerText()))
    await page.getByRole('button', { name: 'Dark mode' }).click()
    await expect.poll(() => scale.innerText()).toBe(there)
    await page.getByRole('button', { name: 'Light mode' }).click()
    await page.getByRole('link', { name: 'Developers' }).click()
    await page.getByRole('heading', { level: 1, name: 'Developers' }).waitFor()
    await page.goBack()
    await mapIsDrawn()
    await expect.poll(() => scale.innerText()).toBe(there)
  })

  it('is followed by the list, unless the list should have all access points', async () => {
    await open('/#area=10,50,11,51')
    await mapIsDrawn()
    // They cannot be found on the map.
    await expectListed(({ position }) => position === null)
    await chip('In map view').click()
    await expectListed()
    expect(new URL(page.url()).searchParams.get('view')).toBe('all')
  })

  it('has a grid and a scale at high zoom levels from the start', async () => {
    await open('/')
    await mapIsDrawn()
    await page
      .locator('.maplibregl-ctrl-scale')
      .filter({ hasText: /\d+\s?k?m/ })
      .waitFor()
    const picture = (await canvas().screenshot()).toString('base64')
    const lines = await page.evaluate<number>(
      `(${foregroundPixelsPerRow})('data:image/png;base64,${picture}')`,
    )
    expect(lines).toBeGreaterThanOrEqual(4)
  })
})

it('the content security policy allows no external and no inline scripts', async () => {
  const answer = await fetch(env.url)
  const policy = answer.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).toMatch(/script-src 'self'(;|$)/)
  expect(policy).toMatch(/connect-src 'self'(;|$)/)
})

describe.each(['light', 'dark'] as const)('%s', (scheme) => {
  it('the network page is accessible on a desktop and on a phone, with map and list', async () => {
    await page.emulateMedia({ colorScheme: scheme })
    await page.setViewportSize(desktop)
    await open('/')
    await mapIsDrawn()
    await expectAccessible(page)
    await page.setViewportSize(phone)
    await page.getByText('List', { exact: true }).waitFor()
    expect(await page.getByRole('navigation', { name: 'Pages' }).isVisible()).toBe(false)
    await expectAccessible(page)
    await page.getByText('Changes', { exact: true }).click()
    await page.getByText('Changes in the last 15 minutes').waitFor()
    await page.getByText('List', { exact: true }).click()
    await rows().first().waitFor()
    await expectAccessible(page)
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(
      phone.width,
    )
  })
})

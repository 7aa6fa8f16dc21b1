import { type FleetAgent, Manc } from '@manc/sdk'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConsoleStage, consoleStage, expectAccessible, phone } from './stage.ts'

let stage: ConsoleStage
let fleet: FleetAgent[]

beforeAll(async () => {
  stage = await consoleStage()
  fleet = await Array.fromAsync(stage.manc.fleet.agents())
})
afterAll(() => stage?.close())

const rows = (page: Page) => page.getByRole('list', { name: 'Access points' }).getByRole('listitem')
/** How many the list has, which draws only those in view. */
const listed = async (page: Page) =>
  Number(/^([\d,]+) access/.exec(await page.getByText(/^[\d,]+ access points?$/).innerText())?.[1])
const chip = (page: Page, name: string) => page.locator('label').filter({ hasText: new RegExp(`^${name}$`) })
const canvas = (page: Page) => page.locator('.maplibregl-canvas')

/** The map is drawn, and stands still. */
async function mapIsThere(page: Page): Promise<void> {
  await page.locator('.maplibregl-map[data-drawn]').waitFor()
}

/** Runs in the page: how many pixels of a row are not the ground, in the middle of all rows of a picture. */
const inksOfARow = `async (url) => {
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

describe('the list', () => {
  it('has every access point, and filters as one types and picks', async () => {
    const page = await stage.signedIn('/')
    await expect.poll(() => listed(page)).toBe(fleet.length)
    const lifi = fleet.filter(({ technology }) => technology === 'LiFi')
    await chip(page, 'LiFi').click()
    await expect.poll(() => listed(page)).toBe(lifi.length)
    await page.getByLabel('Search access points').fill(lifi[0]?.ap_id.toUpperCase() ?? '')
    await expect.poll(() => listed(page)).toBe(1)
    await page.getByLabel('Search access points').fill('nobody is called that')
    await page.getByText('None fits').waitFor()
    await page.getByRole('button', { name: 'Clear the search' }).click()
    await expect.poll(() => listed(page)).toBe(lifi.length)
  })

  it('leads to an access point, with the keyboard as well', async () => {
    const page = await stage.signedIn('/')
    const row = rows(page).first().getByRole('button')
    await row.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('tab', { name: 'Live' }).waitFor()
    expect(new URL(page.url()).pathname).toMatch(/^\/access-points\/./)
  })

  it('tells who left: it is stale, then offline, and is said to have changed', async () => {
    const apId = 'leaves-1'
    const { manc } = stage
    await manc.agents.register({
      ap_id: apId,
      password: 'a-password',
      configuration: { technology: 'WiFi', name: 'Porch', telemetry_interval_s: 3 },
    })
    const agent = new Manc({
      url: stage.url,
      credentials: { loginType: 'agent', username: apId, password: 'a-password' },
    })
    const page = await stage.signedIn('/')
    await page.getByLabel('Search access points').fill(apId)
    const row = rows(page).filter({ hasText: 'Porch' })
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
    await row.getByText(/^offline \d+ s$/).waitFor({ timeout: 30_000 })
    await page.getByText('Porch went offline').waitFor()
    await manc.agents.remove(apId)
  })
})

describe('the figures', () => {
  it('count the network and add up what it measures, by technology', async () => {
    const page = await stage.signedIn('/')
    const { total } = await stage.manc.fleet.summary()
    await page.getByText(`of ${total}`, { exact: true }).waitFor()
    expect(await page.getByText(/of \d+$/).count()).toBe(4)
    const sums = page.getByText(/^[\d,]+ clients$/)
    await expect.poll(() => sums.count()).toBe(4)
    const [all = 0, ...parts] = (await sums.allInnerTexts()).map((text) => Number(text.replaceAll(/\D/g, '')))
    expect(all).toBeGreaterThan(0)
    expect(parts.reduce((sum, each) => sum + each, 0)).toBe(all)
  })
})

it('shows the busiest of a technology, the highest load first, and leads to it', async () => {
  const page = await stage.signedIn('/')
  await chip(page, 'LiFi').click()
  await page.getByText('The busiest', { exact: true }).click()
  const busiest = page.getByRole('list', { name: 'The busiest' })
  await expect.poll(() => busiest.getByRole('listitem').count()).toBe(8)
  const loads = (await busiest.getByText(/% load$/).allInnerTexts()).map((text) =>
    Number(/(\d+) %/.exec(text)?.[1]),
  )
  expect(loads).toEqual(loads.toSorted((a, b) => b - a))
  await busiest.getByRole('button').first().click()
  await page.getByRole('tab', { name: 'Live' }).waitFor()
})

describe('the map', () => {
  it('shows the area of the address, and an access point on it is opened by a click', async () => {
    const agent = fleet.find(({ technology }) => technology === '5G')
    const { latitude = 0, longitude = 0 } = agent?.position ?? {}
    const area = [longitude - 1e-4, latitude - 1e-4, longitude + 1e-4, latitude + 1e-4].join(',')
    const page = await stage.signedIn(`/#area=${area}`)
    await mapIsThere(page)
    const box = await canvas(page).boundingBox()
    if (!box) throw new Error('There is no map.')
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/access-points/${agent?.ap_id}`)
  })

  it('narrows the list to what is on it, where one wishes', async () => {
    const page = await stage.signedIn('/#area=10,50,11,51')
    await mapIsThere(page)
    await expect.poll(() => listed(page)).toBe(fleet.length)
    await chip(page, 'on the map now').click()
    await page.getByText('None fits').waitFor()
  })

  it('has a grid and a scale where the ground has no features, before anybody moves it', async () => {
    const page = await stage.signedIn('/')
    await mapIsThere(page)
    await page
      .locator('.maplibregl-ctrl-scale')
      .filter({ hasText: /\d+\s?k?m/ })
      .waitFor()
    const picture = (await canvas(page).screenshot()).toString('base64')
    const lines = await page.evaluate<number>(`(${inksOfARow})('data:image/png;base64,${picture}')`)
    expect(lines).toBeGreaterThanOrEqual(4)
  })
})

it('says so when the controller is away, and goes on when it is back', async () => {
  const page = await stage.signedIn('/')
  await expect.poll(() => listed(page)).toBe(fleet.length)
  await page.context().setOffline(true)
  await page.getByText(/^no news for \d+ s$/).waitFor({ timeout: 40_000 })
  expect(await listed(page)).toBe(fleet.length)
  await page.context().setOffline(false)
  await page.getByText('live', { exact: true }).waitFor({ timeout: 20_000 })
})

it('comes with a policy that lets in no script from elsewhere and none that is inline', async () => {
  const answer = await fetch(stage.url)
  const policy = answer.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).toMatch(/script-src 'self'(;|$)/)
  expect(policy).toMatch(/connect-src 'self'(;|$)/)
})

describe.each(['light', 'dark'] as const)('%s', (scheme) => {
  it('is accessible, on a desk and on a phone, the map and the list', async () => {
    for (const viewport of [undefined, phone]) {
      const page = await stage.signedIn('/', { scheme, ...(viewport && { viewport }) })
      await mapIsThere(page)
      await expectAccessible(page)
      if (viewport) {
        await page.getByText('List', { exact: true }).click()
        await rows(page).first().waitFor()
        await expectAccessible(page)
      }
      const width = await page.evaluate<number>('document.documentElement.scrollWidth')
      expect(width).toBeLessThanOrEqual((viewport ?? { width: 1360 }).width)
      await page.context().close()
    }
  })
})

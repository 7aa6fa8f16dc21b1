import {
  admin,
  closedPort,
  createEnvironment,
  type Replica,
  startReplica,
  type TestEnvironment,
} from '@manc/harness'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { type ConsoleStage, consoleStage, expectAccessible, phone } from './stage.ts'

let stage: ConsoleStage

beforeAll(async () => {
  stage = await consoleStage()
})
afterAll(() => stage?.close())
// A page that stays open goes on reading, and slows the next one down.
afterEach(() => Promise.all(stage.browser.contexts().map((context) => context.close())))

const begin = (page: Page) => page.getByRole('button', { name: /^Emulate \d+ access points?$/ })
const count = (page: Page, kind: string) => page.getByLabel(`Number of ${kind} access points`)

/** A small network for a short while, at a place that is typed. */
async function fillIn(page: Page, seconds: number): Promise<void> {
  await count(page, '5G').fill('1')
  await count(page, 'WiFi').fill('2')
  await page.getByRole('checkbox', { name: 'LiFi' }).uncheck()
  await page.getByRole('textbox', { name: 'Location' }).fill('Bristol, GB')
  await page.keyboard.press('Enter')
  await page.getByLabel('Duration unit').selectOption('s')
  await page.getByRole('textbox', { name: 'Duration' }).fill(String(seconds))
}

/** Sends what is in the form. Its job, and where the page shows it. */
async function start(page: Page) {
  const [answer] = await Promise.all([page.waitForResponse(/\/emulator\/spinup$/), begin(page).click()])
  const { job_number: number } = (await answer.json()) as { job_number: string }
  const card = page
    .getByRole('region', { name: /^Emulation / })
    .filter({ has: page.locator(`a[href$="${number}"]`) })
  await card.getByText('3 of 3 online').waitFor({ timeout: 30_000 })
  const agents = await Array.fromAsync(stage.manc.fleet.agents({ search: number.slice(0, 8) }))
  return { number, card, agents }
}

describe('a network', () => {
  it('is put together, comes up as one watches, and ends by itself', async () => {
    const page = await stage.signedIn('/emulate')
    await fillIn(page, 20)
    await page.getByRole('radio', { name: /^Rush hour/ }).click()
    await begin(page).filter({ hasText: 'Emulate 3 access points' }).waitFor()
    const { number, card, agents } = await start(page)
    expect(await card.getAttribute('aria-label')).toBe('Emulation 1 5G, 2 WiFi')
    await card.getByText(/all online after \d+(\.\d)? s/).waitFor()
    await card.getByText(/\d+ s left/).waitFor()
    expect(await stage.manc.jobs.get(number)).toMatchObject({ kind: 'emulator_spinup', state: 'running' })
    expect(agents.map(({ technology }) => technology).toSorted()).toEqual(['5G', 'WiFi', 'WiFi'])
    // Whoever leaves and comes back finds it.
    await page.getByRole('link', { name: 'Developers' }).click()
    await page.getByRole('link', { name: 'Emulate' }).click()
    await card.getByText(/ran for \d+ s/).waitFor({ timeout: 40_000 })
    await card.getByRole('button', { name: 'Repeat with same seed' }).click()
    expect(await page.getByLabel('Seed').inputValue()).toBe(number)
    expect(await count(page, 'WiFi').inputValue()).toContain('2')
  })

  it('is repeated with its seed: the same places', async () => {
    const page = await stage.signedIn('/emulate')
    await fillIn(page, 30)
    await page.getByLabel('Seed').fill('again')
    const first = await start(page)
    await first.card.getByRole('button', { name: 'Repeat with same seed' }).click()
    const second = await start(page)
    expect(second.number).not.toBe(first.number)
    expect(placesOf(second)).toEqual(placesOf(first))
  })
})

const placesOf = ({ agents }: Awaited<ReturnType<typeof start>>) => agents.map(({ position }) => position)

describe('the places', () => {
  it('are picked on the map and taken away there', async () => {
    const page = await stage.signedIn('/emulate')
    const canvas = page.locator('.pick-map canvas')
    await canvas.waitFor()
    await canvas.click({ position: { x: 200, y: 150 } })
    const places = page.getByRole('list', { name: 'Locations' })
    await places.getByText(/^-?\d+\.\d{5},-?\d+\.\d{5}$/).waitFor()
    await page.getByRole('button', { name: /^1: remove / }).click()
    await places.waitFor({ state: 'hidden' })
  })

  it('are picked with the keyboard alone', async () => {
    const page = await stage.signedIn('/emulate')
    const canvas = page.locator('.pick-map canvas')
    await canvas.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('list', { name: 'Locations' }).getByRole('listitem').waitFor()
  })

  it('that the controller does not know are told beside them', async () => {
    const page = await stage.signedIn('/emulate')
    await page.getByRole('textbox', { name: 'Location' }).fill('Bristol')
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Location' }).fill('no such place at all')
    await begin(page).click()
    const wrong = page.getByRole('listitem').filter({ hasText: 'no such place at all' })
    await wrong.getByText('Neither coordinates nor a known place.').waitFor()
    expect(await page.getByRole('listitem').filter({ hasText: 'Bristol' }).getByRole('alert').count()).toBe(0)
    await expectAccessible(page)
  })

  it('are asked for before anything is sent', async () => {
    const page = await stage.signedIn('/emulate')
    await begin(page).click()
    await page.getByText('Add at least one location.').waitFor()
  })
})

it('shows the same request for a program, as it is in the form', async () => {
  const page = await stage.signedIn('/emulate')
  await fillIn(page, 90)
  await page.getByRole('button', { name: 'Show as code' }).click()
  await page.getByText('CLI', { exact: true }).click()
  await page
    .getByText("manc emulate --5g 1 --wifi 2 --at 'Bristol, GB' --devices 12 --duration 90s --scenario daily")
    .waitFor()
})

describe('at a controller with room for three, and no emulator', () => {
  let environment: TestEnvironment
  let server: Replica

  beforeEach(async () => {
    environment = await createEnvironment(inject('engines'))
    const port = await closedPort()
    server = await startReplica({
      ...environment.variables,
      MANC_PORT: String(port),
      MANC_PUBLIC_URL: `http://127.0.0.1:${port}`,
      MANC_EMULATED_AGENTS: '3',
      MANC_EMULATOR_WAIT_SECONDS: '20',
    })
  })
  afterEach(async () => {
    await server?.stop()
    await environment?.drop()
  })

  it('says that nobody takes it, what to do, and why it failed; and that there is no more room', async () => {
    const page = await stage.page()
    await page.goto(`${server.url}/emulate`)
    await page.getByLabel('E-mail').fill(admin.username)
    await page.getByRole('textbox', { name: 'Password' }).fill(admin.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('No emulations yet.').waitFor()
    await fillIn(page, 600)
    await begin(page).click()
    await page.getByText('0 of 3 online').waitFor()
    await page.getByRole('button', { name: 'Repeat with same seed' }).click()
    await begin(page).click()
    const refusal = page.getByRole('alert').filter({ hasText: 'Limit reached' })
    await refusal.getByText('At most 3 emulated agents at once; 3 of yours are running.').waitFor()
    await page.getByText('Waiting for an emulator').waitFor({ timeout: 15_000 })
    await page.getByText('Emulation failed').waitFor({ timeout: 30_000 })
    await expectAccessible(page)
  })
})

describe.each(['light', 'dark'] as const)('%s', (scheme) => {
  it('is accessible, on a desk and on a phone', async () => {
    for (const viewport of [undefined, phone]) {
      const page = await stage.signedIn('/emulate', { scheme, ...(viewport && { viewport }) })
      await page.getByRole('heading', { name: 'Emulate', exact: true }).waitFor()
      await page
        .getByRole('region', { name: /^Emulation / })
        .first()
        .waitFor()
      await page.locator('.pick-map canvas').waitFor()
      await expectAccessible(page)
      const width = await page.evaluate<number>('document.documentElement.scrollWidth')
      expect(width).toBeLessThanOrEqual((viewport ?? { width: 1360 }).width)
      await page.context().close()
    }
  })
})

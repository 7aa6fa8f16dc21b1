import {
  admin,
  closedPort,
  createEnvironment,
  type Replica,
  startReplica,
  type TestEnvironment,
} from '@manc/harness'
import type { Page } from 'playwright-core'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { desktop, expectAccessible, signIn, useConsole, variants } from './environment.ts'

const env = useConsole()

const startButton = (page: Page) => page.getByRole('button', { name: /^Emulate \d+ access points?$/ })
const count = (page: Page, technology: string) => page.getByLabel(`Number of ${technology} access points`)

/** Fills in a small network for a short time at a typed location. */
async function fillIn(page: Page, seconds: number): Promise<void> {
  await count(page, '5G').fill('1')
  await count(page, 'WiFi').fill('2')
  await page.getByRole('checkbox', { name: 'LiFi' }).uncheck()
  await page.getByRole('textbox', { name: 'Location' }).fill('Bristol, GB')
  await page.keyboard.press('Enter')
  await page.getByLabel('Duration unit').selectOption('s')
  await page.getByRole('textbox', { name: 'Duration' }).fill(String(seconds))
}

/** Starts the emulation and waits until it is online. */
async function start(page: Page) {
  const [answer] = await Promise.all([page.waitForResponse(/\/emulator\/spinup$/), startButton(page).click()])
  const { job_number: number } = (await answer.json()) as { job_number: string }
  const card = page
    .getByRole('region', { name: /^Emulation / })
    .filter({ has: page.locator(`a[href$="${number}"]`) })
  await card.getByText('3 of 3 online').waitFor({ timeout: 90_000 })
  const agents = await Array.fromAsync(env.manc.fleet.agents({ search: number.slice(0, 8) }))
  return { number, card, agents }
}

describe('an emulation', () => {
  it('is started, shows its progress, and ends after its duration', async () => {
    const page = await env.signedIn('/emulate')
    // It begins with the request: long enough to be online, and to be read, on a busy machine.
    await fillIn(page, 50)
    await page.getByRole('radio', { name: /^Rush hour/ }).click()
    await startButton(page).filter({ hasText: 'Emulate 3 access points' }).waitFor()
    const { number, card, agents } = await start(page)
    expect(await card.getAttribute('aria-label')).toBe('Emulation 1 5G, 2 WiFi')
    await card.getByText(/all online after \d+(\.\d)? s/).waitFor()
    await card.getByText(/\d+ s left/).waitFor()
    expect(await env.manc.jobs.get(number)).toMatchObject({ kind: 'emulator_spinup', state: 'running' })
    expect(agents.map(({ technology }) => technology).toSorted()).toEqual(['5G', 'WiFi', 'WiFi'])
    // It is still listed after leaving the page.
    await page.getByRole('link', { name: 'Developers' }).click()
    await page.getByRole('link', { name: 'Emulate' }).click()
    await card.getByText(/ran for \d+ /).waitFor({ timeout: 150_000 })
    await card.getByRole('button', { name: 'Repeat with same seed' }).click()
    expect(await page.getByLabel('Seed').inputValue()).toBe(number)
    expect(await count(page, 'WiFi').inputValue()).toContain('2')
  })

  it('has the same positions when it is repeated with the same seed', async () => {
    const page = await env.signedIn('/emulate')
    await fillIn(page, 600)
    await page.getByLabel('Seed').fill('again')
    const first = await start(page)
    await first.card.getByRole('button', { name: 'Repeat with same seed' }).click()
    const second = await start(page)
    expect(second.number).not.toBe(first.number)
    expect(positionsOf(second)).toEqual(positionsOf(first))
    for (const { number } of [first, second]) await env.manc.emulations.stop(number)
  })
})

const positionsOf = ({ agents }: Awaited<ReturnType<typeof start>>) => agents.map(({ position }) => position)

describe('locations', () => {
  it('are added and removed on the map', async () => {
    const page = await env.signedIn('/emulate')
    const canvas = page.locator('.pick-map canvas')
    await canvas.waitFor()
    await canvas.click({ position: { x: 200, y: 150 } })
    const locations = page.getByRole('list', { name: 'Locations' })
    await locations.getByText(/^-?\d+\.\d{5},-?\d+\.\d{5}$/).waitFor()
    await page.getByRole('button', { name: /^1: remove / }).click()
    await locations.waitFor({ state: 'hidden' })
  })

  it('are added with the keyboard alone', async () => {
    const page = await env.signedIn('/emulate')
    const canvas = page.locator('.pick-map canvas')
    await canvas.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('list', { name: 'Locations' }).getByRole('listitem').waitFor()
  })

  it('show an error if the controller does not know them', async () => {
    const page = await env.signedIn('/emulate')
    await page.getByRole('textbox', { name: 'Location' }).fill('Bristol')
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Location' }).fill('no such place at all')
    await startButton(page).click()
    const unknown = page.getByRole('listitem').filter({ hasText: 'no such place at all' })
    await unknown.getByText('Neither coordinates nor a known place.').waitFor()
    expect(await page.getByRole('listitem').filter({ hasText: 'Bristol' }).getByRole('alert').count()).toBe(0)
    await expectAccessible(page)
  })

  it('are required before the request is sent', async () => {
    const page = await env.signedIn('/emulate')
    await startButton(page).click()
    await page.getByText('Add at least one location.').waitFor()
  })
})

it('the form is shown as code', async () => {
  const page = await env.signedIn('/emulate')
  await fillIn(page, 90)
  await page.getByRole('button', { name: 'Show as code' }).click()
  await page.getByText('CLI', { exact: true }).click()
  await page
    .getByText("manc emulate --5g 1 --wifi 2 --at 'Bristol, GB' --devices 12 --duration 90s --scenario daily")
    .waitFor()
})

describe('with a limit of three access points and no emulator', () => {
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
      // The page waits for 8 s before it says that there is no emulator.
      MANC_EMULATOR_WAIT_SECONDS: '40',
    })
  })
  afterEach(async () => {
    await server?.stop()
    await environment?.drop()
  })

  it('the page shows the limit, the missing emulator and the failure, each with advice', async () => {
    const page = await env.page()
    await page.goto(`${server.url}/emulate`)
    await signIn(page, admin)
    await page.getByText('No emulations yet.').waitFor()
    await fillIn(page, 600)
    await startButton(page).click()
    await page.getByText('0 of 3 online').waitFor()
    await page.getByRole('button', { name: 'Repeat with same seed' }).click()
    await startButton(page).click()
    const limit = page.getByRole('alert').filter({ hasText: 'Limit reached' })
    await limit.getByText('At most 3 emulated agents at once; 3 of yours exist.').waitFor()
    await page.getByText('Waiting for an emulator').waitFor()
    await page.getByText('Emulation failed').waitFor({ timeout: 120_000 })
    await expectAccessible(page)
  })
})

it('most of the map is in view on a desktop, also below a running emulation', async () => {
  const page = await env.signedIn('/emulate', { viewport: desktop })
  await page
    .getByRole('region', { name: /^Emulation / })
    .first()
    .waitFor()
  const map = page.locator('.pick-map canvas')
  await map.waitFor()
  expect(((await map.boundingBox())?.y ?? Infinity) + 200).toBeLessThan(desktop.height)
})

describe.each(variants)('%s', (scheme, viewport) => {
  it(`the emulate page is accessible at a width of ${viewport.width}`, async () => {
    const page = await env.signedIn('/emulate', { scheme, viewport })
    await page.getByRole('heading', { name: 'Emulate', exact: true }).waitFor()
    await page
      .getByRole('region', { name: /^Emulation / })
      .first()
      .waitFor()
    await page.locator('.pick-map canvas').waitFor()
    await expectAccessible(page)
    const width = await page.evaluate<number>('document.documentElement.scrollWidth')
    expect(width).toBeLessThanOrEqual(viewport.width)
  })
})

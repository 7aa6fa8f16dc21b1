import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConsoleStage, consoleStage, expectAccessible, phone } from './stage.ts'

let stage: ConsoleStage
let apIds: string[]

beforeAll(async () => {
  stage = await consoleStage()
  apIds = (await Array.fromAsync(stage.manc.fleet.agents({ state: ['online'] }))).map(({ ap_id }) => ap_id)
})
afterAll(() => stage?.close())

const addressOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams)
const charts = (page: Page) => page.getByRole('img', { name: /lines?\. Lowest now/ })
const lineOf = (page: Page, apId: string) => page.getByRole('button', { name: new RegExp(`^${apId}\\s?, `) })

it('starts with nothing, and says what to do', async () => {
  const page = await stage.signedIn('/compare')
  await page.getByText('Nothing to compare yet').waitFor()
  await page.getByRole('combobox', { name: 'Access points' }).fill(apIds[0] ?? '')
  await page.getByRole('option', { name: new RegExp(`${apIds[0]}$`) }).click()
  await expect.poll(() => addressOf(page)).toEqual({ agents: apIds[0] })
  await charts(page).first().waitFor()
})

it('compares what the address says, by every common metric, with the values of operation 28', async () => {
  const [a = '', b = ''] = apIds
  const page = await stage.signedIn(`/compare?agents=${a},${b}&window=60`)
  await expect.poll(() => charts(page).count()).toBe(7)
  await page.waitForTimeout(3000)
  const row = page.getByRole('row').filter({ has: lineOf(page, b) })
  const shown = Number((await row.getByRole('cell').last().innerText()).replace(', the best', ''))
  const { series } = await stage.manc.telemetry.chart(b, ['power_w'], { window: '1m' })
  const values = series[0]?.points.map(({ value }) => value) ?? []
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  expect(Math.abs(shown - mean)).toBeLessThan(mean * 0.05)
})

it('hides a line and shows it again, and one metric alone', async () => {
  const page = await stage.signedIn(`/compare?agents=${apIds.slice(0, 3).join(',')}`)
  const line = lineOf(page, apIds[1] ?? '')
  await line.click()
  expect(await line.getAttribute('aria-pressed')).toBe('false')
  await line.click()
  expect(await line.getAttribute('aria-pressed')).toBe('true')
  await page.getByRole('combobox', { name: 'Metrics' }).click()
  await page.getByRole('option', { name: 'Load' }).click()
  await expect.poll(() => charts(page).count()).toBe(1)
  expect(addressOf(page)).toEqual({ agents: apIds.slice(0, 3).join(','), metric: 'load_pct' })
})

it('takes twelve and no more', async () => {
  const page = await stage.signedIn(`/compare?agents=${apIds.slice(0, 15).join(',')}`)
  await page.getByText('Twelve at a time').waitFor()
  await charts(page).first().waitFor()
  expect(await page.getByRole('row').count()).toBe(13)
})

it('goes on with the others where one is no more', async () => {
  const page = await stage.signedIn(`/compare?agents=${apIds[0]},nobody`)
  await page.getByText('There is no nobody any more.').waitFor()
  await charts(page).first().waitFor()
})

it('compares technologies by their means', async () => {
  const page = await stage.signedIn('/compare')
  await page.getByText('By technology', { exact: true }).click()
  await expect.poll(() => addressOf(page)).toEqual({ by: 'technology' })
  for (const technology of ['5G', 'WiFi', 'LiFi'])
    await page.getByRole('button', { name: new RegExp(`^${technology}, mean of \\d`) }).waitFor()
  expect(await charts(page).count()).toBe(7)
})

describe.each(['light', 'dark'] as const)('%s', (scheme) => {
  it.each([undefined, phone])('is accessible with a viewport of %j', async (viewport) => {
    const page = await stage.signedIn(`/compare?agents=${apIds.slice(0, 12).join(',')}`, {
      scheme,
      ...(viewport && { viewport }),
    })
    await charts(page).first().waitFor()
    await expectAccessible(page)
    await page.getByRole('combobox', { name: 'Access points' }).focus()
    await page.keyboard.press('Backspace')
    await page.getByRole('option').first().waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.getByText('By technology', { exact: true }).click()
    await page.getByRole('button', { name: /^LiFi, mean of/ }).waitFor()
    await expectAccessible(page)
    await page.context().close()
  })
})

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dragOverChart } from './charts.ts'
import { type ConsoleStage, consoleStage, expectAccessible, looks } from './stage.ts'

let stage: ConsoleStage
/** One for all tests: to sign in takes longer than most of them. */
let page: Page
let apIds: string[]

beforeAll(async () => {
  stage = await consoleStage()
  page = await stage.signedIn('/developers')
  apIds = (await Array.fromAsync(stage.manc.fleet.agents({ state: ['online'] }))).map(({ ap_id }) => ap_id)
})
afterAll(() => stage?.close())

const open = (path: string) => page.goto(`${stage.url}${path}`)
const addressOf = () => Object.fromEntries(new URL(page.url()).searchParams)
const charts = () => page.getByRole('img', { name: /lines?\. Lowest now/ })
const lineOf = (apId: string) => page.getByRole('button', { name: new RegExp(`^${apId}\\s?, `) })

it('starts with nothing, and says what to do', async () => {
  await open('/compare')
  await page.getByText('No access points selected').waitFor()
  await page.getByRole('combobox', { name: 'Access points' }).fill(apIds[0] ?? '')
  await page.getByRole('option', { name: new RegExp(`${apIds[0]}$`) }).click()
  await expect.poll(addressOf).toEqual({ agents: apIds[0] })
  await charts().first().waitFor()
})

it('compares what the address says, by every common metric, with the values of operation 28', async () => {
  const [a = '', b = ''] = apIds
  await open(`/compare?agents=${a},${b}&window=60`)
  await expect.poll(() => charts().count()).toBe(7)
  const row = page.getByRole('row').filter({ has: lineOf(b) })
  const shown = async () => Number((await row.getByRole('cell').last().innerText()).replace(', best', ''))
  const known = async () => {
    const { series } = await stage.manc.telemetry.chart(b, ['power_w'], { window: '1m' })
    const values = series[0]?.points.map(({ value }) => value) ?? []
    return values.reduce((sum, value) => sum + value, 0) / values.length
  }
  await expect.poll(async () => Math.abs((await shown()) / (await known()) - 1)).toBeLessThan(0.05)
})

it('hides a line and shows it again, and one metric alone', async () => {
  await open(`/compare?agents=${apIds.slice(0, 3).join(',')}`)
  const line = lineOf(apIds[1] ?? '')
  await line.click()
  expect(await line.getAttribute('aria-pressed')).toBe('false')
  await line.click()
  expect(await line.getAttribute('aria-pressed')).toBe('true')
  await page.getByRole('combobox', { name: 'Metrics' }).click()
  await page.getByRole('option', { name: 'Load' }).click()
  await expect.poll(() => charts().count()).toBe(1)
  expect(addressOf()).toEqual({ agents: apIds.slice(0, 3).join(','), metric: 'load_pct' })
})

it('takes twelve and no more', async () => {
  await open(`/compare?agents=${apIds.slice(0, 15).join(',')}`)
  await page.getByText('Maximum of 12 reached').waitFor()
  await charts().first().waitFor()
  expect(await page.getByRole('row').count()).toBe(13)
})

it('goes on with the others where one is no more', async () => {
  await open(`/compare?agents=${apIds[0]},nobody`)
  await page.getByText('Not found: nobody.').waitFor()
  await charts().first().waitFor()
})

it('compares technologies by their means', async () => {
  await open('/compare')
  await page.getByText('By technology', { exact: true }).click()
  await expect.poll(addressOf).toEqual({ by: 'technology' })
  for (const technology of ['5G', 'WiFi', 'LiFi'])
    await page.getByRole('button', { name: new RegExp(`^${technology}, mean of \\d`) }).waitFor()
  expect(await charts().count()).toBe(7)
})

it('stands still while one looks at a part of it', async () => {
  await open(`/compare?agents=${apIds.slice(0, 2).join(',')}&window=60`)
  await charts().first().waitFor()
  await dragOverChart(page, 0.4, 0.8)
  await page.getByText(/^Paused, data \d+ s old$/).waitFor()
  await page.getByRole('button', { name: 'Zoom out' }).click()
  await page.getByText('Live', { exact: true }).waitFor()
})

describe.each(looks)('%s', (scheme, viewport) => {
  it(`is accessible with a viewport of ${viewport.width}`, async () => {
    await page.emulateMedia({ colorScheme: scheme })
    await page.setViewportSize(viewport)
    await open(`/compare?agents=${apIds.slice(0, 12).join(',')}`)
    await charts().first().waitFor()
    await page.getByRole('combobox', { name: 'Access points' }).focus()
    await page.keyboard.press('Backspace')
    await page.getByRole('option').first().waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.getByText('By technology', { exact: true }).click()
    await page.getByRole('button', { name: /^LiFi, mean of/ }).waitFor()
    await expectAccessible(page)
  })
})

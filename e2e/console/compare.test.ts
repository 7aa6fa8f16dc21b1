import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dragOverChart } from './charts.ts'
import { type ConsoleEnvironment, consoleEnvironment, expectAccessible, variants } from './environment.ts'

let env: ConsoleEnvironment
/** Shared by all tests of this file. */
let page: Page
let apIds: string[]

beforeAll(async () => {
  env = await consoleEnvironment()
  page = await env.signedIn('/developers')
  apIds = (await Array.fromAsync(env.manc.fleet.agents({ state: ['online'] }))).map(({ ap_id }) => ap_id)
})
afterAll(() => env?.close())

const open = (path: string) => page.goto(`${env.url}${path}`)
const addressOf = () => Object.fromEntries(new URL(page.url()).searchParams)
const charts = () => page.getByRole('img', { name: /lines?\. Lowest now/ })
const lineOf = (apId: string) => page.getByRole('button', { name: new RegExp(`^${apId}\\s?, `) })

it('the page is empty at first and says what to do', async () => {
  await open('/compare')
  await page.getByText('No access points selected').waitFor()
  await page.getByRole('combobox', { name: 'Access points' }).fill(apIds[0] ?? '')
  await page.getByRole('option', { name: new RegExp(`${apIds[0]}$`) }).click()
  await expect.poll(addressOf).toEqual({ agents: apIds[0] })
  await charts().first().waitFor()
})

it('the access points in the address are compared by every common metric, with the values of operation 28', async () => {
  const [a = '', b = ''] = apIds
  await open(`/compare?agents=${a},${b}&window=60`)
  await expect.poll(() => charts().count()).toBe(7)
  const row = page.getByRole('row').filter({ has: lineOf(b) })
  const shown = async () => Number((await row.getByRole('cell').last().innerText()).replace(', best', ''))
  const known = async () => {
    const { series } = await env.manc.telemetry.chart(b, ['power_w'], { window: '1m' })
    const values = series[0]?.points.map(({ value }) => value) ?? []
    return values.reduce((sum, value) => sum + value, 0) / values.length
  }
  await expect.poll(async () => Math.abs((await shown()) / (await known()) - 1)).toBeLessThan(0.05)
})

it('a line can be hidden, and one metric selected', async () => {
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

it('at most twelve access points are compared', async () => {
  await open(`/compare?agents=${apIds.slice(0, 15).join(',')}`)
  await page.getByText('Maximum of 12 reached').waitFor()
  await charts().first().waitFor()
  expect(await page.getByRole('row').count()).toBe(13)
})

it('a missing access point is reported, and the others are compared', async () => {
  await open(`/compare?agents=${apIds[0]},unknown`)
  await page.getByText('Not found: unknown.').waitFor()
  await charts().first().waitFor()
})

it('technologies are compared by their means', async () => {
  await open('/compare')
  await page.getByText('By technology', { exact: true }).click()
  await expect.poll(addressOf).toEqual({ by: 'technology' })
  for (const technology of ['5G', 'WiFi', 'LiFi'])
    await page.getByRole('button', { name: new RegExp(`^${technology}, mean of \\d`) }).waitFor()
  expect(await charts().count()).toBe(7)
})

it('zoomed charts do not move', async () => {
  await open(`/compare?agents=${apIds.slice(0, 2).join(',')}&window=60`)
  await charts().first().waitFor()
  await dragOverChart(page, 0.4, 0.8)
  await page.getByText(/^Paused, data \d+ s old$/).waitFor()
  await page.getByRole('button', { name: 'Zoom out' }).click()
  await page.getByText('Live', { exact: true }).waitFor()
})

describe.each(variants)('%s', (scheme, viewport) => {
  it(`the compare page is accessible at a width of ${viewport.width}`, async () => {
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

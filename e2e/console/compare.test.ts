import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { downloadOf } from '../browser.ts'
import { emulatedAccessPoints } from './access-points.ts'
import { dragOverChart, pause, periodIn, selectLast } from './charts.ts'
import { type ConsoleEnvironment, consoleEnvironment, expectAccessible, variants } from './environment.ts'

let env: ConsoleEnvironment
/** Shared by all tests of this file. */
let page: Page
let apIds: string[]

beforeAll(async () => {
  env = await consoleEnvironment()
  page = await env.signedIn('/developers')
  apIds = await emulatedAccessPoints(env)
})
afterAll(() => env?.close())

const open = (path: string) => page.goto(`${env.url}${path}`)
const addressOf = () => Object.fromEntries(new URL(page.url()).searchParams)
const charts = () => page.getByRole('img', { name: /lines?\. Lowest:/ })
const lineOf = (apId: string) => page.getByRole('button', { name: new RegExp(`^${apId}\\s?, `) })

it('the page is empty at first and says what to do', async () => {
  await open('/compare')
  await page.getByText('No access points selected').waitFor()
  await page.getByRole('combobox', { name: 'Access points' }).fill(apIds[0] ?? '')
  await page.getByRole('option', { name: new RegExp(`${apIds[0]}$`) }).click()
  await expect.poll(addressOf).toEqual({ agents: apIds[0] })
  await charts().first().waitFor()
})

it('the access points in the address are compared by every common metric, with the values of the controller', async () => {
  const [a = '', b = ''] = apIds
  await open(`/compare?agents=${a},${b}&range=5m`)
  await expect.poll(() => charts().count()).toBe(7)
  await pause(page)
  await expect.poll(() => charts().count()).toBe(7)
  const [from = 0, to = 0] = periodIn(page) ?? []
  const cell = page
    .getByRole('row')
    .filter({ has: lineOf(b) })
    .getByRole('cell')
    .last()
  const shown = async () => (await cell.innerText()).split('\n')
  const times = { from: new Date(from), to: new Date(to) }
  const { series } = await env.manc.telemetry.series(b, ['power_w'], times)
  const values = series[0]?.points.map(({ value }) => value) ?? []
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  await expect
    .poll(async () => Math.abs(Number.parseFloat((await shown())[0] ?? '') / mean - 1))
    .toBeLessThan(0.02)
  expect((await shown()).at(-1)).toMatch(/^[\d.,]+–[\d.,]+, p95 [\d.,]+$/)
})

it('a line can be hidden, and one metric selected, both in the address', async () => {
  await open(`/compare?agents=${apIds.slice(0, 3).join(',')}`)
  const line = lineOf(apIds[1] ?? '')
  await line.click()
  await expect.poll(() => line.getAttribute('aria-pressed')).toBe('false')
  expect(addressOf()['hidden']).toBe(apIds[1])
  await line.click()
  await expect.poll(() => line.getAttribute('aria-pressed')).toBe('true')
  await page.getByRole('combobox', { name: 'Metrics' }).click()
  await page.getByRole('option', { name: 'Load' }).click()
  await expect.poll(() => charts().count()).toBe(1)
  expect(addressOf()).toEqual({ agents: apIds.slice(0, 3).join(','), metric: 'load_pct' })
})

it('twelve access points have a line each, and more are a group with their median', async () => {
  await open(`/compare?agents=${apIds.slice(0, 12).join(',')}`)
  await page.getByText('Maximum of 12 reached').waitFor()
  await charts().first().waitFor()
  await expect.poll(() => page.getByRole('row').count()).toBe(13)
  await open(`/compare?agents=${apIds.slice(0, 15).join(',')}`)
  await lineOf('15 access points').waitFor()
  await expect.poll(() => page.getByRole('row').count()).toBe(2)
  await open(`/compare?agents=${apIds.slice(0, 3).join(',')}&metric=load_pct`)
  await page.getByRole('switch', { name: 'As one group, by the median' }).click()
  await lineOf('3 access points').waitFor()
  expect(addressOf()['group']).toBe('true')
  await page.getByRole('img', { name: /^Load \(%\)\. 1 line\. Lowest: 3 access points/ }).waitFor()
})

it('a missing access point is reported, and the others are compared', async () => {
  await open(`/compare?agents=${apIds[0]},unknown`)
  await page.getByText('Not found: unknown.').waitFor()
  await charts().first().waitFor()
})

it('technologies are compared by the median over all their access points', async () => {
  await open('/compare')
  await page.getByText('Technologies', { exact: true }).click()
  await expect.poll(addressOf).toEqual({ by: 'technology' })
  await expect.poll(() => charts().count()).toBe(7)
  for (const technology of ['5G', 'WiFi', 'LiFi']) {
    const row = page.getByRole('row').filter({ has: lineOf(technology) })
    expect(await row.innerText()).toMatch(/\d+ access points/)
  }
  expect(await page.getByText(/^Median over access points/).count()).toBe(1)
})

it('a low load is never the best value', async () => {
  await open('/compare?by=technology&metric=load_pct')
  await charts().first().waitFor()
  expect(await page.getByRole('cell', { name: /best/ }).count()).toBe(0)
})

it('a zoom is in the address for both periods, and undone by the back button', async () => {
  await open('/compare?by=period&technology=WiFi&range=5m')
  await charts().first().waitFor()
  await dragOverChart(page, 0.5, 0.95)
  await expect.poll(() => periodIn(page)).toBeDefined()
  const [from = 0, to = 0] = periodIn(page) ?? []
  expect((to - from) / 1000).toBeGreaterThan(125)
  expect((to - from) / 1000).toBeLessThan(145)
  const second = Date.parse(addressOf()['second'] ?? '')
  // Directly before the first period, which had five minutes.
  expect(from - second).toBe(300_000)
  await charts().first().waitFor()
  await page.goBack()
  await expect.poll(addressOf).toEqual({ by: 'period', technology: 'WiFi', range: '5m' })
})

it('the figures of a comparison are exported', async () => {
  await open('/compare?by=technology')
  await charts().first().waitFor()
  await page.getByRole('button', { name: 'Other exports' }).click()
  const text = String(await downloadOf(page, page.getByRole('menuitem', { name: 'Figures as CSV' })))
  const [head, first] = text.split('\r\n')
  expect(head).toBe('line,from,to,metric,unit,centre_is,centre,lowest,p10,p90,p95,highest,access_points')
  expect(first).toMatch(/^5G,\d{4}-.*,clients,,median,[\d.]+,/)
})

it('live comparisons are updated', async () => {
  await open(`/compare?agents=${apIds.slice(0, 2).join(',')}`)
  await page.getByText('Live', { exact: true }).waitFor()
  await selectLast(page, '1 h')
  await expect.poll(() => addressOf()['range']).toBe('1h')
  await charts().first().waitFor()
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
    await page.getByText('Technologies', { exact: true }).click()
    await charts().first().waitFor()
    await expectAccessible(page)
    await page.getByText('Two periods', { exact: true }).click()
    await charts().first().waitFor()
    await expectAccessible(page)
    const width = await page.evaluate<number>('document.documentElement.scrollWidth')
    expect(width).toBeLessThanOrEqual(viewport.width)
  })
})

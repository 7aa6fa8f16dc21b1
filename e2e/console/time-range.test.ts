import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { emulatedAccessPoint } from './access-points.ts'
import { periodIn, selectLast } from './charts.ts'
import {
  type ConsoleEnvironment,
  consoleEnvironment,
  expectAccessible,
  expectAccessibleEverywhere,
} from './environment.ts'

let env: ConsoleEnvironment
let page: Page
let apId: string

beforeAll(async () => {
  env = await consoleEnvironment()
  apId = await emulatedAccessPoint(env, 'WiFi')
  page = await env.signedIn('/developers')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
})
afterAll(() => env?.close())

const open = (path: string) => page.goto(`${env.url}${path}`)
const parameter = (name: string) => new URL(page.url()).searchParams.get(name)
const picker = () => page.getByRole('button', { name: /^Time range:/ })
const fixed = 'from=2026-01-05T10:00:00Z&to=2026-01-05T10:30:00Z'

describe('the time range', () => {
  it('is kept from page to page', async () => {
    await open(`/access-points/${apId}`)
    await selectLast(page, '6 h')
    await expect.poll(() => parameter('range')).toBe('6h')
    const pages = page.getByRole('navigation', { name: 'Pages' })
    for (const name of ['Events', 'Alarms', 'Compare']) {
      await pages.getByRole('link', { name }).click()
      await picker().filter({ hasText: 'Last 6 h' }).waitFor()
      expect(parameter('range')).toBe('6h')
    }
  })

  it('can be removed where it is not needed', async () => {
    await open('/events?range=5m')
    await picker().click()
    await page.getByRole('button', { name: 'Any time' }).click()
    await expect.poll(() => parameter('range')).toBeNull()
    await page.getByRole('list', { name: 'Events, newest first' }).getByRole('listitem').first().waitFor()
  })

  it('of a fixed period is entered in the time zone of the browser, with the keyboard', async () => {
    await open('/events')
    await picker().focus()
    await page.keyboard.press('Enter')
    await page.getByLabel(/^From \(/).fill('2026-01-05 10:00')
    await page.getByLabel(/^To \(/).fill('2026-01-05 09:00')
    await page.getByText('The end must be after the start.').waitFor()
    await page.getByLabel(/^To \(/).fill('2026-01-05 10:30')
    await page.keyboard.press('Enter')
    const local = await page.evaluate<number>('new Date(2026, 0, 5, 10, 0).getTime()')
    await expect.poll(() => periodIn(page)).toEqual([local, local + 1_800_000])
    await page.getByText('No events', { exact: true }).waitFor()
    expect(await picker().innerText()).toContain('2026-01-05 10:00 to 10:30')
  })

  it('moves to the period before, and back with the back button', async () => {
    await open(`/alarms?state=all&${fixed}`)
    const before = periodIn(page)
    await page.getByRole('button', { name: 'Earlier' }).click()
    await expect.poll(() => periodIn(page)?.[1]).toBe(before?.[0])
    expect(parameter('state')).toBe('all')
    await page.goBack()
    await expect.poll(() => periodIn(page)).toEqual(before)
  })

  it('is copied as a relative or as an absolute link', async () => {
    await open(`/access-points/${apId}?range=1h`)
    const copied = async () => new URL(await page.evaluate<string>('navigator.clipboard.readText()'))
    await page.getByRole('button', { name: 'Copy link' }).click()
    await page.getByRole('menuitem', { name: /^Relative/ }).click()
    await expect.poll(async () => (await copied()).searchParams.get('range')).toBe('1h')
    await page.getByRole('button', { name: 'Copy link' }).click()
    await page.getByRole('menuitem', { name: /^Absolute/ }).click()
    await expect.poll(async () => (await copied()).searchParams.get('range')).toBeNull()
    const link = await copied()
    const [from, to] = ['from', 'to'].map((name) => Date.parse(link.searchParams.get(name) ?? ''))
    expect((to ?? 0) - (from ?? 0)).toBe(3_600_000)
    await page.goto(link.href)
    await page.getByRole('img', { name: /^Clients\. Latest/ }).waitFor()
    await page.getByRole('button', { name: 'Go live' }).waitFor()
  })

  it('of an earlier time has no live data', async () => {
    await open(`/access-points/${apId}?${fixed}`)
    await page.getByRole('img', { name: /^Clients\. No data, 2026-01-05/ }).waitFor()
    expect(await page.getByText('Live', { exact: true }).count()).toBe(0)
    await page.getByRole('button', { name: 'Go live' }).click()
    await page.getByRole('img', { name: /^Clients\. Latest/ }).waitFor()
  })

  it('filters the audit log, whose other filters are in the address too', async () => {
    await open(`/administration/audit?${fixed}`)
    await page.getByText('No matches').waitFor()
    await page.getByLabel('Target').fill('some-name')
    await expect.poll(() => parameter('target')).toBe('some-name')
    expect(parameter('to')).toBe('2026-01-05T10:30:00Z')
    await page.reload()
    expect(await page.getByLabel('Target').inputValue()).toBe('some-name')
  })

  it('has an accessible dialog', async () => {
    await expectAccessibleEverywhere(page, async () => {
      await open(`/access-points/${apId}?range=1h`)
      await page.getByRole('img', { name: /^Clients\. Latest/ }).waitFor()
      await expectAccessible(page)
      await picker().click()
      await page.getByRole('button', { name: 'Last 30 d' }).waitFor()
    })
  })
})

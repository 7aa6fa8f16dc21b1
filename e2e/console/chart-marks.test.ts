import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { emulatedAccessPoint, loadRule, raiseAlarms } from './access-points.ts'
import { pause } from './charts.ts'
import { type ConsoleEnvironment, consoleEnvironment, expectAccessibleEverywhere } from './environment.ts'

let env: ConsoleEnvironment
let page: Page
let apId: string
let ruleName: string

beforeAll(async () => {
  env = await consoleEnvironment()
  apId = await emulatedAccessPoint(env, 'LiFi')
  const rule = await loadRule(env)
  ruleName = rule.name
  await raiseAlarms(env, rule, [apId])
  page = await env.signedIn(`/access-points/${apId}`)
})
beforeEach(async () => {
  await page.goto(`${env.url}/access-points/${apId}`)
})
afterAll(() => env?.close())

/** At the time of an event in the list. */
const expectCursorAt = async (event: Locator) => {
  const time = (await event.locator('time').innerText()).slice(-8)
  await expect.poll(() => page.getByLabel('Values at the cursor').innerText()).toContain(time)
}

const openList = async () => {
  await page.getByRole('button', { name: /^Events \(\d/ }).click()
  return page.getByRole('list', { name: 'Events in the charts, newest first' })
}

it('the charts of the metric of an alarm have it as text, others do not', async () => {
  await page.getByRole('img', { name: new RegExp(`^Load.*Alarm: ${ruleName}, from .*, open`) }).waitFor()
  expect(await page.getByRole('img', { name: new RegExp(`^Clients.*Alarm: ${ruleName}`) }).count()).toBe(0)
})

it('an event is in the list of marks, which moves the cursor of the charts with the keyboard', async () => {
  await page.getByRole('img', { name: new RegExp(`^Load.*Alarm: ${ruleName}`) }).waitFor()
  await pause(page)
  const list = await openList()
  const raised = list.getByRole('button').filter({ hasText: ruleName })
  await raised.waitFor()
  await raised.focus()
  await expectCursorAt(raised)
})

it('a mark shows its event when it is hovered', async () => {
  await page.getByRole('img', { name: new RegExp(`^Load.*Alarm: ${ruleName}`) }).waitFor()
  await pause(page)
  const list = await openList()
  const raised = list.getByRole('button').filter({ hasText: ruleName })
  await raised.focus()
  await expectCursorAt(raised)
  const cursor = await page.locator('.chart .u-cursor-x').first().boundingBox()
  await page.keyboard.press('Escape')
  // It covers the charts until it is closed.
  await list.waitFor({ state: 'hidden' })
  const area = await page.locator('.chart .u-over').first().boundingBox()
  await page.mouse.move(cursor?.x ?? 0, (area?.y ?? 0) + 20, { steps: 5 })
  await page.locator('.mark-tooltip').getByText(ruleName).waitFor()
})

it('only as many events are read as are shown', async () => {
  const request = page.waitForRequest((each) => each.url().includes('/api/v1/events?'))
  await page.reload()
  const query = new URL((await request).url()).searchParams
  expect([query.get('limit'), query.get('ap_id')]).toEqual(['201', apId])
  expect(Date.now() - Date.parse(query.get('from') ?? '')).toBeLessThan(16 * 60_000)
})

it('the list of marks leads to all events', async () => {
  await openList()
  await page.getByRole('link', { name: 'All events' }).click()
  await page.getByRole('tab', { name: 'Events', selected: true }).waitFor()
  await page.getByRole('list', { name: 'Events, newest first' }).getByText(ruleName).first().waitFor()
})

it('the page with marks and their list is accessible', async () => {
  await expectAccessibleEverywhere(page, async () => {
    await page.goto(`${env.url}/access-points/${apId}`)
    await page.getByRole('img', { name: /^Load.*Alarm/ }).waitFor()
    await (await openList()).getByText(ruleName).first().waitFor()
  })
})

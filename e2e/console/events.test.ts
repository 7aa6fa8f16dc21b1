import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { onlineAccessPoint } from './access-points.ts'
import { type ConsoleEnvironment, consoleEnvironment, expectAccessibleEverywhere } from './environment.ts'

let env: ConsoleEnvironment
let page: Page

beforeAll(async () => {
  env = await consoleEnvironment()
  page = await env.signedIn('/events')
})
afterAll(() => env?.close())

const rows = () => page.getByRole('list', { name: 'Events, newest first' }).getByRole('listitem')

it('an event appears when it happens, and leads to its access point', async () => {
  // Earlier ones are listed.
  await rows().first().waitFor()
  const apId = await onlineAccessPoint(env, 'event')
  const online = rows().filter({ hasText: `${apId} is online.` })
  await online.waitFor({ timeout: 60_000 })
  expect(await online.count()).toBe(1)
  await online.getByRole('link').click()
  await page.getByRole('tab', { name: 'Events' }).click()
  await rows()
    .filter({ hasText: `${apId} is online.` })
    .waitFor()
  expect(
    await page
      .getByRole('listitem')
      .getByRole('link', { name: `Open ${apId}` })
      .count(),
  ).toBe(0)
})

it('the filter is in the address', async () => {
  await page.goto(`${env.url}/events?kind=admin_login`)
  await rows().first().waitFor()
  const texts = await rows().allInnerTexts()
  expect(texts.filter((text) => !text.includes('logged in'))).toEqual([])
  await page.getByText('Critical', { exact: true }).click()
  await expect.poll(() => new URL(page.url()).searchParams.get('severity')).toBe('critical')
  await page.getByText('No events', { exact: true }).waitFor()
})

it('the page is accessible', async () => {
  await expectAccessibleEverywhere(page, async () => {
    await page.goto(`${env.url}/events`)
    await rows().first().waitFor()
  })
})

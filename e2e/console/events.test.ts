import { randomUUID } from 'node:crypto'
import { Manc } from '@manc/sdk'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type ConsoleEnvironment,
  consoleEnvironment,
  desktop,
  expectAccessible,
  phone,
} from './environment.ts'

const apId = `event-${randomUUID().slice(0, 8)}`
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
  await env.manc.agents.register({
    ap_id: apId,
    password: 'a-password',
    configuration: { technology: 'WiFi' },
  })
  const agent = new Manc({
    url: env.url,
    credentials: { loginType: 'agent', username: apId, password: 'a-password' },
  })
  await agent.agents.sendUpdate({ payload: { clients: 1 } })
  const online = rows().filter({ hasText: `${apId} is online.` })
  await online.waitFor({ timeout: 30_000 })
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

describe.each(['light', 'dark'] as const)('%s', (scheme) => {
  it('the page is accessible on a desktop and on a phone', async () => {
    await page.emulateMedia({ colorScheme: scheme })
    for (const size of [desktop, phone]) {
      await page.setViewportSize(size)
      await page.goto(`${env.url}/events`)
      await rows().first().waitFor()
      await expectAccessible(page)
      const width = await page.evaluate<number>('document.documentElement.scrollWidth')
      expect(width).toBeLessThanOrEqual(size.width)
    }
  })
})

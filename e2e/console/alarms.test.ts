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

const apId = `alarm-${randomUUID().slice(0, 8)}`
let env: ConsoleEnvironment
let page: Page

/** An access point that was online and is silent now: a presence alarm needs no vmalert. */
beforeAll(async () => {
  env = await consoleEnvironment()
  await env.manc.agents.register({
    ap_id: apId,
    password: 'a-password',
    configuration: { technology: 'WiFi', telemetry_interval_s: 1 },
  })
  await env.manc.alarms.createRule({
    name: `Silence of ${apId}`,
    severity: 'warning',
    metric: 'presence',
    raise_for_s: 0,
    ap_ids: [apId],
  })
  const agent = new Manc({
    url: env.url,
    credentials: { loginType: 'agent', username: apId, password: 'a-password' },
  })
  await agent.agents.sendUpdate({ payload: { clients: 1 } })
  page = await env.signedIn('/alarms')
}, 60_000)
afterAll(() => env?.close())

const row = () =>
  page
    .getByRole('list', { name: 'Alarms, newest first' })
    .getByRole('listitem')
    .filter({ hasText: `Silence of ${apId}` })

it('an open alarm appears, and can be acknowledged with a comment', async () => {
  await row().waitFor({ timeout: 60_000 })
  await page
    .getByRole('navigation', { name: 'Pages' })
    .getByLabel(/not acknowledged$/)
    .waitFor()
  await row().getByRole('button', { name: 'Acknowledge' }).click()
  await page.getByLabel('Comment').fill('Switched off for maintenance')
  await page.getByRole('dialog').getByRole('button', { name: 'Acknowledge' }).click()
  await row().getByText('Switched off for maintenance').waitFor()
  expect(await row().getByRole('button', { name: 'Acknowledge' }).count()).toBe(0)
  await page.getByText('Cleared', { exact: true }).click()
  await expect.poll(() => new URL(page.url()).searchParams.get('state')).toBe('cleared')
  await expect.poll(() => row().count()).toBe(0)
})

it('an alarm leads to its access point', async () => {
  await page.goto(`${env.url}/alarms`)
  await row().getByRole('link').click()
  await page.getByRole('heading', { level: 1, name: apId }).waitFor()
})

describe.each(['light', 'dark'] as const)('%s', (scheme) => {
  it('the page is accessible on a desktop and on a phone', async () => {
    await page.emulateMedia({ colorScheme: scheme })
    for (const size of [desktop, phone]) {
      await page.setViewportSize(size)
      await page.goto(`${env.url}/alarms`)
      await row().waitFor()
      await expectAccessible(page)
      const width = await page.evaluate<number>('document.documentElement.scrollWidth')
      expect(width).toBeLessThanOrEqual(size.width)
    }
  })
})

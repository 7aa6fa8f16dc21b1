import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type ConsoleEnvironment,
  consoleEnvironment,
  desktop,
  expectAccessible,
  phone,
} from './environment.ts'

let env: ConsoleEnvironment
let page: Page

beforeAll(async () => {
  env = await consoleEnvironment()
  page = await env.signedIn('/')
}, 60_000)
afterAll(() => env?.close())

const button = () => page.getByRole('button', { name: /^Controller: / })
const panel = () => page.getByRole('dialog', { name: /^Controller: / })

// No vmalert runs here.
it('the page of the network shows what of the controller does not work, and what to do', async () => {
  await button().waitFor({ timeout: 60_000 })
  const reasons = page.getByRole('group', { name: 'Parts of the controller' })
  await reasons.getByText(/^vmalert: It has never contacted the controller.* Start vmalert\.$/).waitFor()
  await button().click()
  for (const text of ['PostgreSQL: good', 'vmalert: degraded', 'docs/operations/alarms.md', 'Processes'])
    await panel().getByText(text, { exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await panel().waitFor({ state: 'hidden' })
})

describe.each(['light', 'dark'] as const)('%s', (scheme) => {
  it('the panel is accessible on a desktop and on a phone', async () => {
    await page.emulateMedia({ colorScheme: scheme })
    for (const size of [desktop, phone]) {
      await page.setViewportSize(size)
      await page.goto(env.url)
      await button().click()
      await panel().waitFor()
      await expectAccessible(page)
      const width = await page.evaluate<number>('document.documentElement.scrollWidth')
      expect(width).toBeLessThanOrEqual(size.width)
    }
  })
})

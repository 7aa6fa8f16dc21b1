import type { Page } from 'playwright-core'
import { afterAll, beforeAll, it } from 'vitest'
import { type ConsoleEnvironment, consoleEnvironment, expectAccessibleEverywhere } from './environment.ts'

let env: ConsoleEnvironment
let page: Page

beforeAll(async () => {
  env = await consoleEnvironment()
  page = await env.signedIn('/')
})
afterAll(() => env?.close())

const button = () => page.getByRole('button', { name: /^Controller: / })
const panel = () => page.getByRole('dialog', { name: /^Controller: / })

it('the page of the network shows the parts of the controller, and what to do', async () => {
  await button().waitFor({ timeout: 60_000 })
  await button().click()
  await panel().getByText('PostgreSQL: good', { exact: true }).waitFor()
  const { parts } = await env.manc.system.health()
  for (const { name } of parts) await panel().getByText(name).first().waitFor()
  await page.keyboard.press('Escape')
  await panel().waitFor({ state: 'hidden' })
})

it('the panel is accessible', async () => {
  await expectAccessibleEverywhere(page, async () => {
    await page.goto(env.url)
    await button().click()
    await panel().waitFor()
  })
})

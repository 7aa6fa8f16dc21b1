import { type TestEnvironment, uniqueName } from '@manc/harness'
import { test as it } from '@manc/harness/fixture'
import type { Browser } from 'playwright-core'
import { afterAll, describe, expect } from 'vitest'
import { launchBrowser } from './browser.ts'

let environment: TestEnvironment
let browser: Browser

it.beforeAll(async ({ environment: own }) => {
  environment = own
  browser = await launchBrowser()
})

afterAll(async () => {
  await browser?.close()
})

describe('the page at /docs', () => {
  it('shows every operation, without external requests or violations of its policy', async () => {
    const page = await browser.newPage()
    page.setDefaultTimeout(90_000)
    const external: string[] = []
    const errors: string[] = []
    page.on('request', (request) => {
      const url = request.url()
      if (!url.startsWith(environment.url) && !url.startsWith('data:')) external.push(url)
    })
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text())
    })
    page.on('pageerror', (error) => errors.push(error.message))
    await page.goto(`${environment.url}/docs`)
    await page.locator('.opblock').first().waitFor()
    const document = JSON.parse(await (await fetch(`${environment.url}/openapi.json`)).text())
    const operations = Object.values<object>(document.paths).flatMap((path) => Object.keys(path)).length
    // Of a long document the page renders what is in view.
    const shown = new Set<string>()
    const ids = "[...document.querySelectorAll('.opblock')].map(({ id }) => id)"
    const scrolled = async () => {
      for (const id of await page.evaluate<string[]>(ids)) shown.add(id)
      await page.mouse.wheel(0, 300)
      return shown.size
    }
    await expect.poll(scrolled, { timeout: 120_000, interval: 20 }).toBe(operations)
    expect(external).toEqual([])
    expect(errors).toEqual([])
    await page.close()
  })

  it('executes an operation', async () => {
    const page = await browser.newPage()
    page.setDefaultTimeout(90_000)
    await page.goto(`${environment.url}/docs`)
    const username = `${uniqueName('ann')}@example.test`
    const signUp = page.locator('#operations-Users-signUp')
    await signUp.locator('.opblock-summary').click()
    await signUp.getByRole('button', { name: 'Try it out' }).click()
    await signUp.locator('textarea').fill(JSON.stringify({ username, password: 'ann-password' }))
    await signUp.getByRole('button', { name: 'Execute' }).click()
    const answer = signUp.locator('.live-responses-table .response-col_description').last()
    await answer.waitFor()
    expect(await answer.innerText()).toContain(`"username": "${username}"`)
    await page.close()
  })
})

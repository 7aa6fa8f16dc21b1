import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type ConsoleEnvironment, consoleEnvironment, expectAccessibleEverywhere } from './environment.ts'

/** Of each attempt its own: a retry finds what the first attempt has created. */
let name = ''
let env: ConsoleEnvironment
let page: Page
let hook: Server

beforeAll(async () => {
  env = await consoleEnvironment()
  hook = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(200).end())
  }).listen(0, '127.0.0.1')
  await once(hook, 'listening')
  page = await env.signedIn('/alarms/notifications')
})
beforeEach(() => page.goto(`${env.url}/alarms/notifications`))
afterAll(async () => {
  hook?.close()
  await env?.close()
})

const dialog = () => page.getByRole('dialog')
const rowsOf = (list: string) => page.getByRole('list', { name: list }).getByRole('listitem')
const receiver = () => rowsOf('Receivers').filter({ hasText: name })
const act = async (action: string) => {
  await receiver()
    .getByRole('button', { name: /^Actions for/ })
    .click()
  await page.getByRole('menuitem', { name: action }).click()
}

it('a webhook is added, and its secret is shown once', async () => {
  name = `Hook ${randomUUID().slice(0, 8)}`
  await page.getByRole('button', { name: 'Add receiver' }).click()
  await dialog().getByText('Webhook', { exact: true }).click()
  await dialog().getByRole('textbox', { name: 'Name' }).fill(name)
  await dialog()
    .getByLabel('URL')
    .fill(`http://127.0.0.1:${(hook.address() as AddressInfo).port}/alarms`)
  await dialog().getByRole('button', { name: 'Add' }).click()
  const secret = dialog().getByLabel('Secret of the signatures', { exact: true })
  await secret.waitFor()
  expect((await secret.innerText()).length).toBeGreaterThan(20)
  await dialog().getByRole('button', { name: 'Copy: Secret of the signatures' }).waitFor()
  await dialog().getByRole('button', { name: 'Done' }).click()
  await receiver().waitFor()
  await dialog().waitFor({ state: 'hidden' })
})

it('a test message shows its result, and is in the log', async () => {
  await act('Send test message')
  await dialog()
    .getByText(/^Sent after 1 attempt, the webhook answered with 200\./)
    .waitFor({ timeout: 60_000 })
  await page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Refresh' }).click()
  await rowsOf('Deliveries, newest first')
    .filter({ hasText: `Test of ${name}` })
    .getByText('sent, 1 attempt')
    .waitFor()
})

it('a route is added to a receiver', async () => {
  await page.getByRole('button', { name: 'Add route' }).click()
  await dialog().getByRole('textbox', { name: 'Name' }).fill(`Route ${name}`)
  await dialog().getByRole('combobox', { name: 'Receiver' }).click()
  await page.getByRole('option', { name }).click()
  await dialog().getByRole('button', { name: 'Add' }).click()
  await rowsOf('Routes')
    .filter({ hasText: `Route ${name} → ${name}` })
    .getByText('critical, warning; All access points')
    .waitFor()
})

it('a receiver that a route uses cannot be deleted, and the reason is shown', async () => {
  await act('Delete')
  await dialog().getByRole('button', { name: 'Delete receiver' }).click()
  await dialog().getByRole('alert').waitFor()
  await dialog().getByRole('button', { name: 'Cancel' }).click()
})

it('the page and its forms are accessible', async () => {
  await expectAccessibleEverywhere(page, async () => {
    await page.goto(`${env.url}/alarms/notifications`)
    await receiver().waitFor()
    await rowsOf('Deliveries, newest first').first().waitFor()
  })
  for (const button of ['Add receiver', 'Add route'])
    await expectAccessibleEverywhere(page, async () => {
      await page.goto(`${env.url}/alarms/notifications`)
      await receiver().waitFor()
      await page.getByRole('button', { name: button }).click()
      await dialog().getByRole('textbox', { name: 'Name' }).waitFor()
    })
})

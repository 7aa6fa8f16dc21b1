import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { emulatedAccessPoint } from './access-points.ts'
import { type ConsoleEnvironment, consoleEnvironment, expectAccessibleEverywhere } from './environment.ts'

/** The emulator also runs a network. */
const soon = { timeout: 240_000 }
const command = 'set_power 16'
let env: ConsoleEnvironment
let page: Page
let apId: string

beforeAll(async () => {
  env = await consoleEnvironment()
  apId = await emulatedAccessPoint(env, 'WiFi')
  page = await env.signedIn(`/access-points/${apId}`)
})
afterAll(() => env?.close())

const dialog = () => page.getByRole('dialog', { name: `What if ${apId} gets ${command}?` })
const difference = () => dialog().getByRole('table', { name: 'Predicted difference' })

it('the effect of a command is predicted before it is sent, with the error of predictions', async () => {
  const ask = page.getByRole('button', { name: 'What if' })
  await ask.waitFor()
  expect(await ask.isDisabled()).toBe(true)
  const field = page.getByRole('combobox', { name: 'Command' })
  await field.fill(command)
  await field.press('Escape')
  await ask.focus()
  await page.keyboard.press('Enter')
  await difference().waitFor(soon)
  const rows = await difference().getByRole('row').allInnerTexts()
  expect(rows).toHaveLength(5)
  expect(rows[1]).toMatch(
    /Throughput of the worst 5 % \(Mbit\/s\)\s+[\d.,]+\s+[\d.,]+\s+[+-]?[\d.,]+ ± [\d.,]+\s+(better|worse|no clear difference|less than 5 %)/,
  )
  await dialog()
    .getByText(/How sure this is: in \d+ emulated situations/)
    .waitFor()
  await dialog()
    .getByText(/^The next 30 minutes of \d+ access points? with \d+ clients?/)
    .waitFor()
  await expectAccessibleEverywhere(page, () => difference().waitFor())
}, 600_000)

it('the command is sent when it is applied, and not before', async () => {
  const sent = page.getByRole('group', { name: `Command ${command}` })
  expect(await sent.count()).toBe(0)
  await dialog().getByRole('button', { name: 'Apply' }).click()
  await sent.getByText('Completed').waitFor(soon)
  expect(await dialog().count()).toBe(0)
})

it('a prediction that is not possible says why, and nothing is sent', async () => {
  const what = '**/api/v1/what_if'
  const detail = '300 access points match, and at most 200 can be simulated. Narrow the selection.'
  await page.route(what, (route) => route.fulfill({ status: 400, json: { detail } }))
  await page.reload()
  const field = page.getByRole('combobox', { name: 'Command' })
  await field.fill(command)
  await field.press('Escape')
  await page.getByRole('button', { name: 'What if' }).click()
  await dialog().getByText(detail).waitFor()
  expect(await dialog().getByRole('button', { name: 'Apply' }).count()).toBe(0)
  await page.keyboard.press('Escape')
  await expect.poll(() => dialog().count()).toBe(0)
  await page.unroute(what)
  expect(await page.getByRole('group', { name: `Command ${command}` }).count()).toBe(0)
})

import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { emulatedAccessPoint } from './access-points.ts'
import { type ConsoleEnvironment, consoleEnvironment, expectAccessibleEverywhere } from './environment.ts'

/** Of each attempt its own: a retry finds what the first attempt has created. */
let name = ''
let env: ConsoleEnvironment
let page: Page
let apId: string

beforeAll(async () => {
  env = await consoleEnvironment()
  apId = await emulatedAccessPoint(env, 'WiFi')
  page = await env.signedIn('/alarms/rules')
})
beforeEach(async () => {
  await page.goto(`${env.url}/alarms/rules`)
})
afterAll(() => env?.close())

const row = (text: string) =>
  page.getByRole('list', { name: 'Rules' }).getByRole('listitem').filter({ hasText: text })
const dialog = () => page.getByRole('dialog')
const act = async (on: string, action: string) => {
  await row(on)
    .getByRole('button', { name: /^Actions for/ })
    .click()
  await page.getByRole('menuitem', { name: action }).click()
}
const ruleOf = async (text: string) => (await env.manc.alarms.rules()).find((rule) => rule.name === text)

it('a rule is previewed and created', async () => {
  name = `Full ${randomUUID().slice(0, 8)}`
  await page.getByRole('button', { name: 'Create rule' }).click()
  await dialog().getByRole('button', { name: 'Preview last 24 h' }).click()
  await dialog().getByText('Enter a name.').waitFor()
  await dialog().getByRole('textbox', { name: 'Name' }).fill(name)
  await dialog().getByRole('combobox', { name: 'Metric' }).click()
  await page.getByRole('option', { name: 'Clients' }).click()
  await dialog().getByLabel('Clients that raises the alarm').fill('0')
  await dialog().getByLabel('For', { exact: true }).fill('0')
  await dialog().getByLabel('IDs of access points').fill(apId)
  await page.keyboard.press('Enter')
  await dialog().getByRole('button', { name: 'Preview last 24 h' }).click()
  const preview = dialog().getByRole('status', { name: 'Preview' })
  await preview.getByText(/It would have raised \d+ alarms? on 1 access point\./).waitFor()
  await preview.getByRole('cell', { name: apId }).waitFor()
  await dialog().getByRole('button', { name: 'Create' }).click()
  await row(name).getByText('Clients ≥ 0', { exact: false }).waitFor()
  expect(await ruleOf(name)).toMatchObject({ metric: 'clients', raise_for_s: 0, ap_ids: [apId] })
})

it('errors of the controller are shown next to their fields', async () => {
  await act(name, 'Edit')
  await dialog().getByLabel('Cleared when below').fill('5')
  await dialog().getByRole('button', { name: 'Save' }).click()
  await dialog().getByText('It should not be worse than raise_threshold').waitFor()
  await dialog().getByLabel('Cleared when below').fill('')
  await dialog().getByLabel('Clients that raises the alarm').fill('500')
  await dialog().getByRole('button', { name: 'Save' }).click()
  await row(name).getByText('Clients ≥ 500').waitFor()
})

it('an expression that the metrics store cannot parse is refused at its field', async () => {
  await act(name, 'Copy')
  await dialog().getByRole('combobox', { name: 'Metric' }).click()
  await page.getByRole('option', { name: 'Expression (MetricsQL)' }).click()
  await dialog().getByRole('textbox', { name: 'Expression', exact: true }).fill('avg(')
  await dialog().getByLabel('Value of the expression that raises the alarm').fill('1')
  await dialog().getByRole('button', { name: 'Preview last 24 h' }).click()
  await dialog()
    .getByText(/^The metrics store refuses the expression/)
    .waitFor()
  await page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'hidden' })
})

it('a rule is disabled, enabled and deleted, and a built-in rule can be copied', async () => {
  // The input of a switch is below its track.
  const toggle = row(name).getByRole('switch')
  await toggle.focus()
  await page.keyboard.press('Space')
  await dialog().getByRole('button', { name: 'Disable' }).click()
  await expect.poll(() => toggle.isChecked()).toBe(false)
  await toggle.focus()
  await page.keyboard.press('Space')
  await expect.poll(() => toggle.isChecked()).toBe(true)
  await act(name, 'Delete')
  await dialog().getByRole('button', { name: 'Delete rule' }).click()
  await row(name).waitFor({ state: 'hidden' })
  await act('Load is bad', 'Copy')
  await dialog().getByText('The built-in rule stays enabled.').waitFor()
  await dialog().getByRole('textbox', { name: 'Name' }).fill(`${name} copy`)
  await dialog().getByRole('button', { name: 'Create' }).click()
  await row(`${name} copy`).waitFor()
  expect(await ruleOf(`${name} copy`)).toMatchObject({ raise_threshold: 95, is_builtin: false })
})

it('the page and the form are accessible', async () => {
  await expectAccessibleEverywhere(page, async () => {
    await page.goto(`${env.url}/alarms/rules`)
    await row('Load is bad').waitFor()
  })
  await expectAccessibleEverywhere(page, async () => {
    await page.goto(`${env.url}/alarms/rules`)
    await page.getByRole('button', { name: 'Create rule' }).click()
    await dialog().getByRole('textbox', { name: 'Name' }).waitFor()
  })
})

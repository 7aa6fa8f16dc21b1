import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { emulatedAccessPoint, loadRule, raiseAlarms } from './access-points.ts'
import { type ConsoleEnvironment, consoleEnvironment } from './environment.ts'

const operator = { username: `op-${randomUUID().slice(0, 8)}@manc.test`, password: 'an-operator-password' }
let env: ConsoleEnvironment
let page: Page

beforeAll(async () => {
  env = await consoleEnvironment()
  await env.manc.users.create({ ...operator, roles: ['operator'] })
  page = await env.signedIn('/alarms', { as: operator })
})
afterAll(async () => {
  await env?.manc.users.remove(operator.username)
  await env?.close()
})

it('operators see the log of notifications, but not receivers and routes', async () => {
  await page.getByRole('link', { name: 'Notifications' }).click()
  await page.getByRole('region', { name: 'Deliveries' }).getByText('Messages of the last days').waitFor()
  await page.getByRole('button', { name: 'Refresh' }).waitFor()
  for (const name of ['Receivers', 'Routes']) expect(await page.getByRole('region', { name }).count()).toBe(0)
  expect(await page.getByRole('button', { name: 'Send again' }).count()).toBe(0)
  expect(await page.getByText('Request failed').count()).toBe(0)
})

it('a dialog stays open when its alarm is cleared, in the list and on its page', async () => {
  const apId = await emulatedAccessPoint(env, '5G')
  const comment = page.getByRole('dialog').getByLabel('Comment')
  const rule = await loadRule(env)
  await raiseAlarms(env, rule, [apId])
  const [alarm] = await Array.fromAsync(env.manc.alarms.list({ rule: rule.id }))
  await page.goto(`${env.url}/alarms/${alarm?.id}`)
  const other = await env.signedIn(`/alarms?rule=${rule.id}`)
  await other.getByRole('button', { name: 'Acknowledge', exact: true }).click()
  await other.getByLabel('Comment').fill('From the list')
  await page.getByRole('button', { name: 'Acknowledge' }).click()
  await comment.fill('From the page')
  await env.manc.alarms.removeRule(rule.id)
  await other.getByText('No alarm matches all filters.').waitFor()
  expect(await other.getByLabel('Comment').inputValue()).toBe('From the list')
  await page.getByText('Cleared, lasted').waitFor()
  expect(await comment.inputValue()).toBe('From the page')
  await page.getByRole('dialog').getByRole('button', { name: 'Acknowledge' }).click()
  await page.getByText('1 alarm had been cleared.').waitFor()
  await other.context().close()
})

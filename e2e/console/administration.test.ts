import { Manc } from '@manc/sdk'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, tokenOf } from '../../packages/server/test/client.ts'
import { type ConsoleStage, consoleStage, expectAccessible, phone } from './stage.ts'

let stage: ConsoleStage
const soon = { timeout: 10_000 }

beforeAll(async () => {
  stage = await consoleStage()
})
afterAll(() => stage?.close())

const entry = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name })

async function choose(page: Page, name: string, act: string): Promise<void> {
  await page.getByRole('button', { name: `What to do with ${name}` }).click()
  await page.getByRole('menuitem', { name: act }).click()
}

/** The secret that a dialog shows this once. */
async function secretOf(page: Page, label: string): Promise<string> {
  const text = await page.getByLabel(label, { exact: true }).textContent()
  await page.getByRole('button', { name: 'I have copied it' }).click()
  return text ?? ''
}

const as = (loginType: 'agent' | 'third_party_app' | 'user', username: string, password: string) =>
  new Manc({ url: stage.url, credentials: { loginType, username, password }, retryForMs: 0 })

describe('users', () => {
  const username = 'anna@manc.test'

  it('are added, found, given other roles and back, a password, and removed', async () => {
    const page = await stage.signedIn('/administration')
    await expect.poll(() => new URL(page.url()).pathname, soon).toBe('/administration/users')
    await page.getByRole('button', { name: 'Add a user' }).click()
    await page.getByLabel('E-mail').fill(username)
    await page.getByRole('button', { name: 'Make one' }).click()
    const password = await page.getByRole('textbox', { name: 'Password' }).inputValue()
    await page.getByRole('radio', { name: 'Operator' }).check()
    await page.getByRole('button', { name: 'Add the user' }).click()
    await page.getByLabel('Search users').fill('ANNA')
    await entry(page, username).getByText('Operator').waitFor()
    await expect(as('user', username, password).logIn()).resolves.toBeUndefined()

    await choose(page, username, 'Change roles')
    await page.getByRole('radio', { name: 'Standard user' }).check()
    await page.getByRole('button', { name: 'Change the roles' }).click()
    await entry(page, username).getByText('Standard user').waitFor()
    expect((await stage.manc.users.get(username)).roles).toBe('user')
    await page.getByRole('button', { name: 'Undo' }).click()
    await entry(page, username).getByText('Operator').waitFor()
    expect((await stage.manc.users.get(username)).roles).toBe('operator')

    await choose(page, username, 'Set a password')
    await page.getByRole('textbox', { name: 'New password' }).fill('short')
    await page.getByRole('button', { name: 'Set the password' }).click()
    await page.getByText('At least 8 characters.').waitFor()
    await page.getByRole('textbox', { name: 'New password' }).fill('another-password')
    await page.getByRole('button', { name: 'Set the password' }).click()
    await page.getByText('has a new password').waitFor()
    await expect(as('user', username, 'another-password').logIn()).resolves.toBeUndefined()

    await choose(page, username, 'Remove')
    await page.getByRole('button', { name: 'Leave it' }).click()
    expect((await stage.manc.users.get(username)).username).toBe(username)
    await choose(page, username, 'Remove')
    await page.getByRole('button', { name: `Remove ${username}` }).click()
    await page.getByText('None fits').waitFor()
    await expect(stage.manc.users.get(username)).rejects.toMatchObject({ status: 404 })
  })

  it('keep their last administrator, in the words of the controller', async () => {
    const all = await Array.fromAsync(stage.manc.users.list())
    expect(all.filter(({ roles }) => /admin/i.test(roles))).toHaveLength(1)
    const page = await stage.signedIn('/administration/users')
    await choose(page, stage.admin.username, 'Remove')
    await page.getByRole('button', { name: `Remove ${stage.admin.username}` }).click()
    const told = await page.getByRole('alert').textContent()
    expect(told).toContain(
      'The last administrator cannot be deleted. Make another user an administrator first.',
    )
  })
})

it('access points are registered with a password shown once and commands to start them', async () => {
  const page = await stage.signedIn('/administration/agents')
  const apId = 'admin-e2e-1'
  await page.getByRole('button', { name: 'Register' }).click()
  await page.getByLabel('Id').fill(apId)
  await page.getByLabel('Name').fill('Foyer')
  await page.getByRole('button', { name: 'Register it' }).click()
  const commands = page.getByLabel('Commands for the Shell agent', { exact: true })
  expect(await commands.textContent()).toContain(`MANC_URL=${stage.url}`)
  await page.getByText('Reference agent').click()
  const reference = page.getByLabel('Commands for the Reference agent', { exact: true })
  expect(await reference.textContent()).toContain(`"ap_id": "${apId}"`)
  await page.getByText('MQTT', { exact: true }).click()
  await page.getByLabel('Broker').fill('broker.test:1884')
  const mqtt = page.getByLabel('Commands for the MQTT', { exact: true })
  expect(await mqtt.textContent()).toContain('mosquitto_pub -h broker.test -p 1884')
  const password = await secretOf(page, `Password of ${apId}`)
  const { accepted } = await as('agent', apId, password).agents.sendUpdate({ payload: { clients: 3 } })
  expect(accepted).toBe(1)
  expect((await stage.manc.agents.get(apId)).configuration).toEqual({ technology: 'WiFi', name: 'Foyer' })

  await page.getByLabel('Search access points').fill(apId)
  await choose(page, 'Foyer', 'Replace the password')
  await page.getByRole('button', { name: 'Replace the password' }).click()
  const other = await secretOf(page, `Password of ${apId}`)
  expect(other).not.toBe(password)
  await expect(as('agent', apId, password).logIn()).rejects.toMatchObject({ status: 401 })
  await expect(as('agent', apId, other).logIn()).resolves.toBeUndefined()

  await choose(page, 'Foyer', 'Remove')
  await page.getByRole('button', { name: `Remove ${apId}` }).click()
  await page.getByText('None fits').waitFor()
  await expect(stage.manc.agents.get(apId)).rejects.toMatchObject({ status: 404 })
})

it('applications get scopes, a key shown once, other scopes and back, and are removed', async () => {
  const page = await stage.signedIn('/administration/apps')
  const name = 'e2e app'
  await page.getByRole('button', { name: 'Register' }).click()
  await page.getByLabel('Name').fill(name)
  await page.getByRole('checkbox', { name: 'Ask for historical data' }).check()
  await page.getByRole('button', { name: 'Register it' }).click()
  const key = await secretOf(page, `Key of ${name}`)
  await entry(page, name).getByText('history:read').waitFor()
  const app = as('third_party_app', name, key)
  expect((await app.fleet.summary()).total).toBeGreaterThan(0)
  await expect(app.users.list().next()).rejects.toMatchObject({ status: 403 })

  await choose(page, name, 'Change what it may do')
  await page.getByRole('checkbox', { name: 'Read access points and their configuration' }).uncheck()
  await page.getByLabel('Priority').fill('7')
  await page.getByRole('button', { name: 'Change it' }).click()
  await entry(page, name).getByText('priority 7').waitFor()
  expect((await stage.manc.apps.get(name)).permissions).toEqual({
    scopes: ['metrics:read', 'history:read'],
    agents: ['*'],
    priority: 7,
  })
  await page.getByRole('button', { name: 'Undo' }).click()
  await entry(page, name).getByText('agents:read').waitFor()

  await choose(page, name, 'Replace the key')
  await page.getByRole('button', { name: 'Replace the key' }).click()
  const other = await secretOf(page, `Key of ${name}`)
  await expect(as('third_party_app', name, key).logIn()).rejects.toMatchObject({ status: 401 })
  await expect(as('third_party_app', name, other).logIn()).resolves.toBeUndefined()
  await choose(page, name, 'Remove')
  await page.getByRole('button', { name: `Remove ${name}` }).click()
  await expect.poll(() => entry(page, name).count(), soon).toBe(0)
})

it('enrolment tokens are made, used and withdrawn', async () => {
  const page = await stage.signedIn('/administration/enrolment')
  await page.getByRole('button', { name: 'Make a token' }).click()
  await page.getByLabel('For which ids').fill('batch-*')
  await page.getByLabel('For how many devices').fill('2')
  await page.getByRole('button', { name: 'Make the token' }).click()
  const commands = page.getByLabel('Commands for the Shell agent', { exact: true })
  expect(await commands.textContent()).toContain('MANC_ENROLMENT_TOKEN=enrol_')
  const token = await secretOf(page, 'Enrolment token')
  await entry(page, 'batch-*').getByText('0 of 2 used').waitFor()
  const device = { ap_id: 'batch-1', password: 'a-password', configuration: {} }
  await stage.manc.agents.enrol(device, token)
  await entry(page, 'batch-*').getByText('1 of 2 used').waitFor()
  await choose(page, 'batch-*', 'Withdraw')
  await page.getByRole('button', { name: 'Withdraw the token' }).click()
  await expect.poll(() => entry(page, 'batch-*').count(), soon).toBe(0)
  await expect(stage.manc.agents.enrol({ ...device, ap_id: 'batch-2' }, token)).rejects.toMatchObject({
    status: 401,
  })
  await stage.manc.agents.remove('batch-1')
})

it('the audit reads as sentences, is filtered, shows its detail and goes on as one asks', async () => {
  const name = 'audited@manc.test'
  await stage.manc.users.create({ username: name, password: 'some-password', roles: ['user'] })
  for (let n = 0; n < 60; n++) await stage.manc.users.update(name, { roles: n % 2 ? ['user'] : ['operator'] })
  const page = await stage.signedIn('/administration/audit')
  const filtered = page.waitForResponse(/target=AUDITED/)
  await page.getByLabel('To what').fill('AUDITED')
  await filtered
  const changes = page.getByRole('list', { name: 'Changes, the newest first' }).getByRole('listitem')
  await expect.poll(() => changes.count(), soon).toBe(50)
  await changes
    .filter({ hasText: `${stage.admin.username} changed the roles of ${name} from operator to user` })
    .first()
    .waitFor()
  await page.getByRole('button', { name: 'Show older ones' }).click()
  await expect.poll(() => changes.count(), soon).toBe(61)
  await page.getByRole('combobox', { name: 'Did what' }).click()
  await page.getByRole('option', { name: 'Created a user' }).click()
  await expect.poll(() => changes.count(), soon).toBe(1)
  await changes.getByRole('button', { name: 'Detail' }).click()
  expect(await page.getByLabel('The record as JSON').textContent()).toContain('"action": "user.create"')
  await page.getByRole('combobox', { name: 'Who' }).fill('nobody@manc.test')
  await page.getByText('Nothing fits').waitFor()
  await stage.manc.users.remove(name)
})

it('a standard user sees none of it, and a forged client is refused by the controller', async () => {
  const user = { username: 'plain@manc.test', password: 'a-plain-password' }
  await stage.manc.users.create({ ...user, roles: ['user'] })
  const page = await stage.signedIn('/administration/users', { as: user })
  await page.getByText('For administrators').waitFor()
  expect(await page.getByRole('link', { name: 'Administration' }).count()).toBe(0)
  expect(await page.getByRole('button', { name: 'Add a user' }).count()).toBe(0)
  const token = await tokenOf(stage.url, 'user', user.username, user.password)
  const forged: [string, string, unknown?][] = [
    ['GET', '/api/v1/users/'],
    ['POST', '/api/v1/users/', { username: 'x@manc.test', password: 'some-password', roles: ['admin'] }],
    ['PUT', `/api/v1/users/${user.username}`, { roles: ['admin'] }],
    ['DELETE', `/api/v1/users/${stage.admin.username}`],
    ['POST', '/api/v1/agents/', { ap_id: 'forged', password: 'p', configuration: {} }],
    ['DELETE', '/api/v1/agents/any'],
    ['GET', '/api/v1/third_party_apps/'],
    ['POST', '/api/v1/third_party_apps/', { app_name: 'forged', api_key: 'k', permissions: {} }],
    ['GET', '/api/v1/enrolment_tokens'],
    ['POST', '/api/v1/enrolment_tokens', {}],
    ['GET', '/api/v1/audit'],
  ]
  for (const [method, path, body] of forged) {
    const { status } = await call(stage.url, method, path, { token, body })
    expect([method, path, status]).toEqual([method, path, 403])
  }
  await stage.manc.users.remove(user.username)
})

describe.each(['light', 'dark'] as const)('%s', (scheme) => {
  const parts = ['users', 'agents', 'apps', 'enrolment', 'audit']

  it.each(parts)('%s is accessible, on a desk and on a phone', async (part) => {
    for (const viewport of [undefined, phone]) {
      const page = await stage.signedIn(`/administration/${part}`, { scheme, ...(viewport && { viewport }) })
      await page.getByRole('navigation', { name: 'Parts of administration' }).waitFor()
      await expect.poll(() => page.getByRole('status').count(), soon).toBe(0)
      await expectAccessible(page)
      await page.context().close()
    }
  })

  it.each([
    ['users', 'Add a user'],
    ['agents', 'Register'],
    ['apps', 'Register'],
    ['enrolment', 'Make a token'],
  ])('the dialog of %s is accessible', async (part, button) => {
    const page = await stage.signedIn(`/administration/${part}`, { scheme })
    await page.getByRole('button', { name: button }).click()
    await page.getByRole('dialog').waitFor()
    // It fades in.
    await page.waitForTimeout(400)
    await expectAccessible(page)
    await page.context().close()
  })
})

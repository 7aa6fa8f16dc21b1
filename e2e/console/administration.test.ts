import { randomUUID } from 'node:crypto'
import { call, tokenOf } from '@manc/harness'
import { Manc } from '@manc/sdk'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { downloadOf } from '../browser.ts'
import { expectAccessible, useConsole, variants } from './environment.ts'

const env = useConsole()
const soon = { timeout: 45_000 }

/** A random part of names, so that a retried test does not find leftovers. */
const uniqueId = () => randomUUID().slice(0, 8)

const entry = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name })

async function choose(page: Page, name: string, act: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: act }).click()
}

/** Reads the secret that a dialog shows once, and closes the dialog. */
async function secretOf(page: Page, label: string): Promise<string> {
  const text = await page.getByLabel(label, { exact: true }).textContent()
  await page.getByRole('button', { name: 'Done' }).click()
  return text ?? ''
}

const as = (loginType: 'agent' | 'third_party_app' | 'user', username: string, password: string) =>
  new Manc({ url: env.url, credentials: { loginType, username, password }, retryForMs: 0 })

describe('users', () => {
  it('are added, found, given roles and a password, and removed', async () => {
    const username = `anna-${uniqueId()}@manc.test`
    const page = await env.signedIn('/administration')
    await expect.poll(() => new URL(page.url()).pathname, soon).toBe('/administration/users')
    await page.getByRole('button', { name: 'Add user' }).click()
    await page.getByLabel('E-mail').fill(username)
    await page.getByRole('button', { name: 'Generate' }).click()
    await page.getByRole('radio', { name: 'Operator' }).check()
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    const password = await secretOf(page, `Password for ${username}`)
    await page.getByLabel('Search users').fill(username.toUpperCase())
    await entry(page, username).getByText('Operator').waitFor()
    await expect(as('user', username, password).logIn()).resolves.toBeUndefined()

    await choose(page, username, 'Change roles')
    await page.getByRole('radio', { name: 'Standard user' }).check()
    await page.getByRole('button', { name: 'Save' }).click()
    await entry(page, username).getByText('Standard user').waitFor()
    expect((await env.manc.users.get(username)).roles).toBe('user')
    await page.getByRole('button', { name: 'Undo' }).click()
    await entry(page, username).getByText('Operator').waitFor()
    expect((await env.manc.users.get(username)).roles).toBe('operator')

    await choose(page, username, 'Set password')
    await page.getByRole('textbox', { name: 'New password' }).fill('short')
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.getByText('Use at least 8 characters.').waitFor()
    await page.getByRole('textbox', { name: 'New password' }).fill('another-password')
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.getByText(`Password of ${username} changed.`).waitFor()
    await expect(as('user', username, 'another-password').logIn()).resolves.toBeUndefined()

    await choose(page, username, 'Remove')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page
      .getByRole('button', { name: `Actions for ${username}` })
      .and(page.locator(':focus'))
      .waitFor()
    expect((await env.manc.users.get(username)).username).toBe(username)
    await choose(page, username, 'Remove')
    await page.getByRole('button', { name: `Remove ${username}` }).click()
    await page.getByText('No matches').waitFor()
    await expect(env.manc.users.get(username)).rejects.toMatchObject({ status: 404 })
  })

  it('keep their last administrator, and the error of the controller is shown', async () => {
    const all = await Array.fromAsync(env.manc.users.list())
    expect(all.filter(({ roles }) => /admin/i.test(roles))).toHaveLength(1)
    const page = await env.signedIn('/administration/users')
    await choose(page, env.admin.username, 'Remove')
    await page.getByRole('button', { name: `Remove ${env.admin.username}` }).click()
    const text = await page.getByRole('alert').textContent()
    expect(text).toContain(
      'The last administrator cannot be deleted. Make another user an administrator first.',
    )
  })
})

it('a request without a network fails immediately and is not sent later', async () => {
  const username = `stays-${uniqueId()}@manc.test`
  await env.manc.users.create({ username, password: 'some-password', roles: ['user'] })
  const page = await env.signedIn('/administration/users')
  await page.getByLabel('Search users').fill(username)
  await choose(page, username, 'Remove')
  await page.context().setOffline(true)
  await page.getByRole('button', { name: `Remove ${username}` }).click()
  await page.getByRole('alert').filter({ hasText: 'does not respond' }).waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  // The list is read again once online; a queued request would have been sent before.
  await Promise.all([page.waitForResponse(/\/api\/v1\/users\//), page.context().setOffline(false)])
  expect((await env.manc.users.get(username)).username).toBe(username)
  await env.manc.users.remove(username)
})

it('a new password is not lost by Escape or a click outside of the dialog', async () => {
  const apId = `register-${uniqueId()}`
  const page = await env.signedIn('/access-points')
  const closeByAccident = async () => {
    await page.keyboard.press('Escape')
    await page.mouse.click(4, 400)
  }
  await page.getByRole('button', { name: 'Register access point' }).click()
  await page.getByRole('textbox', { name: 'ID', exact: true }).fill(apId)
  await page.getByLabel('Latitude').fill('51.5')
  await page.getByRole('button', { name: 'Register', exact: true }).click()
  await page.getByText('Enter both coordinates or neither.').first().waitFor()
  await page.mouse.click(4, 400)
  await page.getByLabel('Longitude').fill('-2.6')
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/api/v1/agents/', async (route) => {
    await isReleased
    await route.continue()
  })
  await page.getByRole('button', { name: 'Register', exact: true }).click()
  await closeByAccident()
  release()
  await page.getByLabel(`Password for ${apId}`, { exact: true }).waitFor()
  await closeByAccident()
  const password = await secretOf(page, `Password for ${apId}`)
  await expect(as('agent', apId, password).logIn()).resolves.toBeUndefined()
  const { configuration } = await env.manc.agents.get(apId)
  expect(configuration).toMatchObject({ geolocation: { latitude: 51.5, longitude: -2.6 } })
  await env.manc.agents.remove(apId)
})

it('access points are registered with a password shown once and commands to start them', async () => {
  const page = await env.signedIn('/access-points')
  const apId = `admin-${uniqueId()}`
  const called = `Foyer ${apId}`
  await page.getByRole('button', { name: 'Register access point' }).click()
  await page.getByRole('textbox', { name: 'ID', exact: true }).fill(apId)
  await page.getByLabel('Name').fill(called)
  await page.getByRole('button', { name: 'Register', exact: true }).click()
  const commands = page.getByLabel('Shell agent commands', { exact: true })
  expect(await commands.textContent()).toContain(`MANC_URL=${env.url}`)
  await page.getByText('Reference agent').click()
  const reference = page.getByLabel('Reference agent commands', { exact: true })
  expect(await reference.textContent()).toContain(`"ap_id": "${apId}"`)
  await page.getByText('MQTT', { exact: true }).click()
  await page.getByLabel('Broker').fill('broker.test:1884')
  const mqtt = page.getByLabel('MQTT commands', { exact: true })
  expect(await mqtt.textContent()).toContain('mosquitto_pub -h broker.test -p 1884')
  const password = await secretOf(page, `Password for ${apId}`)
  const { accepted } = await as('agent', apId, password).agents.sendUpdate({ payload: { clients: 3 } })
  expect(accepted).toBe(1)
  expect((await env.manc.agents.get(apId)).configuration).toEqual({ technology: 'WiFi', name: called })

  await page.getByLabel('Search access points').fill(apId)
  // Rows that the search replaces close their menus.
  await expect.poll(() => page.getByRole('button', { name: /^Actions for / }).count()).toBe(1)
  await choose(page, called, 'Replace password')
  await page.getByRole('button', { name: 'Replace password' }).click()
  const other = await secretOf(page, `Password for ${apId}`)
  expect(other).not.toBe(password)
  await expect(as('agent', apId, password).logIn()).rejects.toMatchObject({ status: 401 })
  await expect(as('agent', apId, other).logIn()).resolves.toBeUndefined()

  await choose(page, called, 'Remove')
  await page.getByRole('button', { name: `Remove ${apId}` }).click()
  await page.getByText('No matches').waitFor()
  await expect(env.manc.agents.get(apId)).rejects.toMatchObject({ status: 404 })
})

it('applications get scopes and a key shown once, are changed, and are removed', async () => {
  const page = await env.signedIn('/administration/apps')
  const name = `e2e app ${uniqueId()}`
  await page.getByRole('button', { name: 'Register application' }).click()
  await page.getByLabel('Name').fill(name)
  // Nothing is granted without a choice.
  expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(0)
  for (const scope of [
    'Read access points and their configuration',
    'Read current metrics',
    'Request historical data',
  ])
    await page.getByRole('checkbox', { name: scope }).check()
  await page.getByRole('combobox', { name: 'Access points' }).fill('*')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Register', exact: true }).click()
  const key = await secretOf(page, `API key for ${name}`)
  await entry(page, name).getByText('history:read').waitFor()
  const app = as('third_party_app', name, key)
  expect((await app.fleet.summary({ emulated: 'all' })).total).toBeGreaterThan(0)
  await expect(app.users.list().next()).rejects.toMatchObject({ status: 403 })

  await choose(page, name, 'Change permissions')
  await page.getByRole('checkbox', { name: 'Read access points and their configuration' }).uncheck()
  await page.getByLabel('Priority').fill('7')
  await page.getByRole('button', { name: 'Save' }).click()
  await entry(page, name).getByText('priority 7').waitFor()
  expect((await env.manc.apps.get(name)).permissions).toEqual({
    scopes: ['metrics:read', 'history:read'],
    agents: ['*'],
    priority: 7,
  })
  await page.getByRole('button', { name: 'Undo' }).click()
  await entry(page, name).getByText('agents:read').waitFor()

  await choose(page, name, 'Replace key')
  await page.getByRole('button', { name: 'Replace key' }).click()
  const other = await secretOf(page, `API key for ${name}`)
  await expect(as('third_party_app', name, key).logIn()).rejects.toMatchObject({ status: 401 })
  await expect(as('third_party_app', name, other).logIn()).resolves.toBeUndefined()
  await choose(page, name, 'Remove')
  await page.getByRole('button', { name: `Remove ${name}` }).click()
  await expect.poll(() => entry(page, name).count(), soon).toBe(0)
})

it('enrolment tokens are created, used and revoked', async () => {
  const batch = `batch-${uniqueId()}`
  const pattern = `${batch}-*`
  const page = await env.signedIn('/administration/enrolment')
  await page.getByRole('button', { name: 'Create token' }).click()
  await page.getByLabel('ID pattern').fill(pattern)
  await page.getByLabel('Maximum uses').fill('2')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  const commands = page.getByLabel('Shell agent commands', { exact: true })
  expect(await commands.textContent()).toContain('MANC_ENROLMENT_TOKEN=enrol_')
  expect(await commands.textContent()).toContain(`MANC_AP_ID=${batch}-1`)
  const token = await secretOf(page, 'Enrolment token')
  await entry(page, pattern).getByText('0 of 2 used').waitFor()
  const agent = { ap_id: `${batch}-1`, password: 'a-password', configuration: {} }
  await env.manc.agents.enrol(agent, token)
  await entry(page, pattern).getByText('1 of 2 used').waitFor()
  await choose(page, pattern, 'Revoke')
  await page.getByRole('button', { name: 'Revoke token' }).click()
  await expect.poll(() => entry(page, pattern).count(), soon).toBe(0)
  await expect(env.manc.agents.enrol({ ...agent, ap_id: `${batch}-2` }, token)).rejects.toMatchObject({
    status: 401,
  })
  await env.manc.agents.remove(agent.ap_id)
})

it('the audit log shows sentences and details, is filtered, and loads older entries on request', async () => {
  const part = `audited-${uniqueId()}`
  const name = `${part}@manc.test`
  await env.manc.users.create({ username: name, password: 'some-password', roles: ['user'] })
  for (let n = 0; n < 60; n++) await env.manc.users.update(name, { roles: n % 2 ? ['user'] : ['operator'] })
  const page = await env.signedIn('/administration/audit')
  await Promise.all([
    page.waitForResponse(new RegExp(`target=${part.toUpperCase()}`)),
    page.getByLabel('Target').fill(part.toUpperCase()),
  ])
  const log = page.getByRole('list', { name: 'Audit log, newest first' })
  // Repeated entries of one user are one row.
  await log.getByText('50 entries').waitFor()
  await log.getByText(`${env.admin.username} changed a user`).waitFor()
  await log.getByRole('button', { name: 'Show entries' }).click()
  const changes = log.getByRole('list').getByRole('listitem')
  await expect.poll(() => changes.count(), soon).toBe(50)
  await changes
    .filter({ hasText: `${env.admin.username} changed the roles of ${name} from operator to user` })
    .first()
    .waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Show older entries' }).click()
  await log.getByText('60 entries').waitFor()
  await expect.poll(() => changes.count(), soon).toBe(60)
  await log.getByText(`created the user ${name}`).waitFor()
  await page.getByRole('combobox', { name: 'Action' }).click()
  await page.getByRole('option', { name: 'Created a user' }).click()
  await expect.poll(() => log.getByRole('listitem').count(), soon).toBe(1)
  await log.getByRole('button', { name: 'Show details' }).click()
  expect(await page.getByLabel('Record as JSON').textContent()).toContain('"action": "user.create"')
  await page.getByRole('combobox', { name: 'Actor' }).fill('unknown@manc.test')
  await page.getByText('No matches').waitFor()
  await env.manc.users.remove(name)
})

it('all entries of the audit log that match are exported, also those that are not shown', async () => {
  const name = `exported-${uniqueId()}@manc.test`
  await env.manc.users.create({ username: name, password: 'some-password', roles: ['user'] })
  for (let n = 0; n < 60; n++) await env.manc.users.update(name, { roles: n % 2 ? ['user'] : ['operator'] })
  const page = await env.signedIn(`/administration/audit?target=${encodeURIComponent(name)}`)
  await page.getByText('50 entries').waitFor()
  const save = async (format: string) => {
    await page.getByRole('button', { name: 'Export' }).click()
    return String(await downloadOf(page, page.getByRole('menuitem', { name: format })))
  }
  const [head, newest = '', ...older] = (await save('CSV')).trim().split('\r\n')
  expect(head).toBe('at,actor_kind,actor,action,target,sentence,detail,request_id')
  expect(newest).toContain(`changed the roles of ${name} from operator to user`)
  expect(older).toHaveLength(60)
  const records = JSON.parse(await save('JSON')) as { action: string; target: string }[]
  expect(records).toHaveLength(61)
  expect(records.at(-1)).toMatchObject({ action: 'user.create', target: name })
  await env.manc.users.remove(name)
})

it('a standard user sees no administration, and the controller rejects forged requests', async () => {
  const user = { username: `plain-${uniqueId()}@manc.test`, password: 'a-plain-password' }
  await env.manc.users.create({ ...user, roles: ['user'] })
  const page = await env.signedIn('/administration/users', { as: user })
  await page.getByText('Administrators only').waitFor()
  expect(await page.getByRole('link', { name: 'Administration' }).count()).toBe(0)
  expect(await page.getByRole('button', { name: 'Add user' }).count()).toBe(0)
  const token = await tokenOf(env.url, 'user', user.username, user.password)
  const forged: [string, string, unknown?][] = [
    ['GET', '/api/v1/users/'],
    ['POST', '/api/v1/users/', { username: 'x@manc.test', password: 'some-password', roles: ['admin'] }],
    ['PUT', `/api/v1/users/${user.username}`, { roles: ['admin'] }],
    ['DELETE', `/api/v1/users/${env.admin.username}`],
    ['POST', '/api/v1/agents/', { ap_id: 'forged', password: 'p', configuration: {} }],
    ['DELETE', '/api/v1/agents/any'],
    ['GET', '/api/v1/third_party_apps/'],
    ['POST', '/api/v1/third_party_apps/', { app_name: 'forged', api_key: 'k', permissions: {} }],
    ['GET', '/api/v1/enrolment_tokens'],
    ['POST', '/api/v1/enrolment_tokens', {}],
    ['GET', '/api/v1/audit'],
  ]
  for (const [method, path, body] of forged) {
    const { status } = await call(env.url, method, path, { token, body })
    expect([method, path, status]).toEqual([method, path, 403])
  }
  await env.manc.users.remove(user.username)
})

describe.each(variants)('%s', (scheme, viewport) => {
  const sections = [
    { section: 'Users', list: 'Users', add: 'Add user' },
    { section: 'Applications', list: 'Applications', add: 'Register application' },
    { section: 'Enrolment', list: 'Enrolment tokens', add: 'Create token' },
    { section: 'Audit log', list: 'Audit log, newest first', add: undefined },
  ]

  it(`every administration section and its dialog are accessible at a width of ${viewport.width}`, async () => {
    const name = `accessibility ${uniqueId()}`
    await env.manc.apps.register({ app_name: name, api_key: randomUUID(), permissions: {} })
    await env.manc.enrolment.create({ ap_id_pattern: `${uniqueId()}-*` })
    const page = await env.signedIn('/administration', { scheme, viewport })
    for (const { section, list, add } of sections) {
      await page
        .getByRole('navigation', { name: 'Administration sections' })
        .getByRole('link', { name: section })
        .click()
      await page.getByRole('list', { name: list }).waitFor()
      await expectAccessible(page)
      if (!add) continue
      await page.getByRole('button', { name: add }).click()
      await page.getByRole('dialog').waitFor()
      await expectAccessible(page)
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
    }
    await page.context().close()
    await env.manc.apps.remove(name)
  })
})

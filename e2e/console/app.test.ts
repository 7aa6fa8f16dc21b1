import { randomUUID } from 'node:crypto'
import {
  closedPort,
  createEnvironment,
  type Replica,
  startReplica,
  type TestEnvironment,
} from '@manc/harness'
import { type MailInbox, startMailInbox } from '@manc/harness/mail-inbox'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { expectAccessible, signIn, useConsole } from './environment.ts'

const env = useConsole()

describe('signing in', () => {
  it('returns to the requested page', async () => {
    const page = await env.page()
    await page.goto(`${env.url}/developers`)
    await signIn(page, env.admin)
    await expect.poll(() => new URL(page.url()).pathname).toBe('/developers')
  })

  it('shows an error and keeps the typed name', async () => {
    const page = await env.page()
    await page.goto(env.url)
    await page.getByLabel('E-mail').fill(env.admin.username)
    await page.getByRole('textbox', { name: 'Password' }).fill('wrong-password')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').waitFor()
    expect(await page.getByLabel('E-mail').inputValue()).toBe(env.admin.username)
  })

  it('does not redirect to another site', async () => {
    const page = await env.page()
    await page.goto(`${env.url}/sign-in?to=//evil.test/`)
    await signIn(page, env.admin)
    await expect.poll(() => page.url()).toBe(`${env.url}/`)
  })
})

it('sign-up, sign-out and sign-in work with the keyboard alone', async () => {
  const username = `new-${randomUUID()}@manc.test`
  const page = await env.page()
  await page.goto(`${env.url}/sign-up`)
  await page.getByLabel('E-mail').focus()
  await page.keyboard.type(username)
  await page.keyboard.press('Tab')
  await page.keyboard.type('a-new-password')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Account' }).waitFor()
  expect(await page.getByRole('link', { name: 'Administration' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Account' }).focus()
  await page.keyboard.press('Enter')
  const signOut = page.getByRole('menuitem', { name: 'Sign out' })
  await signOut.waitFor()
  // After the item of the account page. A menu that is still opening ignores the key.
  const isReached = async () => {
    await page.keyboard.press('ArrowDown')
    return signOut.and(page.locator(':focus')).count()
  }
  await expect.poll(isReached).toBe(1)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.getByLabel('E-mail').and(page.locator(':focus')).waitFor()
  await page.keyboard.type(username)
  await page.keyboard.press('Tab')
  await page.keyboard.type('a-new-password')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Account' }).waitFor()
})

describe('a forgotten password', () => {
  let inbox: MailInbox
  let environment: TestEnvironment
  let server: Replica

  beforeAll(async () => {
    inbox = await startMailInbox()
    environment = await createEnvironment(inject('engines'))
    const port = await closedPort()
    server = await startReplica({
      ...environment.variables,
      MANC_PORT: String(port),
      MANC_PUBLIC_URL: `http://127.0.0.1:${port}`,
      MANC_SMTP_URL: inbox.url,
    })
  })
  afterAll(async () => {
    await server?.stop()
    await environment?.drop()
    await inbox?.stop()
  })

  it('is reset with the link in an e-mail, which contains the code', async () => {
    const page = await env.page()
    await page.goto(`${server.url}/sign-in`)
    await page.getByRole('link', { name: 'Forgot password?' }).click()
    await page.getByRole('heading', { name: 'Reset password' }).waitFor()
    await page.getByLabel('E-mail').fill(env.admin.username)
    await page.getByRole('button', { name: 'Send e-mail' }).click()
    await page.getByText(`If the account ${env.admin.username} exists`).waitFor()
    const token = await inbox.resetTokenFor(env.admin.username)
    const link = /http:\S+\/reset#\S+/.exec(inbox.textsTo(env.admin.username)[0] ?? '')?.[0] ?? ''
    await page.goto('about:blank')
    await page.goto(link)
    expect(await page.getByLabel('Code from e-mail').inputValue()).toBe(token)
    await page.getByLabel('New password').fill('short')
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.getByText('Use at least 8 characters.').waitFor()
    await page.getByLabel('New password').fill('another-password')
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.getByText('Password set. Sign in with the new password.').waitFor()
    await signIn(page, { username: env.admin.username, password: 'another-password' })
    await page.getByText('No access points').waitFor()
    await expectAccessible(page)
  })
})

async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press('Control+K')
  await page.getByPlaceholder('Search access points, pages and actions').and(page.locator(':focus')).waitFor()
}

it('the command palette opens an access point', async () => {
  const page = await env.signedIn('/')
  const [first] = await Array.fromAsync(env.manc.fleet.agents({ technology: ['LiFi'] }))
  await openPalette(page)
  await page.keyboard.type(first?.ap_id ?? '')
  await page
    .getByRole('dialog')
    .getByText(first?.ap_id ?? '')
    .waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect.poll(() => new URL(page.url()).pathname).toBe(`/access-points/${first?.ap_id}`)
})

it('the command palette runs actions, and a standard user sees only permitted ones', async () => {
  const page = await env.signedIn('/')
  await openPalette(page)
  const palette = page.getByRole('dialog')
  await page.keyboard.type('bulk command')
  await palette.getByText('Send bulk command').waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Send bulk command' }).waitFor()
  for (const [action, path] of [
    ['Register access point', '/access-points'],
    ['Add user', '/administration/users'],
  ] as const) {
    await page.goto(env.url)
    await page.getByRole('button', { name: 'Account' }).waitFor()
    await openPalette(page)
    await page.keyboard.type(action)
    await palette.getByText(action).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: action }).getByRole('button', { name: 'Cancel' }).click()
    await expect.poll(() => new URL(page.url()).pathname + new URL(page.url()).hash).toBe(path)
  }
  const as = { username: `palette-${randomUUID()}@manc.test`, password: 'a-new-password' }
  await env.manc.users.create({ ...as, roles: ['user'] })
  const other = await env.signedIn('/', { as })
  await openPalette(other)
  await other.getByRole('dialog').getByText('Emulate a network').waitFor()
  for (const label of ['Send bulk command', 'Add user', 'Administration'])
    expect(await other.getByRole('dialog').getByText(label).count()).toBe(0)
})

it('a dialog asks for the password when the session ends', async () => {
  const username = `ends-${randomUUID()}@manc.test`
  await env.manc.users.create({ username, password: 'a-new-password', roles: ['user'] })
  const page = await env.page()
  await page.goto(env.url)
  await signIn(page, { username, password: 'a-new-password' })
  await page.getByText('access points').first().waitFor()
  let logins = 0
  page.on('request', (request) => {
    if (request.url().includes('/api/v1/token/')) logins++
  })
  await env.manc.users.update(username, { password: 'another-password' })
  const dialog = page.getByRole('dialog', { name: 'Session ended' })
  await dialog.waitFor()
  await dialog.getByRole('textbox', { name: 'Password' }).fill('a-wrong-password')
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await dialog.getByText('Log in with a valid name and password.').waitFor()
  // A rejected password is not sent again by other requests of the page.
  const tried = logins
  await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))")
  await dialog.getByRole('textbox', { name: 'Password' }).fill('another-password')
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await dialog.waitFor({ state: 'hidden' })
  expect(logins).toBe(tried + 1)
  await page.getByText('access points').first().waitFor()
})

describe.each(['light', 'dark'] as const)('%s', (scheme) => {
  it.each(['/sign-in', '/sign-up', '/confirm', '/recover', '/reset'])('%s is accessible', async (path) => {
    const page = await env.page(scheme)
    await page.goto(env.url + path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await expectAccessible(page)
  })
})

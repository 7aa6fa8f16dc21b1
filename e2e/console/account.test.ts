import { call, tokenOf, uniqueName } from '@manc/harness'
import { Manc } from '@manc/sdk'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { expectAccessible, signIn, useConsole, variants } from './environment.ts'

const env = useConsole()

const password = 'the-first-password'

async function newUser(): Promise<{ username: string; password: string }> {
  const account = { username: `${uniqueName('owner')}@manc.test`, password }
  await env.manc.users.create({ ...account, roles: ['user'] })
  return account
}

async function fill(page: Page, current: string, next: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Current password' }).fill(current)
  await page.getByRole('textbox', { name: 'New password' }).fill(next)
  await page.getByRole('button', { name: 'Change password' }).click()
}

const logInTo = (username: string, withPassword: string) =>
  new Manc({ url: env.url, credentials: { username, password: withPassword }, retryForMs: 0 }).logIn()

it.each(variants)(
  'a standard user changes the own password and stays signed in, in %s',
  async (scheme, viewport) => {
    const account = await newUser()
    const page = await env.page(scheme, viewport)
    await page.goto(`${env.url}/sign-in`)
    await signIn(page, account)
    const token = await tokenOf(env.url, 'user', account.username, password)
    const statusOfOther = async () => (await call(env.url, 'GET', '/api/v1/users/me', { token })).status
    expect(await statusOfOther()).toBe(200)

    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitem', { name: 'Account and password' }).click()
    await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor()
    await page.getByText('Standard user. Can view the network').waitFor()
    await expectAccessible(page)

    await fill(page, password, 'short')
    await page.getByText('Use at least 8 characters.').waitFor()
    await fill(page, password, password)
    await page.getByText('Use another password than the current one.').waitFor()
    await fill(page, 'not-the-password', 'the-second-password')
    await page.getByRole('alert').filter({ hasText: 'The current password is wrong.' }).waitFor()
    await expectAccessible(page)
    await expect(logInTo(account.username, password)).resolves.toBeUndefined()

    await fill(page, password, 'the-second-password')
    await page.getByText('Password changed. All other sessions are signed out.').waitFor()
    expect(await page.getByRole('textbox', { name: 'Current password' }).inputValue()).toBe('')
    await expect(logInTo(account.username, password)).rejects.toMatchObject({ status: 401 })
    await expect(logInTo(account.username, 'the-second-password')).resolves.toBeUndefined()
    await expect.poll(statusOfOther).toBe(401)

    // The session of this page continues.
    await page.goto(`${env.url}/`)
    await page.getByRole('button', { name: 'Account' }).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
  },
)

it('the password is changed with the keyboard alone', async () => {
  const account = await newUser()
  const page = await env.signedIn('/developers', { as: account })
  await page.getByRole('button', { name: 'Account' }).focus()
  await page.keyboard.press('Enter')
  const item = page.getByRole('menuitem', { name: 'Account and password' })
  await item.waitFor()
  await page.keyboard.press('ArrowDown')
  await item.and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor()
  await page.getByRole('textbox', { name: 'Current password' }).focus()
  await page.keyboard.type(password)
  await page.keyboard.press('Tab')
  await page.getByRole('textbox', { name: 'New password' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.type('typed-password')
  await page.keyboard.press('Enter')
  await page.getByText('Password changed.').waitFor()
  await expect(logInTo(account.username, 'typed-password')).resolves.toBeUndefined()
})

it('an administrator changes the own password on the account page, not among the users', async () => {
  const page = await env.signedIn('/administration/users')
  await page.getByRole('button', { name: `Actions for ${env.admin.username}` }).click()
  await page.getByRole('menuitem', { name: 'Set password' }).click()
  await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor()
  await page.getByText('Administrator. Has full access').waitFor()
})

import { randomUUID } from 'node:crypto'
import {
  closedPort,
  createEnvironment,
  logIn,
  type Replica,
  startReplica,
  type TestEnvironment,
} from '@manc/harness'
import { type MailInbox, startMailInbox } from '@manc/harness/mail-inbox'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest'
import {
  type ConsoleEnvironment,
  consoleEnvironment,
  expectAccessible,
  signIn,
  variants,
} from './environment.ts'

let env: ConsoleEnvironment
let inbox: MailInbox
let environment: TestEnvironment
let server: Replica

beforeAll(async () => {
  env = await consoleEnvironment()
  inbox = await startMailInbox()
  environment = await createEnvironment(inject('engines'))
  const port = await closedPort()
  server = await startReplica({
    ...environment.variables,
    MANC_PORT: String(port),
    MANC_PUBLIC_URL: `http://127.0.0.1:${port}`,
    MANC_SMTP_URL: inbox.url,
    MANC_SIGNUP: 'confirmed',
  })
})
afterAll(async () => {
  await server?.stop()
  await environment?.drop()
  await inbox?.stop()
  await env?.close()
})
afterEach(() => Promise.all(env.browser.contexts().map((context) => context.close())))

const password = 'a-new-password'
const newName = () => `new-${randomUUID()}@manc.test`

/** Signs up and opens the link of the e-mail. */
async function signUpAndOpenLink(page: Page, username: string): Promise<void> {
  await page.goto(`${server.url}/sign-up`)
  await page.getByLabel('E-mail').fill(username)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Sign up' }).click()
  await page.getByText(`We sent an e-mail to ${username}`).waitFor()
  const token = await inbox.confirmationTokenFor(username)
  const [link = ''] = /http:\S+\/confirm#\S+/.exec(inbox.textsTo(username)[0] ?? '') ?? []
  await page.goto('about:blank')
  await page.goto(link)
  expect(await page.getByLabel('Code from e-mail').inputValue()).toBe(token)
}

describe('a sign-up that has to be confirmed', () => {
  it('is confirmed with the form behind the link, not by opening it', async () => {
    const username = newName()
    const page = await env.page()
    await signUpAndOpenLink(page, username)
    expect((await logIn(server.url, 'user', username, password)).status).toBe(403)
    await page.getByRole('textbox', { name: 'Password' }).fill('not-the-password')
    await page.getByRole('button', { name: 'Confirm and sign in' }).click()
    await page.getByText('This is not the password of the sign-up.').waitFor()
    await page.getByRole('textbox', { name: 'Password' }).fill(password)
    await page.getByRole('button', { name: 'Confirm and sign in' }).click()
    await page.getByText('No access points').waitFor()
  })

  it('is explained to a person who signs in too early', async () => {
    const username = newName()
    const page = await env.page()
    await signUpAndOpenLink(page, username)
    await page.goto(`${server.url}/sign-in`)
    await page.getByLabel('E-mail').fill(username)
    await page.getByRole('textbox', { name: 'Password' }).fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    const alert = page.getByRole('alert')
    await alert.waitFor()
    expect(await alert.textContent()).toBe(
      'This account is not confirmed. Open the link in the e-mail that you got, or sign up again for another one.',
    )
  })

  it('is confirmed by setting another password with the same code', async () => {
    const username = newName()
    const page = await env.page()
    await signUpAndOpenLink(page, username)
    await page.getByRole('link', { name: 'Set another one' }).click()
    await page.getByLabel('New password').fill('another-password')
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.getByText('Password set.').waitFor()
    await signIn(page, { username, password: 'another-password' })
  })

  it.each(variants)('has accessible pages: %s', async (scheme, viewport) => {
    const page = await env.page(scheme, viewport)
    await page.goto(`${server.url}/sign-up`)
    await page.getByLabel('E-mail').fill(newName())
    await page.getByRole('textbox', { name: 'Password' }).fill(password)
    await page.getByRole('button', { name: 'Sign up' }).click()
    await page.getByRole('heading', { name: 'Check your e-mail' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Enter code' }).click()
    await page.getByRole('heading', { name: 'Confirm your account' }).waitFor()
    await expectAccessible(page)
  })
})

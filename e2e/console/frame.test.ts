import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConsoleStage, consoleStage, expectAccessible, phone } from './stage.ts'

let stage: ConsoleStage

beforeAll(async () => {
  stage = await consoleStage()
})
afterAll(() => stage?.close())

describe('signing in', () => {
  it('leads back to where one was', async () => {
    const page = await stage.signedIn('/developers')
    await expect.poll(() => new URL(page.url()).pathname).toBe('/developers')
  })

  it('says what is wrong, and keeps what was typed', async () => {
    const page = await stage.page()
    await page.goto(stage.url)
    await page.getByLabel('E-mail').fill(stage.admin.username)
    await page.getByRole('textbox', { name: 'Password' }).fill('wrong-password')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').waitFor()
    expect(await page.getByLabel('E-mail').inputValue()).toBe(stage.admin.username)
  })

  it('does not lead anywhere else', async () => {
    const page = await stage.signedIn('/sign-in?to=//evil.test/')
    await expect.poll(() => page.url()).toBe(`${stage.url}/`)
  })
})

it('signs up, out and in again, all with the keyboard', async () => {
  const page = await stage.page()
  await page.goto(`${stage.url}/sign-up`)
  await page.getByLabel('E-mail').focus()
  await page.keyboard.type('new@manc.test')
  await page.keyboard.press('Tab')
  await page.keyboard.type('a-new-password')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Your account' }).waitFor()
  expect(await page.getByRole('link', { name: 'Administration' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Your account' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
})

it('jumps to an access point with Ctrl-K', async () => {
  const page = await stage.signedIn('/')
  const [first] = await Array.fromAsync(stage.manc.fleet.agents({ technology: ['LiFi'] }))
  await page.keyboard.press('Control+K')
  await page.keyboard.type(first?.ap_id ?? '')
  await page.getByRole('dialog').getByText(first?.ap_id ?? '').waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect.poll(() => new URL(page.url()).pathname).toBe(`/access-points/${first?.ap_id}`)
})

it('asks for the password when the session ends, over the page as it is', async () => {
  const username = 'ends@manc.test'
  await stage.manc.users.create({ username, password: 'a-new-password', roles: ['user'] })
  const page = await stage.signedIn('/', { as: { username, password: 'a-new-password' } })
  await page.getByText('access points').first().waitFor()
  await page.reload()
  await page.getByText('access points').first().waitFor()
  await stage.manc.users.update(username, { password: 'another-password' })
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
  await dialog.waitFor()
  await dialog.getByRole('textbox', { name: 'Password' }).fill('another-password')
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByText('access points').first().waitFor()
})

describe.each(['light', 'dark'] as const)('%s', (scheme) => {
  it.each(['/sign-in', '/sign-up', '/recover', '/reset'])('%s is accessible', async (path) => {
    const page = await stage.page(scheme)
    await page.goto(stage.url + path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await expectAccessible(page)
  })

  it('the network is accessible, on a desk and on a phone', async () => {
    for (const viewport of [undefined, phone]) {
      const page = await stage.signedIn('/', { scheme, ...(viewport && { viewport }) })
      await page.getByRole('heading', { name: 'Network' }).waitFor()
      await expectAccessible(page)
      await page.context().close()
    }
  })
})

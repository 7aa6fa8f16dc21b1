import { uniqueName } from '@manc/harness'
import { Manc } from '@manc/sdk'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { expectAccessible, useConsole, variants } from './environment.ts'

const env = useConsole()

const spec = (count: number) => ({
  access_point_type: 'WiFi',
  num_access_points: count,
  locations: ['51.4585,-2.6030'],
  num_devices: 3,
  duration: 600,
})

/** Another user, with an emulation. */
async function emulateAsAnother(count: number): Promise<{ username: string; jobNumber: string }> {
  const account = { username: `${uniqueName('another')}@manc.test`, password: 'another-password' }
  await env.manc.users.create({ ...account, roles: [] })
  const another = new Manc({ url: env.url, credentials: account })
  const { jobNumber } = await another.emulator.spinUp([spec(count)])
  return { username: account.username, jobNumber }
}

/** The page counts as many as the controller. Emulations of other tests may end meanwhile. */
async function expectTotal(page: Page, filter: { emulated?: 'all' } = {}): Promise<void> {
  const shown = async () => {
    const { total } = await env.manc.fleet.summary(filter)
    return page.getByText(`of ${total}`, { exact: true }).count()
  }
  await expect.poll(shown).toBeGreaterThan(0)
}

it('emulated access points of others are hidden, and shown on request', async () => {
  const { jobNumber } = await emulateAsAnother(3)
  const totalOf = async (filter: { emulated?: 'all' } = {}) => (await env.manc.fleet.summary(filter)).total
  const others = async () => (await totalOf({ emulated: 'all' })) - (await totalOf())
  await expect.poll(others).toBeGreaterThanOrEqual(3)
  const page = await env.signedIn('/')
  const hint = page.getByText(/\d+ emulated access points of other users are hidden/)
  await hint.waitFor()
  await expectTotal(page)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await expectTotal(page, { emulated: 'all' })
  await hint.waitFor({ state: 'hidden' })
  expect(page.url()).toContain('emulated=all')
  await env.manc.emulations.stop(jobNumber)
})

it('a bulk command leaves out emulated access points of others, and includes them on request', async () => {
  const { jobNumber } = await emulateAsAnother(3)
  const page = await env.signedIn('/jobs#send')
  const count = async (filter: { emulated?: 'all' } = {}) =>
    (await Array.fromAsync(env.manc.fleet.agents({ technology: ['WiFi'], ...filter }))).length
  /** The number of recipients is that of the controller. */
  const expectRecipients = async (filter: { emulated?: 'all' } = {}) => {
    const shown = async () =>
      page.getByRole('button', { name: `Send to ${await count(filter)} access points`, exact: true }).count()
    await expect.poll(shown).toBe(1)
  }
  await page.getByPlaceholder('set_power 20').fill('set_power 20')
  await page
    .locator('form label')
    .filter({ hasText: /^WiFi$/ })
    .click()
  await expectRecipients()
  await page.getByText(/\d+ emulated access points of other users are not included/).waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Include', exact: true }).click()
  await expectRecipients({ emulated: 'all' })
  expect(await count({ emulated: 'all' })).toBeGreaterThanOrEqual((await count()) + 3)
  const sent = page.waitForRequest('**/api/v1/commands')
  await page.getByRole('button', { name: /^Send to \d+ access points$/ }).click()
  expect((await sent).postDataJSON()).toMatchObject({ technology: 'WiFi', emulated: 'all' })
  await env.manc.emulations.stop(jobNumber)
})

it('an administrator stops the emulation of another user', async () => {
  const { username, jobNumber } = await emulateAsAnother(2)
  const page = await env.signedIn('/emulate')
  const others = page.getByRole('region', { name: 'Emulations of others' })
  await others.getByText(username).waitFor()
  await expectAccessible(page)
  await others
    .locator('.mantine-Paper-root')
    .filter({ hasText: username })
    .getByRole('button', { name: 'Stop emulation' })
    .click()
  const dialog = page.getByRole('dialog', { name: `Stop the emulation of ${username}?` })
  await dialog.getByRole('button', { name: 'Stop emulation' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await others.getByText(username).waitFor({ state: 'hidden', timeout: 60_000 })
  const left = await Array.fromAsync(env.manc.emulations.list())
  expect(left.map(({ job_number: number }) => number)).not.toContain(jobNumber)
})

it.each(variants)('a user stops an own emulation, in %s', async (scheme, viewport) => {
  const { jobNumber } = await env.manc.emulator.spinUp([spec(2)])
  const page = await env.signedIn('/emulate', { scheme, viewport })
  const card = page
    .getByRole('region', { name: /^Emulation / })
    .filter({ has: page.locator(`a[href$="${jobNumber}"]`) })
  await card.getByRole('button', { name: 'Stop emulation' }).click()
  const dialog = page.getByRole('dialog', { name: 'Stop the emulation of 2 WiFi?' })
  await dialog.waitFor()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Stop emulation' }).click()
  await card.getByText(/stopped \d+ s ago/).waitFor({ timeout: 90_000 })
  expect(await env.manc.jobs.get(jobNumber)).toMatchObject({ state: 'succeeded' })
})

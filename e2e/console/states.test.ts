import { expect, it } from 'vitest'
import { expectAccessible, phone, useConsole, variants } from './environment.ts'

const env = useConsole()

it.each(['/administration/audit', '/administration/enrolment', '/alarms/notifications'])(
  'on a phone the selected tab of %s is in view',
  async (path) => {
    const page = await env.signedIn(path, { viewport: phone })
    const selected = page.locator('.section-tab[data-status="active"]')
    await selected.waitFor()
    await expect
      .poll(async () => {
        const box = await selected.boundingBox()
        return box !== null && box.x >= 0 && box.x + box.width <= phone.width
      })
      .toBe(true)
  },
)

it.each(variants)(
  'a lost connection is shown in the header until the controller answers, %s',
  async (scheme, viewport) => {
    const page = await env.signedIn('/alarms', { scheme, viewport })
    const status = page.getByRole('status').filter({ hasText: 'It updates automatically.' })
    await page
      .getByRole('list', { name: /^Alarms/ })
      .or(page.getByText('No open alarms'))
      .first()
      .waitFor()
    expect(await status.count()).toBe(0)
    await page.context().setOffline(true)
    await status.waitFor({ timeout: 90_000 })
    await expectAccessible(page)
    await page.context().setOffline(false)
    await expect.poll(() => status.count(), { timeout: 90_000 }).toBe(0)
  },
)

it('a page that cannot be read says that there is no connection, and is read on request', async () => {
  const page = await env.signedIn('/developers')
  const rules = '**/api/v1/alarm_rules*'
  await page.route(rules, (route) => route.abort())
  await page.goto(`${env.url}/alarms/rules`)
  await page.getByRole('alert').getByText('No connection to the controller').waitFor({ timeout: 90_000 })
  await expectAccessible(page)
  await page.unroute(rules)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('alert').waitFor({ state: 'hidden' })
})

import type { Alarm } from '@manc/sdk'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { emulatedAccessPoint, loadRule, raiseAlarms } from './access-points.ts'
import { type ConsoleEnvironment, consoleEnvironment, expectAccessibleEverywhere } from './environment.ts'

let env: ConsoleEnvironment
let page: Page
let alarm: Alarm | undefined

beforeAll(async () => {
  env = await consoleEnvironment()
  const rule = await loadRule(env)
  await raiseAlarms(env, rule, [await emulatedAccessPoint(env, '5G')])
  ;[alarm] = await Array.fromAsync(env.manc.alarms.list({ rule: rule.id }))
  page = await env.signedIn(`/alarms/${alarm?.id}`)
})
afterAll(() => env?.close())

const dialog = () => page.getByRole('dialog')
const rows = () => page.getByRole('list', { name: 'Silences, newest first' }).getByRole('listitem')

it('an alarm is silenced for its access point, and shown as silenced', async () => {
  await page.getByRole('button', { name: 'Silence' }).click()
  await dialog()
    .getByRole('radio', { name: /^This access point/ })
    .check()
  await dialog().getByText('4 h', { exact: true }).click()
  await dialog().getByLabel('Reason').fill('New antenna')
  await dialog().getByRole('button', { name: 'Silence', exact: true }).click()
  await page.getByText(/^silenced until \d\d:\d\d|^silenced until \d{4}-/).waitFor()
  const silences = await Array.fromAsync(env.manc.alarms.silences({ state: ['active'] }))
  const made = silences.find(({ comment }) => comment === 'New antenna')
  expect(made).toMatchObject({ ap_ids: [alarm?.ap_id], rule_ids: [], technologies: [] })
  const lengthMs = Date.parse(made?.ends_at ?? '') - Date.parse(made?.starts_at ?? '')
  expect(Math.round(lengthMs / 60_000)).toBe(240)
})

it('the list of alarms has silenced ones, and can show them only or leave them out', async () => {
  const found = page.getByRole('list', { name: 'Alarms, newest first' }).getByRole('listitem')
  // Counts are those of all open alarms, so that a list of one rule has none.
  await page.goto(`${env.url}/alarms`)
  await page
    .getByRole('group', { name: 'Severity' })
    .getByRole('button', { name: /silenced\)$/ })
    .first()
    .waitFor()
  await page.goto(`${env.url}/alarms?rule=${alarm?.rule_id}`)
  await found.getByText(/^silenced until/).waitFor()
  await page.getByRole('combobox', { name: 'Silenced' }).click()
  await page.getByRole('option', { name: 'Not silenced' }).click()
  await page.getByText('No alarm matches all filters.').waitFor()
  expect(new URL(page.url()).searchParams.get('silenced')).toBe('no')
  await page.goto(`${env.url}/alarms?rule=${alarm?.rule_id}&silenced=yes`)
  await found.getByText(/^silenced until/).waitFor()
})

it('a time that cannot be read is refused, and a silence of all alarms says so', async () => {
  await page.goto(`${env.url}/alarms/silences`)
  await page.getByRole('button', { name: 'Silence alarms' }).click()
  const warning = dialog().getByText('All alarms of all access points are silenced.')
  await warning.waitFor()
  await dialog().getByLabel('Reason').fill('Wrong time')
  await dialog().getByText('Custom', { exact: true }).click()
  await dialog()
    .getByLabel(/^Start, empty: now/)
    .fill('18.11.2026')
  await dialog().getByRole('button', { name: 'Silence', exact: true }).click()
  await dialog().getByText('Enter YYYY-MM-DD hh:mm:ss.').waitFor()
  await dialog().getByLabel('LiFi').check()
  await warning.waitFor({ state: 'hidden' })
  await dialog().getByRole('button', { name: 'Cancel' }).click()
  await dialog().waitFor({ state: 'hidden' })
  const silences = await Array.fromAsync(env.manc.alarms.silences())
  expect(silences.filter(({ comment }) => comment === 'Wrong time')).toEqual([])
})

it('silences are listed, and can be ended', async () => {
  await page.goto(`${env.url}/alarms/silences`)
  const silence = rows().filter({ hasText: 'New antenna' })
  await silence.getByText('active', { exact: true }).waitFor()
  await silence.getByRole('button', { name: 'End' }).click()
  await dialog().getByRole('button', { name: 'End silence' }).click()
  await expect.poll(() => silence.count()).toBe(0)
  await page.getByText('Ended', { exact: true }).click()
  await expect.poll(() => new URL(page.url()).searchParams.get('state')).toBe('ended')
  await silence.getByText('ended', { exact: true }).waitFor()
})

it('a maintenance window is added with its days, and errors of the controller are at their fields', async () => {
  await page.goto(`${env.url}/alarms/silences`)
  await page.getByRole('button', { name: 'Add maintenance window' }).click()
  await dialog().getByLabel('Reason').fill('Lamps are cleaned')
  await dialog().getByRole('button', { name: 'Add window' }).click()
  await dialog().getByText('Select at least one day.').waitFor()
  await dialog().getByLabel('Sat').check()
  await dialog().getByLabel('Start').fill('03:30')
  await dialog().getByLabel('Time zone').fill('Mars/Base')
  await dialog().getByLabel('LiFi').check()
  await dialog().getByRole('button', { name: 'Add window' }).click()
  await dialog().getByText('Correct the marked fields.').waitFor()
  await dialog().getByLabel('Time zone').fill('Europe/Berlin')
  await dialog().getByRole('button', { name: 'Add window' }).click()
  await rows()
    .filter({ hasText: 'Lamps are cleaned' })
    .getByText('Sat at 03:30 for 2 h (Europe/Berlin)')
    .waitFor()
})

it('the page and its forms are accessible', async () => {
  await expectAccessibleEverywhere(page, async () => {
    await page.goto(`${env.url}/alarms/silences`)
    await rows().first().waitFor()
  })
  for (const button of ['Silence alarms', 'Add maintenance window'])
    await expectAccessibleEverywhere(page, async () => {
      await page.goto(`${env.url}/alarms/silences`)
      await page.getByRole('button', { name: button }).click()
      await dialog().getByLabel('Reason').waitFor()
    })
})

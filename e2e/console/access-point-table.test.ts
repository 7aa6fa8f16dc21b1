import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { downloadOf } from '../browser.ts'
import {
  type ConsoleEnvironment,
  consoleEnvironment,
  desktop,
  expectAccessibleEverywhere,
  phone,
} from './environment.ts'

let env: ConsoleEnvironment
let page: Page
/** In the ids of the emulation that all suites share. */
let job: string
const soon = { timeout: 45_000 }

beforeAll(async () => {
  env = await consoleEnvironment()
  const emulations = await Array.fromAsync(env.manc.emulations.list())
  job = emulations.find(({ agents }) => agents === 24)?.job_number.slice(0, 8) ?? ''
  page = await env.signedIn('/access-points')
})
afterAll(() => env?.close())

const grid = () => page.getByRole('grid', { name: 'Access points' })
/** Without those that are not read yet. */
const rows = () => grid().locator('[role=row][data-index]:not([data-waiting])')
const header = (name: string) => grid().getByRole('columnheader', { name })
const search = () => new URL(page.url()).searchParams
const total = () => page.getByText(/^[\d,]+ access points?$/)

/** Runs in the page: the texts of one column, in the order of the rows. */
const textsAt = (column: number) => `
  Array.from(document.querySelectorAll('[role=row][data-index]:not([data-waiting])'))
    .toSorted((a, b) => a.dataset.index - b.dataset.index)
    .map((row) => row.querySelectorAll('[role=gridcell]')[${column}]?.textContent ?? '')
`

async function cellsOf(column: string): Promise<string[]> {
  const names = await grid().getByRole('columnheader').allInnerTexts()
  return page.evaluate<string[]>(textsAt(names.findIndex((name) => name.startsWith(column))))
}

async function open(path = '/access-points'): Promise<void> {
  await page.goto(`${env.url}${path}`)
  await rows().first().waitFor()
}

describe('the table of access points', () => {
  it('has a name beside each id, with current metrics', async () => {
    const apId = `named-${randomUUID().slice(0, 8)}`
    const configuration = {
      technology: 'WiFi',
      name: 'Foyer',
      software_version: '1.2.3',
      place: 'North wing',
    }
    await env.manc.agents.register({ ap_id: apId, password: 'a-password', configuration })
    await open(`/access-points?q=${apId}`)
    expect(await cellsOf('Name')).toEqual([`Foyer${apId}`])
    expect([await cellsOf('Version'), await cellsOf('Place')]).toEqual([['1.2.3'], ['North wing']])
    await env.manc.agents.remove(apId)
    await open(`/access-points?q=wifi-${job}`)
    await expect.poll(async () => (await cellsOf('Load')).some((text) => /^\d/.test(text)), soon).toBe(true)
    expect(await cellsOf('Version')).toContainEqual(expect.stringMatching(/^\d+\.\d+/))
  })

  it('is sorted by a click on a header, in the address', async () => {
    await open(`/access-points?q=-${job}-`)
    await header('Load').getByRole('button').click()
    await expect.poll(() => search().get('sort')).toBe('load_pct')
    await expect.poll(() => header('Load').getAttribute('aria-sort')).toBe('descending')
    const loads = async () => (await cellsOf('Load')).filter((text) => /^\d/.test(text)).map(Number)
    await expect
      .poll(async () => {
        const values = await loads()
        return values.length > 3 && values.every((value, n) => n === 0 || value <= (values[n - 1] ?? 0))
      }, soon)
      .toBe(true)
    await header('Load').getByRole('button').click()
    await expect.poll(() => search().get('order')).toBe('asc')
    await page.reload()
    await expect.poll(() => header('Load').getAttribute('aria-sort')).toBe('ascending')
  })

  it('is filtered by the server, in the address', async () => {
    await open()
    await page.getByLabel('Search access points').fill(`lifi-${job}`)
    await expect.poll(() => search().get('q')).toBe(`lifi-${job}`)
    await expect.poll(() => total().textContent(), soon).toBe('8 access points')
    await page.getByRole('combobox', { name: 'Technology' }).click()
    await page.getByRole('option', { name: '5G' }).click()
    await page.keyboard.press('Escape')
    await page.getByText('No access point matches all filters.').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await rows().first().waitFor()
    expect([...search().keys()]).toEqual([])
  })

  it('shows the chosen columns in their order, and rows of the chosen density', async () => {
    await open('/access-points?columns=name,clients')
    expect(await grid().getByRole('columnheader').allInnerTexts()).toEqual(['', 'Name', 'Clients', ''])
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByLabel('Power').check()
    await page.getByRole('button', { name: 'Move Clients left' }).click()
    await page.keyboard.press('Escape')
    await expect.poll(() => search().get('columns')).toBe('clients,name,power_w')
    const before = (await rows().first().boundingBox())?.height ?? 0
    await page.getByRole('button', { name: 'Comfortable rows' }).click()
    await expect.poll(async () => (await rows().first().boundingBox())?.height ?? 0).toBeGreaterThan(before)
  })

  it('is used with the keyboard alone', async () => {
    await open(`/access-points?q=wifi-${job}&sort=ap_id`)
    const focused = () => page.evaluate<string>('document.activeElement.dataset.index ?? ""')
    await rows().first().focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await expect.poll(focused).toBe('2')
    await page.keyboard.press('Space')
    await page.getByText('1 selected').waitFor()
    await page.keyboard.press('End')
    await expect.poll(focused).toBe('7')
    await page.keyboard.press('PageUp')
    await expect.poll(async () => Number(await focused())).toBeLessThan(6)
    await page.keyboard.press('Home')
    await expect.poll(focused).toBe('0')
    await page.keyboard.press('Control+a')
    await page.getByText('8 selected').waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/access-points\/emu-wifi-/)
  })

  it('gives the selection to a command, a comparison, a silence and a file', async () => {
    const url = `/access-points?q=wifi-${job}&sort=ap_id&columns=name,clients`
    const select = async () => {
      await open(url)
      await rows().nth(0).getByRole('checkbox').click()
      await rows()
        .nth(2)
        .getByRole('checkbox')
        .click({ modifiers: ['Shift'] })
      await page.getByText('3 selected').waitFor()
    }
    await select()
    const ids = (await cellsOf('Name')).slice(0, 3).map((text) => /emu-.*$/.exec(text)?.[0] ?? '')
    const csv = String(await downloadOf(page, page.getByRole('button', { name: 'Export CSV' })))
    const lines = csv.trim().split('\r\n')
    expect(lines[0]).toBe('ap_id,name,clients')
    expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual(ids)
    await page.getByRole('button', { name: 'Send command' }).click()
    await page.waitForURL(/\/jobs/)
    expect(await page.getByRole('textbox', { name: 'IDs' }).inputValue()).toBe(ids.join(', '))
    await select()
    await page.getByRole('button', { name: 'Silence' }).click()
    await page.getByRole('dialog').getByText('Silence 3 access points').waitFor()
    await page
      .getByRole('dialog')
      .getByText(ids[2] ?? '')
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Compare' }).click()
    await page.waitForURL(/\/compare/)
    expect(search().get('agents')?.split(',').length).toBe(3)
    await open(`/access-points?q=-${job}-`)
    await rows().first().getByRole('checkbox').click()
    await page.getByRole('button', { name: 'Select all 24' }).click()
    await page.getByText('24 selected').waitFor()
    await page.getByRole('button', { name: 'Compare' }).click()
    await page.getByRole('button', { name: /^24 access points/ }).waitFor()
  })

  it('is saved as a view that others open by its link', async () => {
    const name = `Busy ${randomUUID().slice(0, 8)}`
    await open(`/access-points?q=5g-${job}&sort=load_pct&columns=name,load_pct`)
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('menuitem', { name: 'Save as new view' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill(name)
    await page.getByRole('dialog').getByLabel('Share with all users').check()
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name, exact: true }).waitFor()
    const view = search().get('view')
    const user = { username: `viewer-${randomUUID().slice(0, 8)}@manc.test`, password: 'a-password' }
    await env.manc.users.create({ ...user, roles: [] })
    const other = await env.signedIn(`/access-points?view=${view}&emulated=own`, { as: user })
    await other.getByRole('button', { name, exact: true }).waitFor()
    await expect.poll(() => new URL(other.url()).searchParams.get('sort')).toBe('load_pct')
    await other.context().close()
    // A change of the table is not saved with another name.
    await header('Load').getByRole('button').click()
    await page.getByRole('button', { name: `${name} (changed)` }).click()
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    const renamed = `Not ${name}`
    await page.getByRole('dialog').getByLabel('Name').fill(renamed)
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click()
    await page.getByRole('button', { name: `${renamed} (changed)` }).click()
    await page.getByRole('menuitem', { name: 'Stop sharing' }).click()
    await page.getByText(`Only you can see ${renamed}.`).waitFor()
    expect(await env.manc.views.get(view ?? '')).toMatchObject({
      name: renamed,
      shared: false,
      sort: 'load_pct',
      order: 'desc',
    })
    await page.getByRole('button', { name: `${renamed} (changed)` }).click()
    await page.getByRole('menuitem', { name: 'Delete view' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete view' }).click()
    await page.getByText(`View ${renamed} deleted.`).waitFor()
    await open(`/access-points?view=${view}`)
    await page.getByText('The view of this link was deleted').waitFor()
    await page.getByRole('button', { name: 'Continue without it' }).click()
    await expect.poll(() => search().get('view')).toBeNull()
    await env.manc.users.remove(user.username)
  })

  it('replaces the list of the administration', async () => {
    await page.goto(`${env.url}/administration/agents`)
    await page.waitForURL(/\/access-points$/)
    await page.getByRole('button', { name: 'Register access point' }).waitFor()
  })

  it('says what failed, and reads again', async () => {
    await page.route('**/api/v1/fleet/table**', (route) =>
      route.fulfill({ status: 403, body: '{"detail":"no"}' }),
    )
    await page.goto(`${env.url}/access-points`)
    await page.getByText('Request failed').waitFor()
    await page.unroute('**/api/v1/fleet/table**')
    await page.getByRole('button', { name: 'Try again' }).click()
    await rows().first().waitFor()
  })

  it('is accessible in light and dark, on a desktop and a phone, also with a selection', async () => {
    await expectAccessibleEverywhere(page, async () => {
      await open(`/access-points?q=-${job}-`)
      await rows().first().getByRole('checkbox').click()
      await page.getByText('1 selected').waitFor()
    })
  })

  it('is a list of cards on a phone', async () => {
    await page.setViewportSize(phone)
    await open(`/access-points?q=wifi-${job}`)
    expect(await grid().getByRole('columnheader').count()).toBe(0)
    await page.getByRole('combobox', { name: 'Sort by' }).click()
    await page.getByRole('option', { name: 'Clients' }).click()
    await expect.poll(() => search().get('sort')).toBe('clients')
    await rows()
      .first()
      .getByText(/Clients \d/)
      .waitFor()
    await page.setViewportSize(desktop)
  })
})

import { setTimeout as sleep } from 'node:timers/promises'
import { uniqueName } from '@manc/harness'
import { type Client, JobFailed } from '@manc/sdk'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type ConsoleEnvironment,
  consoleEnvironment,
  desktop,
  expectAccessibleEverywhere,
  phone,
} from './environment.ts'

let env: ConsoleEnvironment
/** Shared by all tests of this file. */
let page: Page
const soon = { timeout: 90_000 }

beforeAll(async () => {
  env = await consoleEnvironment()
  await untilAttached(20)
  page = await env.signedIn('/clients')
})
afterAll(() => env?.close())

/** Clients of the emulation that all suites share. */
const attached = (): Promise<Client[]> => Array.fromAsync(env.manc.clients.list())

/** The clients of a new emulation attach one after the other. */
async function untilAttached(count: number): Promise<void> {
  const signal = AbortSignal.timeout(240_000)
  while ((await attached()).length < count) await sleep(250, undefined, { signal })
}

const grid = () => page.getByRole('grid', { name: 'Clients' })
const rows = () => grid().locator('[role=row][data-index]')
const header = (name: string) => grid().getByRole('columnheader', { name })
const search = () => new URL(page.url()).searchParams

async function open(path = '/clients'): Promise<void> {
  await page.goto(`${env.url}${path}`)
  await rows().first().waitFor()
}

/** Runs in the page: the texts of one column, in the order of the rows. */
const textsAt = (column: number) => `
  Array.from(document.querySelectorAll('[role=row][data-index]'))
    .toSorted((a, b) => a.dataset.index - b.dataset.index)
    .map((row) => row.querySelectorAll('[role=gridcell]')[${column}]?.textContent ?? '')
`
const idsShown = () => page.evaluate<string[]>(textsAt(0))

describe('the table of clients', () => {
  it('has the access point, the technology and the link of each client', async () => {
    await open()
    const ids = await idsShown()
    expect(ids.every((id) => /^c[\da-f]{20}$/.test(id))).toBe(true)
    expect(ids).toEqual(ids.toSorted())
    const text = await rows().first().innerText()
    expect(text).toMatch(/emu-(5g|wifi|lifi)-/)
    expect(text).toMatch(/dBm|dB SNR/)
    expect(text).toContain('attached')
    await page.getByText(/^(The first )?[\d,]+ clients$/).waitFor()
  })

  it('is sorted and filtered in the address', async () => {
    await open()
    await header('Since').getByRole('button').click()
    await expect.poll(() => search().get('sort')).toBe('since')
    await expect.poll(() => header('Since').getAttribute('aria-sort')).toBe('descending')
    await page.getByRole('combobox', { name: 'Technology' }).click()
    await page.getByRole('option', { name: 'LiFi' }).click()
    await page.keyboard.press('Escape')
    await expect.poll(() => search().get('technology')).toBe('LiFi')
    await expect
      .poll(async () => (await page.evaluate<string[]>(textsAt(1))).every((text) => text.includes('lifi')))
      .toBe(true)
    await page.getByLabel('Search clients').fill('no-such-client')
    await page.getByText('No client matches all filters.').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await rows().first().waitFor()
    expect([...search().keys()]).toEqual(['sort'])
  })

  it('is filtered by the start of an id and by an access point', async () => {
    const clients = await attached()
    // Of the one with the most clients: one of them may move to another at any time.
    const counts = Map.groupBy(clients, ({ ap_id: apId }) => apId)
    const [[apId, [client]] = ['', []]] = [...counts].toSorted(([, a], [, b]) => b.length - a.length)
    const id = client?.id ?? ''
    await open(`/clients?q=${id.slice(0, 12)}`)
    await expect.poll(idsShown).toEqual([id])
    await open()
    await page.getByRole('combobox', { name: 'Access point' }).click()
    await page.keyboard.type(apId)
    await page.getByRole('option', { name: apId }).first().click()
    await expect.poll(() => search().get('ap')).toBe(apId)
    await expect
      .poll(async () => {
        const cells = await page.evaluate<string[]>(textsAt(1))
        return cells.length > 0 && cells.every((text) => text.endsWith(apId))
      })
      .toBe(true)
  })

  it('shows clients that are not attached, with the reason', async () => {
    await page.goto(`${env.url}/clients`)
    await page.getByText('Not attached', { exact: true }).click()
    await expect.poll(() => search().get('state')).toBe('detached')
    const gone = rows().filter({ hasText: /left|moved|connection lost|no longer listed|access point/ })
    await gone.first().or(page.getByText('No client matches all filters.')).waitFor()
  })

  it('is used with the keyboard alone', async () => {
    await open()
    const focused = () => page.evaluate<string>('document.activeElement.dataset.index ?? ""')
    await rows().first().focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await expect.poll(focused).toBe('2')
    await page.keyboard.press('End')
    await expect.poll(async () => Number(await focused())).toBeGreaterThan(2)
    await page.keyboard.press('Home')
    await expect.poll(focused).toBe('0')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/clients\/c[\da-f]{20}/)
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
    await page.getByRole('heading', { level: 1, name: id }).waitFor()
  })

  it('has rows of the chosen density, and cards on a phone', async () => {
    await open()
    const heightOf = async () => (await rows().first().boundingBox())?.height ?? 0
    const before = await heightOf()
    await page.getByRole('button', { name: 'Comfortable rows' }).click()
    await expect.poll(heightOf).toBeGreaterThan(before)
    await page.setViewportSize(phone)
    await expect.poll(() => grid().getByRole('columnheader').count()).toBe(0)
    await page.getByRole('combobox', { name: 'Sort by' }).click()
    await page.getByRole('option', { name: 'Newest first' }).click()
    await expect.poll(() => search().get('sort')).toBe('since')
    await page.setViewportSize(desktop)
  })

  it('says what failed, and reads again', async () => {
    const clients = '**/api/v1/clients?**'
    await page.route(clients, (route) => route.fulfill({ status: 403, json: { detail: 'Not now.' } }))
    await page.goto(`${env.url}/clients`)
    await page.getByText('Request failed').waitFor()
    await page.unroute(clients)
    await page.getByRole('button', { name: 'Try again' }).click()
    await rows().first().waitFor()
  })

  it('says why it is empty, and shows clients of the emulations of others on request', async () => {
    const user = { username: `${uniqueName('reader')}@manc.test`, password: 'a-password' }
    await env.manc.users.create({ ...user, roles: [] })
    const other = await env.signedIn('/clients', { as: user })
    await other.getByText('Clients appear here when agents report them.').waitFor()
    await other.getByRole('button', { name: 'Show', exact: true }).click()
    await other.getByRole('grid', { name: 'Clients' }).getByRole('link').first().click()
    // Users read clients, but do not move them.
    await other.getByRole('region', { name: 'Attached to' }).waitFor()
    expect(await other.getByRole('region', { name: 'Move to another access point' }).count()).toBe(0)
    await other.context().close()
    await env.manc.users.remove(user.username)
  })

  it('is accessible', async () => {
    await expectAccessibleEverywhere(page, () => open())
  })
})

describe('the page of a client', () => {
  let moved: { id: string; from: string; to: string }

  beforeAll(async () => {
    moved = await moveOne()
  })

  /** Asks clients to move until one does. */
  async function moveOne(): Promise<typeof moved> {
    const clients = await attached()
    const accessPoints = [...new Set(clients.map(({ ap_id: apId }) => apId))]
    for (const { id, ap_id: from } of clients)
      for (const to of accessPoints.filter((apId) => apId !== from))
        if (await hasMoved(id, from, to)) return { id, from, to }
    throw new Error('No client has moved.')
  }

  async function hasMoved(id: string, from: string, to: string): Promise<boolean> {
    const job = await env.manc.commands.send(from, `steer_client ${id} ${to}`)
    try {
      const { result } = await job.done()
      return (result as { moved?: boolean } | undefined)?.moved === true
    } catch (error) {
      // It had left the access point before.
      if (error instanceof JobFailed) return false
      throw error
    }
  }

  const path = (more = '') => `${env.url}/clients/${moved.id}${more}`
  const section = (name: string) => page.getByRole('region', { name, exact: true })
  const timeline = () => page.getByRole('img', { name: /^\d+ attachments?, \d+ handovers?/ })
  const attachments = () => page.getByRole('table', { name: 'Attachments, newest first' })

  it('shows its path as a timeline and as a table', async () => {
    await page.goto(path())
    await page.getByRole('heading', { level: 1, name: moved.id }).waitFor()
    await timeline().waitFor()
    const row = attachments().getByRole('row').filter({ hasText: moved.from }).filter({ hasText: 'moved' })
    await row.first().waitFor(soon)
    // The attachment that ended, and the one that it moved to.
    await expect.poll(() => timeline().locator('rect').count(), soon).toBeGreaterThanOrEqual(2)
    expect(await timeline().locator('rect title').allTextContents()).toContainEqual(
      expect.stringMatching(/\(.+\), .+ to .+, moved$/),
    )
    await page.getByText('Access points', { exact: true }).last().click()
    await expect.poll(() => search().get('lanes')).toBe('access-point')
    await timeline().waitFor()
  })

  it('shows what the client receives, and the access points that it hears', async () => {
    const hears = async () => {
      for await (const { id, measurement } of env.manc.clients.list({ measurements: true }))
        if (Object.keys(measurement?.heard ?? {}).length > 0) return id
      return undefined
    }
    const card = section('Measurement')
    const heard = card.getByRole('table', { name: 'Heard access points' }).getByRole('row')
    /** The number of rates, and the first access point that is heard. */
    const shown = async () => {
      const id = (await heard.count()) > 1 ? undefined : await hears()
      if (id !== undefined) {
        await page.goto(`${env.url}/clients/${id}`)
        await page.getByRole('heading', { level: 1, name: id }).waitFor()
      }
      return [await card.getByText(/[\d.]+ Mbit\/s/).count(), (await heard.allInnerTexts())[1]]
    }
    // Access points report measurements every 20 s. A client that moves has none until the next report.
    await expect.poll(shown, soon).toEqual([1, expect.stringMatching(/\s-?[\d.]+ (dBm|dB SNR)$/)])
  })

  it('shows the moves on a map', async () => {
    await page.goto(path())
    await section('Map').locator('.maplibregl-map[data-drawn]').waitFor({ timeout: 90_000 })
    await page.getByRole('application', { name: 'Map of the moves of the client' }).waitFor()
  })

  it('says what the client did when it is asked to move with the keyboard', async () => {
    await page.goto(path())
    const card = section('Move to another access point')
    const target = card.getByRole('combobox', { name: 'To access point' })
    const commands = card.getByRole('group', { name: /^Command steer_client / })
    const outcome = card.getByText(/^(Moved to .+ in \d|Refused with status [17])/)
    // A client that moves by itself at this moment is asked by the wrong access point.
    await expect
      .poll(
        async () => {
          const before = await commands.count()
          await target.focus()
          await page.getByRole('option').first().waitFor()
          await page.keyboard.press('ArrowDown')
          await page.keyboard.press('Enter')
          await card.getByRole('button', { name: 'Move' }).press('Enter')
          await commands.nth(before).waitFor()
          // The newest is the first.
          await commands
            .first()
            .getByLabel('In progress')
            .waitFor({ state: 'hidden', ...soon })
          return outcome.count()
        },
        { timeout: 120_000 },
      )
      .toBeGreaterThan(0)
  })

  it('keeps the time range in the address, and says when the client was not attached', async () => {
    await page.goto(path('?from=2026-01-05T10:00:00Z&to=2026-01-05T11:00:00Z'))
    await page.getByText(/^The client was not attached to any access point in 2026-01-05/).waitFor()
    await page.getByRole('button', { name: 'Go live' }).click()
    await timeline().waitFor()
  })

  it('says that a client is not known', async () => {
    await page.goto(`${env.url}/clients/c00000000000000000000`)
    await page.getByText('Client c00000000000000000000 not found').waitFor()
    await page.getByRole('link', { name: 'Go to clients' }).click()
    await rows().first().waitFor()
  })

  it('is linked from the events and the clients of its access point', async () => {
    const kind = ['handover', 'roamed', 'dropped'] as const
    const events = () => Array.fromAsync(env.manc.events.list({ kind: [...kind] }))
    await expect.poll(async () => (await events()).length, soon).toBeGreaterThan(0)
    const { ap_id: apId, subject } = (await events())[0] ?? {}
    await page.goto(`${env.url}/access-points/${apId}?tab=events`)
    await page
      .getByRole('link', { name: `Client ${subject}` })
      .first()
      .click()
    await page.waitForURL(new RegExp(`/clients/${subject}`))
    const [client] = await attached()
    await page.goto(`${env.url}/access-points/${client?.ap_id}?tab=clients`)
    const link = page.getByRole('table', { name: 'Attached clients' }).getByRole('link').first()
    // The list may change at any time.
    const id = await link.innerText()
    await page.getByRole('link', { name: id, exact: true }).click()
    await page.getByRole('heading', { level: 1, name: id }).waitFor()
  })

  it('is accessible, and so is the tab of the access point', async () => {
    await expectAccessibleEverywhere(page, async () => {
      await page.goto(path('?lanes=access-point'))
      await timeline().waitFor()
      await section('Map').locator('.maplibregl-map[data-drawn]').waitFor({ timeout: 90_000 })
    })
    await expectAccessibleEverywhere(page, async () => {
      const [client] = await attached()
      await page.goto(`${env.url}/access-points/${client?.ap_id}?tab=clients`)
      await page.getByRole('table', { name: 'Attached clients' }).waitFor()
    })
  })
})

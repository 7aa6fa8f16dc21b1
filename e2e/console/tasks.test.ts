import { randomUUID } from 'node:crypto'
import { Manc } from '@manc/sdk'
import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { type ConsoleEnvironment, consoleEnvironment } from './environment.ts'

let env: ConsoleEnvironment
let page: Page
/** The worst access point of the network. */
let apId: string
let commandsBefore: number

beforeAll(async () => {
  env = await consoleEnvironment()
})
afterAll(() => env?.close())
beforeEach(async () => {
  apId = await badAccessPoint()
  commandsBefore = await countCommands()
  page = await env.signedIn('/')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
})
// An open page keeps polling, which slows down the next one.
afterEach(async () => {
  await Promise.all(env.browser.contexts().map((context) => context.close()))
  await env.manc.agents.remove(apId)
})

/** A new access point with a high load for more than a minute. Its id is the first among those that are bad. */
async function badAccessPoint(): Promise<string> {
  const created = `00-bad-${randomUUID().slice(0, 8)}`
  await env.manc.agents.register({
    ap_id: created,
    password: 'a-password',
    configuration: { technology: 'WiFi', telemetry_interval_s: 3600 },
  })
  const credentials = { loginType: 'agent', username: created, password: 'a-password' } as const
  const agent = new Manc({ url: env.url, credentials })
  const send = (agoS: number) =>
    agent.agents.sendUpdate({ ts: Date.now() - agoS * 1000, payload: { load_pct: 99 } })
  const ofAgent = async () =>
    (await Array.fromAsync(env.manc.fleet.agents({ search: created }))).find(({ ap_id }) => ap_id === created)
  await send(80)
  await expect.poll(async () => (await ofAgent())?.state).toBe('online')
  for (const agoS of [70, 50, 30, 0]) await send(agoS)
  await expect.poll(async () => (await ofAgent())?.health).toBe('bad')
  return created
}

const rows = () => page.getByRole('list', { name: 'Access points' }).getByRole('listitem')
const dialog = () => page.getByRole('dialog')
const clipboard = () => page.evaluate<string>('navigator.clipboard.readText()')

const countCommands = async () =>
  (await Array.fromAsync(env.manc.jobs.list())).filter(({ kind }) => kind === 'send_command').length

/** The reboot was requested, all alarms are silenced for an hour, and the link shows the access point. */
async function expectTaskDone(link: string): Promise<void> {
  expect(await countCommands()).toBe(commandsBefore + 1)
  const silences = await Array.fromAsync(env.manc.alarms.silences({ state: ['active'] }))
  const silence = silences.find(({ ap_ids: apIds }) => apIds.includes(apId))
  const lengthMs = Date.parse(silence?.ends_at ?? '') - Date.parse(silence?.starts_at ?? '')
  expect(Math.round(lengthMs / 60_000)).toBe(60)
  const other = await env.signedIn(link.slice(env.url.length))
  await other.getByRole('heading', { level: 1, name: apId }).waitFor()
}

it('an operator finds the worst access point, reboots and silences it and shares the link with 8 clicks', async () => {
  let clicks = 0
  const click = async (target: Locator) => {
    clicks += 1
    await target.click()
  }
  await rows().first().getByText(apId).waitFor()
  await click(rows().first().getByRole('button'))
  await page.getByRole('heading', { level: 1, name: apId }).waitFor()
  // Why, and since when.
  await page.getByText(/^load 99 % for \d+ min$/).waitFor()
  await click(
    page
      .getByRole('combobox', { name: 'Command' })
      .or(page.getByRole('textbox', { name: 'Command' }))
      .first(),
  )
  await page.keyboard.type('reboot')
  await page.keyboard.press('Enter')
  await click(dialog().getByRole('button', { name: 'Send reboot' }))
  await page.getByRole('button', { name: 'Silence', exact: true }).waitFor()
  await dialog().waitFor({ state: 'hidden' })
  await click(page.getByRole('button', { name: 'Silence', exact: true }))
  await click(dialog().getByLabel('Reason'))
  await page.keyboard.type('Reboot')
  await click(dialog().getByRole('button', { name: 'Silence', exact: true }))
  await dialog().waitFor({ state: 'hidden' })
  await click(page.getByRole('button', { name: 'Copy link' }))
  await click(page.getByRole('menuitem', { name: /^Relative/ }))
  await expect.poll(clipboard).toContain(`/access-points/${apId}`)
  expect(clicks).toBeLessThanOrEqual(8)
  await expectTaskDone(await clipboard())
})

/** The accessible name of the element with the focus, as far as this test needs it. */
const focusedName = `(() => {
  const { activeElement } = document
  if (!activeElement.matches('a, button, input, textarea')) return ''
  const label = activeElement.labels?.[0]?.textContent
  return activeElement.ariaLabel ?? label ?? activeElement.textContent ?? ''
})()`

/** Presses Tab until an element with this name has the focus. */
async function tabTo(name: RegExp): Promise<void> {
  for (let pressed = 0; pressed < 250; pressed++) {
    if (name.test(await page.evaluate<string>(focusedName))) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not reach ${name.source}.`)
}

it('an operator does the same with the keyboard only', async () => {
  await rows().first().getByText(apId).waitFor()
  await tabTo(new RegExp(apId))
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: apId }).waitFor()
  await tabTo(/^Command$/)
  await page.keyboard.type('reboot')
  await page.keyboard.press('Enter')
  await dialog().waitFor()
  await tabTo(/^Send reboot$/)
  await page.keyboard.press('Enter')
  await dialog().waitFor({ state: 'hidden' })
  await tabTo(/^Silence$/)
  await page.keyboard.press('Enter')
  await dialog().waitFor()
  await tabTo(/^Reason/)
  await page.keyboard.type('Reboot')
  await tabTo(/^Silence$/)
  await page.keyboard.press('Enter')
  await dialog().waitFor({ state: 'hidden' })
  await tabTo(/^Copy link$/)
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: /^Relative/ }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect.poll(clipboard).toContain(`/access-points/${apId}`)
  await expectTaskDone(await clipboard())
})

/** Runs a copied query at the copied address, as a data source does: with the name and key of an application. */
async function runQuery(url: string, query: string): Promise<unknown> {
  const app = { app_name: `grafana-${randomUUID().slice(0, 8)}`, api_key: `key-${randomUUID()}` }
  const permissions = { scopes: ['metrics:read', 'history:read'], agents: ['*'] }
  await env.manc.apps.register({ ...app, permissions })
  const credentials = Buffer.from(`${app.app_name}:${app.api_key}`).toString('base64')
  const answer = await fetch(`${url}/api/v1/query?${new URLSearchParams({ query }).toString()}`, {
    headers: { authorization: `Basic ${credentials}` },
  })
  await env.manc.apps.remove(app.app_name)
  return answer.json()
}

const someValues = {
  status: 'success',
  data: { result: expect.arrayContaining([expect.objectContaining({ value: expect.any(Array) })]) },
}

it('a developer copies a working query for Grafana with 3 clicks', async () => {
  let clicks = 0
  const copied = async (button: Locator) => {
    clicks += 1
    const before = await clipboard()
    await button.click()
    await expect.poll(clipboard).not.toBe(before)
    return clipboard()
  }
  clicks += 1
  await page.getByRole('link', { name: 'Developers' }).click()
  const card = page.getByRole('region', { name: 'Grafana and Prometheus' })
  const url = await copied(card.getByRole('button', { name: 'Copy: Data source URL' }))
  const query = await copied(card.getByRole('button', { name: 'Copy: Throughput of each access point' }))
  expect(clicks).toBeLessThanOrEqual(3)
  expect(await runQuery(url, query)).toMatchObject(someValues)
})

it('all queries on the page work, and are reached with the keyboard', async () => {
  await tabTo(/^Developers$/)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Developers' }).waitFor()
  await tabTo(/^Copy: Data source URL$/)
  await page.keyboard.press('Enter')
  await expect.poll(clipboard).toMatch(/^http/)
  const url = await clipboard()
  for (const label of ['Throughput of each', 'The ten access points', 'Clients of all']) {
    const before = await clipboard()
    await tabTo(new RegExp(`^Copy: ${label}`))
    await page.keyboard.press('Enter')
    await expect.poll(clipboard).not.toBe(before)
    expect(await runQuery(url, await clipboard()), `query ${label}`).toMatchObject(someValues)
  }
})

import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { type Decision, Manc } from '@manc/sdk'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { emulatedAccessPoint } from './access-points.ts'
import { type ConsoleEnvironment, consoleEnvironment, expectAccessibleEverywhere } from './environment.ts'

const name = `advisor ${randomUUID().slice(0, 8)}`
let env: ConsoleEnvironment
let page: Page
let advisor: Manc
let apId: string

beforeAll(async () => {
  env = await consoleEnvironment()
  const permissions = { scopes: ['decisions:read', 'decisions:write'], sandbox: true }
  await env.manc.apps.register({ app_name: name, api_key: 'a-key', permissions })
  advisor = new Manc({
    url: env.url,
    credentials: { loginType: 'third_party_app', username: name, password: 'a-key' },
  })
  apId = await emulatedAccessPoint(env, 'WiFi')
  page = await env.signedIn(`/decisions?owner=${encodeURIComponent(name)}`)
})
afterAll(async () => {
  await env?.manc.apps.remove(name)
  await env?.close()
})

const propose = (policy: string, command = 'set_power 12') =>
  advisor.decisions.create({
    policy,
    mode: 'advise',
    reason: `${apId} is busier than its neighbours.`,
    observed: [{ ap_id: apId, kpi: 'load_pct', value: 71.5, at: new Date() }],
    expected: [
      { ap_id: apId, kpi: 'power_w', from: 9, to: 6 },
      { ap_id: apId, kpi: 'load_pct', from: 71.5, to: 50 },
    ],
    commands: [{ ap_id: apId, command }],
  })

const row = (policy: string) => page.getByRole('listitem').filter({ hasText: policy }).first()

/** Those of this suite, newest first, also of attempts that failed. */
const decided = (filter: { state?: Decision['state'][] } = {}): Promise<Decision[]> =>
  Array.fromAsync(env.manc.decisions.list({ owner: name, ...filter }))

it('a proposal is shown with its expected effect, confirmed with a click, and then measured', async () => {
  const { id } = await propose('save-power')
  await row('save-power').getByText('Waiting for confirmation').waitFor()
  await page.getByRole('link', { name: /Decisions \d+ waiting for confirmation/ }).waitFor()
  await row('save-power').getByText('71.5 %').first().waitFor()
  expect(await row('save-power').innerText()).toMatch(/Load[\s\S]*71.5 %[\s\S]*50 %/)
  await row('save-power').getByText('After its confirmation').first().waitFor()
  await row('save-power').getByRole('button', { name: 'Confirm save-power' }).click()
  await row('save-power').getByText(`Confirmed by ${env.admin.username}.`).waitFor()
  await row('save-power')
    .getByText(/: granted, /)
    .waitFor()
  const judgement = row('save-power').getByText(/better|worse|unchanged/)
  await judgement.first().waitFor({ timeout: 120_000 })
  const { measured } = await env.manc.decisions.get(id)
  expect(measured?.map(({ before, after }) => [typeof before, typeof after])).toEqual([
    ['number', 'number'],
    ['number', 'number'],
  ])
})

it('a proposal is rejected with the keyboard', async () => {
  const { id } = await propose('move-clients')
  const reject = row('move-clients').getByRole('button', { name: 'Reject move-clients' })
  await reject.waitFor()
  await reject.focus()
  await page.keyboard.press('Enter')
  await row('move-clients').getByText(`Rejected by ${env.admin.username}.`).waitFor()
  expect((await env.manc.decisions.get(id)).state).toBe('rejected')
})

it('the filter is in the address', async () => {
  await page.getByRole('combobox', { name: 'State' }).click()
  await page.getByRole('option', { name: 'Rejected', exact: true }).click()
  const { length } = await decided({ state: ['rejected'] })
  await page.getByText(new RegExp(`^${length} decisions?$`)).waitFor()
  expect(new URL(page.url()).searchParams.get('state')).toBe('rejected')
  await page.getByLabel('Access point').fill('unknown')
  await page.getByLabel('Access point').press('Enter')
  await page.getByText('No decision matches.', { exact: false }).waitFor()
  await page.goto(`${env.url}/decisions?owner=${encodeURIComponent(name)}`)
})

it('decisions are exported as CSV and as JSON lines', async () => {
  const saved = async (item: string) => {
    await page.getByRole('button', { name: 'Export' }).click()
    const download = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: item }).click()
    return readFile(await (await download).path(), 'utf8')
  }
  const csv = (await saved('Effects as CSV')).trimEnd().split('\r\n')
  const all = await decided()
  expect(csv[0]).toContain('measured_before,measured_after')
  expect(csv).toHaveLength(1 + all.flatMap(({ expected }) => expected).length)
  const lines = (await saved('Decisions as JSON lines')).trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line).id)).toEqual(all.map(({ id }) => id))
  expect(all.map(({ policy }) => policy)).toEqual(expect.arrayContaining(['move-clients', 'save-power']))
})

it('the events of the access point show the decisions and lead to them', async () => {
  await page.goto(`${env.url}/access-points/${apId}?tab=events`)
  await page
    .getByText(`The effect of the decision of ${name} on ${apId} is measured: save-power`)
    .first()
    .waitFor()
  await page
    .getByRole('link', { name: `Decisions about ${apId}` })
    .first()
    .click()
  await page.waitForURL(/\/decisions\?.*ap=/)
  await row('save-power').waitFor()
})

it('the developer page shows the state of the application, and promotes it', async () => {
  await page.goto(`${env.url}/developers`)
  const listed = page
    .getByRole('list', { name: 'Applications and their state' })
    .getByRole('listitem')
    .filter({ hasText: name })
  await listed.getByText('Sandbox').waitFor()
  await expectAccessibleEverywhere(page, () => listed.waitFor())
  await listed.getByRole('button', { name: `Promote ${name}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Promote to production' }).click()
  await listed.getByText('Production').waitFor()
})

it('the page of decisions is accessible', async () => {
  await propose('another-proposal')
  await page.goto(`${env.url}/decisions?owner=${encodeURIComponent(name)}`)
  await expectAccessibleEverywhere(page, () => row('another-proposal').waitFor())
})

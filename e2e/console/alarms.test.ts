import type { AlarmRule } from '@manc/sdk'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  emulatedAccessPoint,
  emulatedAccessPoints,
  loadRule,
  onlineAccessPoint,
  raiseAlarms,
} from './access-points.ts'
import { type ConsoleEnvironment, consoleEnvironment, expectAccessibleEverywhere } from './environment.ts'

/** On a busy machine values arrive late. */
const patience = { timeout: 90_000 }
let env: ConsoleEnvironment
let page: Page
/** Silent after one sample: a presence alarm needs no vmalert. */
let silent: string
/** With an alarm of its load. */
let loaded: string
let rule: AlarmRule

beforeAll(async () => {
  env = await consoleEnvironment()
  silent = await onlineAccessPoint(env, 'alarm')
  await env.manc.alarms.createRule({
    name: `Silence of ${silent}`,
    severity: 'warning',
    metric: 'presence',
    raise_for_s: 0,
    ap_ids: [silent],
  })
  loaded = await emulatedAccessPoint(env, 'WiFi')
  rule = await loadRule(env)
  await raiseAlarms(env, rule, [loaded])
  page = await env.signedIn('/alarms')
})
afterAll(() => env?.close())

const rows = () => page.getByRole('list', { name: 'Alarms, newest first' }).getByRole('listitem')
const silence = () => rows().filter({ hasText: `Silence of ${silent}` })
const load = () => rows().filter({ hasText: rule.name })
const parameter = (name: string) => new URL(page.url()).searchParams.get(name)

describe('the list', () => {
  it('shows an open alarm, which can be acknowledged with a comment', async () => {
    await silence().waitFor(patience)
    await page
      .getByRole('navigation', { name: 'Pages' })
      .getByLabel(/not acknowledged$/)
      .waitFor()
    await silence().getByRole('button', { name: 'Acknowledge' }).click()
    await page.getByLabel('Comment').fill('Switched off for maintenance')
    await page.getByRole('dialog').getByRole('button', { name: 'Acknowledge' }).click()
    await silence().getByText('Switched off for maintenance').waitFor()
    expect(await silence().getByRole('button', { name: 'Acknowledge' }).count()).toBe(0)
  })

  it('has filters, which are kept in the address', async () => {
    await page
      .getByRole('group', { name: 'Severity' })
      .getByRole('button', { name: /critical/ })
      .click()
    await expect.poll(() => parameter('severity')).toBe('critical')
    await load().waitFor()
    await expect.poll(() => silence().count()).toBe(0)
    await page.goto(`${env.url}/alarms?rule=${rule.id}&technology=WiFi&acknowledged=no`)
    await load().waitFor()
    expect(await rows().count()).toBe(1)
    await page.getByText('Cleared', { exact: true }).click()
    await expect.poll(() => parameter('state')).toBe('cleared')
    await page.getByRole('button', { name: 'Remove filters' }).click()
    await expect.poll(() => page.url()).toBe(`${env.url}/alarms`)
  })

  it('acknowledges the selected alarms together', async () => {
    // Of a KPI without worse alarms, which would inhibit them.
    const many = await loadRule(env, { severity: 'info', metric: 'clients' })
    const agents = await emulatedAccessPoints(env)
    await raiseAlarms(env, many, agents)
    await page.goto(`${env.url}/alarms?rule=${many.id}`)
    await page.getByLabel(`Select all ${agents.length} shown`).check()
    await page.getByRole('button', { name: `Acknowledge ${agents.length} alarms` }).click()
    await page.getByLabel('Comment').fill('Known')
    await page.getByRole('dialog').getByRole('button', { name: 'Acknowledge' }).click()
    await page.getByText(`${agents.length} alarms acknowledged.`).waitFor()
    await page.goto(`${env.url}/alarms?rule=${many.id}&acknowledged=yes`)
    await page.getByText(`${agents.length} alarms`, { exact: true }).waitFor()
    // Only visible rows are rendered; the list says how many there are.
    expect(await rows().first().getAttribute('aria-setsize')).toBe(String(agents.length))
    // Otherwise the charts of other suites would have these alarms.
    await env.manc.alarms.removeRule(many.id)
  })
})

it('the list stays usable with 1,000 alarms', async () => {
  const apIds = await emulatedAccessPoints(env)
  const rules = []
  while (rules.length * apIds.length < 1000) {
    const each = await loadRule(env, { severity: 'info', metric: 'clients' })
    await raiseAlarms(env, each, apIds)
    rules.push(each)
  }
  await page.goto(`${env.url}/alarms?severity=info`)
  await rows().first().waitFor()
  expect(await rows().first().getAttribute('aria-setsize')).toBe('100')
  await page.getByRole('button', { name: 'Show older alarms' }).click()
  await expect
    .poll(async () => Number(await rows().first().getAttribute('aria-setsize')))
    .toBeGreaterThanOrEqual(1000)
  // Only those that are visible.
  expect(await rows().count()).toBeLessThan(60)
  await page.getByLabel(/^Select all [\d,]+ shown$/).check()
  await page.getByRole('button', { name: /^Acknowledge [\d,]+ alarms$/ }).waitFor()
  await page.keyboard.press('End')
  await expect
    .poll(async () => Number(await rows().last().getAttribute('aria-posinset')))
    .toBeGreaterThan(990)
  for (const { id } of rules) await env.manc.alarms.removeRule(id)
})

describe('the page of an alarm', () => {
  it('has its chart, what to do, and leads to the access point', async () => {
    await page.goto(`${env.url}/alarms?rule=${rule.id}`)
    await load().getByRole('link', { name: rule.name }).click()
    await page.getByRole('heading', { level: 1, name: `${rule.name} (97.5 %)` }).waitFor()
    await page
      .getByRole('img', { name: new RegExp(`^Load \\(%\\)\\..*Alarm: ${rule.name}`) })
      .waitFor(patience)
    await page.getByRole('region', { name: 'What to do' }).getByText('Move clients to neighbours').waitFor()
    await page.getByRole('link', { name: loaded }).click()
    await page.getByRole('heading', { level: 1, name: loaded }).waitFor()
    await page.goBack()
  })

  it('assigns it to the own account and to another user, and removes the assignment', async () => {
    await page.getByRole('button', { name: 'Assign' }).click()
    await page.getByRole('menuitem', { name: 'Assign to me' }).click()
    await page.getByText(`assigned to ${env.admin.username}`).waitFor()
    await page.getByRole('button', { name: 'Assign' }).click()
    await page.getByRole('menuitem', { name: 'Remove assignment' }).click()
    await page.getByText('Not assigned').waitFor()
    await page.getByRole('button', { name: 'Assign' }).click()
    await page.getByRole('menuitem', { name: 'Assign to another user' }).click()
    await page.getByRole('combobox', { name: 'User' }).fill(env.admin.username)
    await page.getByRole('option', { name: env.admin.username }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Assign' }).click()
    await page.getByText(`assigned to ${env.admin.username}`).waitFor()
  })

  it('acknowledges it, and shows when it ended and the earlier alarms of its rule', async () => {
    await page.getByRole('button', { name: 'Acknowledge' }).click()
    await page.getByRole('textbox', { name: 'Comment' }).fill('Concert')
    await page.getByRole('dialog').getByRole('button', { name: 'Acknowledge' }).click()
    await page.getByText(': Concert').waitFor()
    await page.getByRole('button', { name: 'Change comment' }).click()
    expect(await page.getByRole('textbox', { name: 'Comment' }).inputValue()).toBe('Concert')
    await page.getByRole('textbox', { name: 'Comment' }).fill('Concert until 22:00')
    await page.getByRole('button', { name: 'Save comment' }).click()
    await page.getByText(': Concert until 22:00').waitFor()
    const address = page.url()
    const { name, severity, metric, raise_op, raise_threshold } = rule
    const condition = { raise_op, raise_threshold, is_enabled: false }
    await env.manc.alarms.updateRule(rule.id, { name, severity, metric, ...condition })
    await page.getByText('rule disabled or changed').waitFor()
    expect(await page.getByRole('button', { name: 'Assign' }).count()).toBe(0)
    const again = await loadRule(env)
    await raiseAlarms(env, again, [loaded])
    await page.goto(`${env.url}/alarms?rule=${again.id}`)
    await rows().getByRole('link', { name: again.name }).click()
    await page.getByText('The rule raised no other alarm of this access point.').waitFor()
    await page.goto(address)
    await page.getByText('Cleared, lasted').waitFor()
  })

  it('says when there is no such alarm', async () => {
    await page.goto(`${env.url}/alarms/999999999`)
    await page.getByText('Alarm not found').waitFor()
  })
})

it('the pages are accessible', async () => {
  const open = await loadRule(env)
  await raiseAlarms(env, open, [loaded])
  const [alarm] = await Array.fromAsync(env.manc.alarms.list({ rule: open.id }))
  await expectAccessibleEverywhere(page, async () => {
    await page.goto(`${env.url}/alarms`)
    await rows().first().waitFor()
  })
  await expectAccessibleEverywhere(page, async () => {
    await page.goto(`${env.url}/alarms/${alarm?.id}`)
    await page.getByRole('img', { name: /^Load/ }).waitFor(patience)
  })
})

import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConsoleEnvironment, consoleEnvironment, expectAccessibleEverywhere } from './environment.ts'

let env: ConsoleEnvironment
let page: Page
/** Of access points that only this suite changes. */
const prefix = `rollout-${randomUUID().slice(0, 8)}`
const ids = Array.from({ length: 12 }, (_, n) => `${prefix}-${String(n + 1).padStart(2, '0')}`)
const soon = { timeout: 90_000 }

beforeAll(async () => {
  env = await consoleEnvironment()
  for (const [n, apId] of ids.entries())
    await env.manc.agents.register({
      ap_id: apId,
      password: 'a-password',
      configuration: { technology: 'WiFi', channel: 1 + (n % 2) * 5, ssid: 'Guests' },
    })
  page = await env.signedIn('/access-points')
})
afterAll(async () => {
  for (const apId of ids) await env?.manc.agents.remove(apId)
  await env?.close()
})

const panel = () => page.getByRole('dialog')
const status = () => panel().getByRole('status')
const differences = () => panel().getByRole('table', { name: 'Differences' })
const outcomes = () => panel().getByRole('table', { name: 'Access points of the rollout' })
const configurationOf = async (apId: string) => (await env.manc.agents.get(apId)).configuration

/** The form, with all access points of this suite selected in the table. */
async function openForm(): Promise<void> {
  await page.goto(`${env.url}/access-points?q=${prefix}&sort=ap_id`)
  await page.locator('[role=row][data-index]:not([data-waiting])').first().focus()
  await page.keyboard.press('Control+a')
  await page.getByText('12 selected').waitFor()
  await page.getByRole('button', { name: 'Change configuration' }).click()
  await panel().getByText(`12 selected access points: ${ids[0]}`).waitFor()
}

async function start(json: string, { observation = 0 } = {}): Promise<void> {
  await openForm()
  await panel().getByLabel('Change as JSON').fill(json)
  await panel().getByRole('button', { name: 'Preview changes' }).click()
  await panel().getByLabel('Observation (s)').fill(String(observation))
  await panel()
    .getByRole('button', { name: /^Start rollout to/ })
    .click()
}

describe('a rollout', () => {
  it('is previewed, started, followed and undone, with the keyboard', async () => {
    await openForm()
    await panel().getByRole('radio', { name: 'WiFi' }).focus()
    await page.keyboard.press('Space')
    await panel().getByLabel('Channel').focus()
    await page.keyboard.type('6')
    await expect.poll(() => panel().getByLabel('Change as JSON').inputValue()).toContain('"channel": 6')
    await page.keyboard.press('Enter')
    await panel().getByText('6 of 12 access points will change. 6 already have these values.').waitFor()
    expect(await differences().getByRole('row').nth(1).innerText()).toMatch(/-01\s+channel\s+1\s+6/)
    await panel().getByLabel('Title').fill('Channel six')
    await panel().getByLabel('Observation (s)').fill('0')
    await panel().getByRole('button', { name: 'Start rollout to 6 access points' }).focus()
    await page.keyboard.press('Enter')
    await status()
      .getByText(/^Completed\./)
      .waitFor(soon)
    await panel().getByText('12 access points: 6 changed, 6 no change needed').waitFor()
    expect(await configurationOf(ids[0] ?? '')).toMatchObject({ channel: 6, ssid: 'Guests' })

    // One is changed again meanwhile.
    const again = ids[2] ?? ''
    await env.manc.agents.update(again, { configuration: { technology: 'WiFi', channel: 11 } })
    await panel().getByRole('button', { name: 'Undo rollout' }).focus()
    await page.keyboard.press('Enter')
    const question = page.getByRole('dialog', { name: 'Undo “Channel six”?' })
    await question.getByRole('button', { name: 'Undo rollout' }).focus()
    await page.keyboard.press('Enter')
    await status()
      .getByText(/^Undone\./)
      .waitFor(soon)
    await panel().getByRole('combobox', { name: 'Access points' }).click()
    await page.getByRole('option', { name: 'not undone (1)' }).click()
    await outcomes().getByText('Its configuration was changed again: version 3 is the newest.').waitFor()
    await expect.poll(() => outcomes().getByRole('row').count()).toBe(2)
    expect(await configurationOf(ids[0] ?? '')).toMatchObject({ channel: 1 })
    expect(await configurationOf(again)).toMatchObject({ channel: 11 })
    await page.keyboard.press('Escape')
    await expect.poll(() => panel().count()).toBe(0)
    await page.getByRole('list', { name: 'Rollouts, newest first' }).getByText('Channel six').waitFor()
  })

  it('is paused and resumed', async () => {
    await start('{"note": "paused"}', { observation: 3600 })
    await status()
      .getByText(/Stage 1 of 3: one access point.*Observed until/)
      .waitFor(soon)
    await panel().getByRole('button', { name: 'Pause rollout' }).click()
    await panel().getByText(`Paused by ${env.admin.username}.`).waitFor()
    await panel().getByRole('button', { name: 'Resume rollout' }).click()
    await status()
      .getByText(/In progress/)
      .waitFor()
    await panel().getByRole('button', { name: 'Undo rollout' }).click()
    await page.getByRole('dialog', { name: /^Undo/ }).getByRole('button', { name: 'Undo rollout' }).click()
    await status()
      .getByText(/^Undone\./)
      .waitFor(soon)
  })

  it('stops on failures, with the reason of each', async () => {
    for (const apId of ids)
      await env.manc.agents.update(apId, {
        configuration: { technology: 'WiFi', text: 'y'.repeat(60_000) },
      })
    await start(JSON.stringify({ note: 'x'.repeat(6000) }))
    await status()
      .getByText(/^Stopped\./)
      .waitFor(soon)
    await panel().getByText('1 access point has failed.').waitFor()
    await outcomes().getByText('The configuration would exceed 64 KiB.', { exact: false }).waitFor()
    await expect.poll(() => outcomes().getByText('not changed').count()).toBe(11)
  })

  it('says what is missing in the form, and what the controller refuses', async () => {
    await page.goto(`${env.url}/administration/rollouts?open=new`)
    await panel().getByText('Set a technology, an area or IDs.').waitFor()
    await panel().getByLabel('IDs').fill('no-such-access-point')
    await panel().getByText('Set at least one value to change.').waitFor()
    await panel().getByLabel('Change as JSON').fill('{"a": 1}')
    await panel().getByRole('button', { name: 'Preview changes' }).click()
    await panel().getByRole('alert').getByText('Agent not found', { exact: false }).waitFor()
  })

  it('is accessible in light and dark, on a desktop and a phone', async () => {
    await expectAccessibleEverywhere(page, async () => {
      await page.goto(`${env.url}/administration/rollouts`)
      await page.getByRole('list', { name: 'Rollouts, newest first' }).waitFor()
    })
    await expectAccessibleEverywhere(page, async () => {
      await page.goto(`${env.url}/administration/rollouts?open=new`)
      await panel().getByLabel('IDs').fill(ids.slice(0, 3).join(', '))
      await panel().getByLabel('Change as JSON').fill('{"channel": 3}')
      await panel().getByRole('button', { name: 'Preview changes' }).click()
      await differences().waitFor()
    })
    const [{ id } = { id: '' }] = await Array.fromAsync(env.manc.rollouts.list())
    await expectAccessibleEverywhere(page, async () => {
      await page.goto(`${env.url}/administration/rollouts?open=${id}`)
      await outcomes().waitFor()
    })
  })

  it('is not offered to users who are no administrators', async () => {
    const user = { username: `${prefix}@manc.test`, password: 'a-password' }
    await env.manc.users.create({ ...user, roles: ['operator'] })
    const other = await env.signedIn(`/access-points?q=${prefix}`, { as: user })
    await other.locator('[role=row][data-index]').first().getByRole('checkbox').click()
    await other.getByRole('button', { name: 'Send command' }).waitFor()
    expect(await other.getByRole('button', { name: 'Change configuration' }).count()).toBe(0)
    await other.context().close()
    await env.manc.users.remove(user.username)
  })
})

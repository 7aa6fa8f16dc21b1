import { randomUUID } from 'node:crypto'
import { call, tokenOf } from '@manc/harness'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { downloadOf } from '../browser.ts'
import { emulatedAccessPoint, emulatedAccessPoints } from './access-points.ts'
import { expectAccessible, useConsole, variants } from './environment.ts'

const env = useConsole()
let token: string

beforeAll(async () => {
  token = await tokenOf(env.url, 'user', env.admin.username, env.admin.password)
})

/** Posts rows to a mailbox of the administrator. */
async function post(number: string, rows: unknown[]): Promise<void> {
  const { status } = await call(env.url, 'POST', `/api/v1/callback/agent_data?job_number=${number}`, {
    token,
    body: rows,
  })
  expect(status).toBe(200)
}

async function requestDetails(): Promise<string> {
  const asked = await call(env.url, 'POST', '/api/v1/agent_details/request_all_agents_details', { token })
  const { job_number: number } = asked.body as { job_number: string }
  await expect.poll(async () => (await env.manc.jobs.get(number)).state).toBe('succeeded')
  return number
}

const download = async (page: Page, name: string) =>
  String(await downloadOf(page, page.getByRole('dialog').getByRole('button', { name })))

const jobOf = (page: Page, number: string) => page.locator(`a.job[href$="${number}"]`)

describe('an ended job', () => {
  it('is listed, and its result is a table that can be saved and read again', async () => {
    const number = await requestDetails()
    const page = await env.signedIn('/jobs')
    await jobOf(page, number).getByText('Access point details').waitFor()
    await jobOf(page, number).getByText('succeeded').waitFor()
    await jobOf(page, number)
      .getByText(/^took \d/)
      .waitFor()
    await jobOf(page, number).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('columnheader', { name: 'ap_id' }).waitFor()
    // An application can still receive it.
    await dialog.getByText('Not delivered yet').waitFor()
    expect((await env.manc.jobs.get(number)).read_seq).toBe(0)
    await dialog.getByRole('button', { name: 'Show row 1 in full' }).click()
    await dialog.getByLabel('Whole row').getByText('"configuration"').waitFor()
    const rows = JSON.parse(await download(page, 'JSON')) as { ap_id: string }[]
    expect(rows.length).toBeGreaterThanOrEqual(24)
    const csv = (await download(page, 'CSV')).trim().split('\r\n')
    expect(csv).toHaveLength(rows.length + 1)
    expect(csv[0]?.split(',')).toContain('ap_id')
    await dialog.getByRole('button', { name: 'Mark as delivered' }).click()
    await dialog.getByText('Not delivered yet').waitFor({ state: 'hidden' })
    await page.reload()
    await dialog.getByRole('columnheader', { name: 'ap_id' }).waitFor()
    await dialog.getByText(/^Available until/).waitFor()
    expect((await env.manc.jobs.get(number)).read_seq).toBeGreaterThan(0)
  })

  it('shows the states of a command and its result', async () => {
    const apId = await emulatedAccessPoint(env, 'WiFi')
    const { jobNumber } = await env.manc.commands.send(apId, 'set_power 15')
    await expect.poll(async () => (await env.manc.jobs.get(jobNumber)).state).toBe('succeeded')
    const page = await env.signedIn(`/jobs#${jobNumber}`)
    const dialog = page.getByRole('dialog', { name: `set_power 15 → ${apId}` })
    await dialog.getByText(`set_power 15 to ${apId}`).waitFor()
    // Intermediate states may be missing if they were too short.
    await dialog.getByText('Queued until the access point is connected.').waitFor()
    await dialog.getByText(/completed the command\. Received at \d/).waitFor()
    expect(await dialog.getByLabel('Result').innerText()).toContain('"tx_power_dbm": 15')
  })

  it('is found by type', async () => {
    const number = await requestDetails()
    const other = randomUUID()
    await post(other, [{ n: 1 }])
    const watched = await env.manc.fleet.agents().next()
    const path = `/api/v1/agent_data/subscribe?agent_id=${watched.value?.ap_id}`
    const { job_number: liveView } = (await call(env.url, 'POST', path, { token })).body as {
      job_number: string
    }
    const page = await env.signedIn('/jobs')
    await jobOf(page, number).waitFor()
    // Live views are hidden by default.
    expect(await jobOf(page, liveView).count()).toBe(0)
    await page.getByPlaceholder('All types except live views').click()
    await page.getByRole('option', { name: 'Application mailbox', exact: true }).click()
    await jobOf(page, number).waitFor({ state: 'hidden' })
    await jobOf(page, other).waitFor()
    await page.getByRole('option', { name: 'Live view', exact: true }).click()
    await jobOf(page, liveView).waitFor()
    // The filter is in the address.
    await page.reload()
    await jobOf(page, liveView).waitFor()
    await jobOf(page, number).waitFor({ state: 'hidden' })
  })
})

it('the newest jobs are listed, and earlier ones on request', async () => {
  const oldest = randomUUID()
  await post(oldest, [{ n: 1 }])
  for (let n = 0; n < 50; n++) await post(randomUUID(), [{ n }])
  const page = await env.signedIn('/jobs')
  await page.getByText('The newest 50 jobs').waitFor()
  expect(await jobOf(page, oldest).count()).toBe(0)
  await page.getByRole('button', { name: 'Show earlier jobs' }).click()
  await jobOf(page, oldest).waitFor()
})

describe('a job in progress', () => {
  it('shows results as they arrive, and leaves them to its reader', async () => {
    const number = randomUUID()
    await post(number, [{ n: 1 }])
    const page = await env.signedIn(`/jobs#${number}`)
    const dialog = page.getByRole('dialog')
    await dialog.getByText('1 row', { exact: true }).waitFor()
    await post(number, [{ n: 2 }, { n: 3 }])
    await dialog.getByText('3 rows', { exact: true }).waitFor()
    expect((await env.manc.jobs.get(number)).read_seq).toBe(0)
    const reader = env.manc.jobs.read(number)
    expect((await reader.next()).value).toMatchObject({ data: [{ n: 1 }] })
    await reader.return()
    await post(number, [{ n: 4 }])
    await dialog.getByText('4 rows', { exact: true }).waitFor()
  })

  it('does not block the page with a long result, and the download has all rows', async () => {
    const number = randomUUID()
    await post(number, [{ n: 0, text: 'first' }])
    const page = await env.signedIn(`/jobs#${number}`)
    const dialog = page.getByRole('dialog')
    await dialog.getByText('1 row', { exact: true }).waitFor()
    await page.evaluate(measureFrames)
    for (let from = 1; from < 30_000; from += 10_000)
      await post(
        number,
        Array.from({ length: 10_000 }, (_, n) => ({ n: from + n, text: `row ${from + n}` })),
      )
    await dialog.getByText('30,001 rows, first 10,000 shown').waitFor()
    expect(await dialog.getByRole('row').count()).toBeLessThan(100)
    const csv = (await download(page, 'CSV')).trim().split('\r\n')
    expect(csv).toHaveLength(30_002)
    expect(csv.at(-1)).toBe('30000,row 30000')
    const longestMs = await page.evaluate<number>('globalThis.longestMs')
    // The pauses of a busy machine are included; a page that renders all rows is blocked for far longer.
    expect(longestMs).toBeLessThan(12_000)
  })

  it('shows rows without common columns as JSON', async () => {
    const number = randomUUID()
    await post(number, [1, 'two', { three: 3 }])
    const page = await env.signedIn(`/jobs#${number}`)
    await page.getByRole('cell', { name: '{"three":3}' }).waitFor()
    expect(await page.getByRole('button', { name: 'CSV' }).count()).toBe(0)
  })
})

/** Runs in the page: measures the longest time between two frames. */
const measureFrames = `
  globalThis.longestMs = 0
  let last = performance.now()
  const measure = () => {
    const now = performance.now()
    globalThis.longestMs = Math.max(globalThis.longestMs, now - last)
    last = now
    requestAnimationFrame(measure)
  }
  measure()
`

describe('a bulk command', () => {
  const openPanel = async () => {
    const page = await env.signedIn('/jobs')
    await page.getByRole('link', { name: 'Send bulk command' }).click()
    return { page, panel: page.getByRole('dialog', { name: 'Send bulk command' }) }
  }

  it('confirms a reboot with the number of access points, and shows progress and results', async () => {
    const online = (await emulatedAccessPoints(env)).filter((id) => id.startsWith('emu-5g-'))
    const ids = online.slice(0, 3)
    const { page, panel } = await openPanel()
    await panel.getByLabel('Command').fill('reboot')
    await panel.getByLabel('IDs').fill([...ids, 'unknown'].join('\n'))
    await panel.getByText('3 access points, 3 online.').waitFor()
    await panel.getByText('1 ID does not match: unknown').waitFor()
    await panel.getByRole('button', { name: 'Reboot 3 access points' }).click()
    const question = page.getByRole('dialog', { name: 'Reboot 3 access points?' })
    const before = (await Array.fromAsync(env.manc.jobs.list())).length
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'hidden' })
    await panel.getByRole('button', { name: 'Reboot 3 access points' }).click()
    await question.waitFor()
    await page.keyboard.press('Escape')
    await question.waitFor({ state: 'hidden' })
    expect(await panel.getByLabel('Command').inputValue()).toBe('reboot')
    expect(await Array.fromAsync(env.manc.jobs.list())).toHaveLength(before)
    await panel.getByRole('button', { name: 'Reboot 3 access points' }).click()
    await question.getByRole('button', { name: 'Reboot 3 access points' }).click()
    const job = page.getByRole('dialog', { name: 'reboot → 3 access points', exact: true })
    await job.getByText('4 of 4 done').waitFor()
    await job.getByText('3 succeeded').waitFor()
    await job.getByText('1 skipped').waitFor()
    await job.getByText('4 access points', { exact: true }).waitFor()
    await job.getByRole('button', { name: 'Access point', exact: true }).click()
    await job
      .getByRole('columnheader', { name: 'Access point' })
      .and(job.locator('[aria-sort="descending"]'))
      .waitFor()
    await job.getByText('skipped 1', { exact: true }).click()
    await job.getByText('1 access point', { exact: true }).waitFor()
    const csv = (await download(page, 'CSV')).trim().split('\r\n')
    expect(csv).toHaveLength(2)
    expect(csv[1]).toMatch(/^unknown,skipped,"There is no such agent/)
    await expectAccessible(page)
    // Filter, order and job are in the address.
    await page.reload()
    await job.getByText('1 access point', { exact: true }).waitFor()
    await job.getByRole('cell', { name: 'There is no such agent' }).waitFor()
    await job.getByRole('link', { name: 'Repeat with changes' }).click()
    await panel.getByText('3 access points, 3 online.').waitFor()
    expect(await panel.getByLabel('Command').inputValue()).toBe('reboot')
  })

  it('is cancelled for the access points that have not received it', async () => {
    const ids = [1, 2].map(() => `never-${randomUUID().slice(0, 8)}`)
    for (const id of ids)
      await env.manc.agents.register({
        ap_id: id,
        password: 'a-password',
        configuration: { technology: 'WiFi' },
      })
    const { jobNumber } = await env.manc.commands.sendToMany({ command: 'set_power 20', agents: ids })
    const page = await env.signedIn(`/jobs#${jobNumber}`)
    const job = page.getByRole('dialog', { name: 'set_power 20 → 2 access points', exact: true })
    await job.getByText('2 queued', { exact: true }).waitFor()
    await job.getByRole('button', { name: 'Cancel job' }).click()
    const question = page.getByRole('dialog', { name: 'Cancel set_power 20 → 2 access points?' })
    await expectAccessible(page)
    await question.getByRole('button', { name: 'Cancel job' }).click()
    await job.getByText('2 skipped', { exact: true }).waitFor()
    await job.getByText('cancelled', { exact: true }).waitFor()
    for (const id of ids) await env.manc.agents.remove(id)
  })

  it('is sent to a technology in an area drawn with two clicks', async () => {
    const { page, panel } = await openPanel()
    await panel.getByLabel('Command').fill('set_power 30')
    await panel.getByText('LiFi', { exact: true }).click()
    await panel.getByText(/^\d+ access points, \d+ online\.$/).waitFor()
    await panel.getByRole('button', { name: 'Draw on map' }).click()
    const canvas = panel.locator('.pick-map canvas')
    await canvas.waitFor()
    await canvas.click({ position: { x: 60, y: 40 } })
    await panel.getByText('Click the opposite corner.').waitFor()
    await canvas.click({ position: { x: 500, y: 260 } })
    const field = panel.getByRole('textbox', { name: 'Area' })
    await expect.poll(async () => (await field.inputValue()).split(',').length).toBe(4)
    const numbers = (await field.inputValue()).split(',').map(Number)
    const [west = 0, south = 0, east = 0, north = 0] = numbers
    expect(west).toBeLessThan(east)
    expect(south).toBeLessThan(north)
    const area = { west, south, east, north }
    const expected = await Array.fromAsync(env.manc.fleet.agents({ technology: ['LiFi'], area }))
    expect(expected.length).toBeGreaterThan(0)
    await panel.getByRole('button', { name: `Send to ${expected.length} access point` }).click()
    await page.getByText(`${expected.length} of ${expected.length} done`).waitFor({ timeout: 90_000 })
  })

  it('is not available to a standard user', async () => {
    const as = { username: `watcher-${randomUUID().slice(0, 8)}@manc.test`, password: 'a-new-password' }
    await env.manc.users.create({ ...as, roles: ['user'] })
    const page = await env.signedIn('/jobs#send', { as })
    await page.getByText('No jobs yet').waitFor()
    expect(await page.getByText('Send bulk command').count()).toBe(0)
  })
})

describe.each(variants)('%s', (scheme, viewport) => {
  it(`the job list, a job and the bulk command are accessible at a width of ${viewport.width}`, async () => {
    const page = await env.signedIn('/jobs', { scheme, viewport })
    const number = await requestDetails()
    await jobOf(page, number).waitFor()
    await expectAccessible(page)
    const width = await page.evaluate<number>('document.documentElement.scrollWidth')
    expect(width).toBeLessThanOrEqual(viewport.width)
    await jobOf(page, number).click()
    await page.getByRole('dialog').getByText('Copy job ID').waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Send bulk command' }).click()
    const panel = page.getByRole('dialog', { name: 'Send bulk command' })
    await panel.getByText('5G', { exact: true }).click()
    await panel.getByText(/^\d+ access points?, \d+ online\.$/).waitFor()
    await panel.getByLabel('Command').fill('reboot')
    await expectAccessible(page)
  })
})

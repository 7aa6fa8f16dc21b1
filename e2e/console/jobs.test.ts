import { randomUUID } from 'node:crypto'
import { call, tokenOf } from '@manc/harness'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { downloadOf } from '../browser.ts'
import { type ConsoleStage, consoleStage, expectAccessible, phone } from './stage.ts'

let stage: ConsoleStage
let token: string

beforeAll(async () => {
  stage = await consoleStage()
  token = await tokenOf(stage.url, 'user', stage.admin.username, stage.admin.password)
})
afterAll(() => stage?.close())
// A page that stays open goes on reading, and slows the next one down.
afterEach(() => Promise.all(stage.browser.contexts().map((context) => context.close())))

/** Rows for a mailbox of the administrator. */
async function post(number: string, rows: unknown[]): Promise<void> {
  const { status } = await call(stage.url, 'POST', `/api/v1/callback/agent_data?job_number=${number}`, {
    token,
    body: rows,
  })
  expect(status).toBe(200)
}

async function askForDetails(): Promise<string> {
  const asked = await call(stage.url, 'POST', '/api/v1/agent_details/request_all_agents_details', { token })
  const { job_number: number } = asked.body as { job_number: string }
  await expect.poll(async () => (await stage.manc.jobs.get(number)).state).toBe('succeeded')
  return number
}

const download = async (page: Page, name: string) =>
  String(await downloadOf(page, page.getByRole('dialog').getByRole('button', { name })))

const jobOf = (page: Page, number: string) => page.locator(`a.job[href$="${number}"]`)

describe('a job that is over', () => {
  it('is in the list, and its result is a table to look at and take away', async () => {
    const number = await askForDetails()
    const page = await stage.signedIn('/jobs')
    await jobOf(page, number).getByText('Access point details').waitFor()
    await jobOf(page, number).getByText('succeeded').waitFor()
    await jobOf(page, number)
      .getByText(/^took \d/)
      .waitFor()
    await jobOf(page, number).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('A result can be read once.').waitFor()
    expect((await stage.manc.jobs.get(number)).read_seq).toBe(0)
    await dialog.getByRole('button', { name: 'Read result' }).click()
    await dialog.getByRole('columnheader', { name: 'ap_id' }).waitFor()
    const rows = JSON.parse(await download(page, 'JSON')) as { ap_id: string }[]
    expect(rows.length).toBeGreaterThanOrEqual(24)
    const csv = (await download(page, 'CSV')).trim().split('\r\n')
    expect(csv).toHaveLength(rows.length + 1)
    expect(csv[0]?.split(',')).toContain('ap_id')
    // It is kept while the page is open, and says so kindly afterwards.
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await jobOf(page, number).click()
    await dialog.getByRole('columnheader', { name: 'ap_id' }).waitFor()
    await page.reload()
    await dialog.getByText('Result already read').waitFor()
  })

  it('that was a command shows its way in words', async () => {
    const [agent] = await Array.fromAsync(
      stage.manc.fleet.agents({ technology: ['WiFi'], state: ['online'] }),
    )
    const { jobNumber } = await stage.manc.commands.send(agent?.ap_id ?? '', 'set_power 15')
    await expect.poll(async () => (await stage.manc.jobs.get(jobNumber)).state).toBe('succeeded')
    const page = await stage.signedIn(`/jobs#${jobNumber}`)
    const dialog = page.getByRole('dialog', { name: 'Command' })
    await dialog.getByRole('button', { name: 'Read result' }).click()
    await dialog.getByText(`set_power 15 to ${agent?.ap_id}`).waitFor()
    // Steps in between that went too fast are not told.
    await dialog.getByText('Queued until the access point is connected.').waitFor()
    await dialog.getByText(/completed the command\. Received at \d/).waitFor()
  })

  it('is found among others by its kind and state', async () => {
    const number = await askForDetails()
    const other = randomUUID()
    await post(other, [{ n: 1 }])
    const watched = await stage.manc.fleet.agents().next()
    const path = `/api/v1/agent_data/subscribe?agent_id=${watched.value?.ap_id}`
    const { job_number: look } = (await call(stage.url, 'POST', path, { token })).body as {
      job_number: string
    }
    const page = await stage.signedIn('/jobs')
    await jobOf(page, number).waitFor()
    // A look at an access point is shown to who asks for it.
    expect(await jobOf(page, look).count()).toBe(0)
    await page.getByPlaceholder('All types except live views').click()
    await page.getByRole('option', { name: 'Application mailbox', exact: true }).click()
    await jobOf(page, number).waitFor({ state: 'hidden' })
    await jobOf(page, other).waitFor()
    await page.getByRole('option', { name: 'Live view', exact: true }).click()
    await jobOf(page, look).waitFor()
  })
})

it('lists the newest, and earlier ones on demand', async () => {
  const oldest = randomUUID()
  await post(oldest, [{ n: 1 }])
  for (let n = 0; n < 50; n++) await post(randomUUID(), [{ n }])
  const page = await stage.signedIn('/jobs')
  await page.getByText('50 jobs, newest first').waitFor()
  expect(await jobOf(page, oldest).count()).toBe(0)
  await page.getByRole('button', { name: 'Show earlier jobs' }).click()
  await jobOf(page, oldest).waitFor()
})

describe('a job under way', () => {
  it('is followed when asked to, and lost to whoever reads it next', async () => {
    const number = randomUUID()
    await post(number, [{ n: 1 }])
    const page = await stage.signedIn(`/jobs#${number}`)
    const dialog = page.getByRole('dialog')
    await dialog.getByText('A job has one reader at a time.').waitFor()
    expect((await stage.manc.jobs.get(number)).read_seq).toBe(0)
    await dialog.getByRole('button', { name: 'Follow job' }).click()
    await dialog.getByText('1 row', { exact: true }).waitFor()
    await post(number, [{ n: 2 }, { n: 3 }])
    await dialog.getByText('3 rows', { exact: true }).waitFor()
    await dialog.getByRole('button', { name: 'Stop following' }).click()
    await dialog.getByRole('button', { name: 'Follow again' }).click()
    await dialog.getByRole('button', { name: 'Stop following' }).waitFor()
    const stop = new AbortController()
    const elsewhere = stage.manc.jobs.read(number, { after: 2, signal: stop.signal })
    const next = elsewhere.next()
    await dialog.getByText('Another reader has taken over this job.').waitFor()
    await post(number, [{ n: 4 }])
    expect((await next).value).toMatchObject({ data: [{ n: 4 }] })
    stop.abort()
    await elsewhere.return()
    await dialog.getByText('3 rows', { exact: true }).waitFor()
  })

  it('with a long result does not freeze the page: some rows are drawn, all are in the download', async () => {
    const number = randomUUID()
    await post(number, [{ n: 0, text: 'first' }])
    const page = await stage.signedIn(`/jobs#${number}`)
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Follow job' }).click()
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
    // Some are slow on a machine that is busy; a page that freezes takes far longer.
    expect(longestMs).toBeLessThan(5000)
  })

  it('whose rows are not alike is shown as it is', async () => {
    const number = randomUUID()
    await post(number, [1, 'two', { three: 3 }])
    const page = await stage.signedIn(`/jobs#${number}`)
    await page.getByRole('button', { name: 'Follow job' }).click()
    await page.getByRole('cell', { name: '{"three":3}' }).waitFor()
    expect(await page.getByRole('button', { name: 'CSV' }).count()).toBe(0)
  })
})

/** Runs in the page: the longest time between two of its frames. */
const measureFrames = `
  globalThis.longestMs = 0
  let last = performance.now()
  const look = () => {
    const now = performance.now()
    globalThis.longestMs = Math.max(globalThis.longestMs, now - last)
    last = now
    requestAnimationFrame(look)
  }
  look()
`

describe('one command to many', () => {
  const openPanel = async () => {
    const page = await stage.signedIn('/jobs')
    await page.getByRole('link', { name: 'Send bulk command' }).click()
    return { page, panel: page.getByRole('dialog', { name: 'Send bulk command' }) }
  }

  it('asks with the number before a reboot, shows how it goes, and who did what in the end', async () => {
    const online = await Array.fromAsync(stage.manc.fleet.agents({ technology: ['5G'], state: ['online'] }))
    const ids = online.slice(0, 3).map(({ ap_id: id }) => id)
    const { page, panel } = await openPanel()
    await panel.getByLabel('Command').fill('reboot')
    await panel.getByLabel('IDs').fill([...ids, 'nobody'].join('\n'))
    await panel.getByText('3 access points, 3 online.').waitFor()
    await panel.getByText('1 ID does not match: nobody').waitFor()
    await panel.getByRole('button', { name: 'Reboot 3 access points' }).click()
    const question = page.getByRole('dialog', { name: 'Reboot 3 access points?' })
    const before = (await Array.fromAsync(stage.manc.jobs.list())).length
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'hidden' })
    await panel.getByRole('button', { name: 'Reboot 3 access points' }).click()
    await question.waitFor()
    await page.keyboard.press('Escape')
    await question.waitFor({ state: 'hidden' })
    expect(await panel.getByLabel('Command').inputValue()).toBe('reboot')
    expect(await Array.fromAsync(stage.manc.jobs.list())).toHaveLength(before)
    await panel.getByRole('button', { name: 'Reboot 3 access points' }).click()
    await question.getByRole('button', { name: 'Reboot 3 access points' }).click()
    const job = page.getByRole('dialog', { name: 'Bulk command', exact: true })
    await job.getByText('4 of 4 done').waitFor()
    await job.getByText('3 succeeded').waitFor()
    await job.getByText('1 skipped').waitFor()
    await job.getByText('skipped 1', { exact: true }).click()
    await job.getByText('1 row', { exact: true }).waitFor()
    const csv = (await download(page, 'CSV')).trim().split('\r\n')
    expect(csv).toHaveLength(2)
    expect(csv[1]).toMatch(/^nobody,skipped/)
    await expectAccessible(page)
  })

  it('goes to whoever is of a technology and in an area, drawn with two clicks', async () => {
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
    const [west = 0, south = 0, east = 0, north = 0] = (
      await panel.getByRole('textbox', { name: 'Area' }).inputValue()
    )
      .split(',')
      .map(Number)
    expect(west).toBeLessThan(east)
    expect(south).toBeLessThan(north)
    const area = { west, south, east, north }
    const meant = await Array.fromAsync(stage.manc.fleet.agents({ technology: ['LiFi'], area }))
    expect(meant.length).toBeGreaterThan(0)
    await panel.getByRole('button', { name: `Send to ${meant.length} access point` }).click()
    await page.getByText(`${meant.length} of ${meant.length} done`).waitFor({ timeout: 45_000 })
  })

  it('is not for a standard user', async () => {
    const as = { username: `watcher-${randomUUID().slice(0, 8)}@manc.test`, password: 'a-new-password' }
    await stage.manc.users.create({ ...as, roles: ['user'] })
    const page = await stage.signedIn('/jobs#send', { as })
    await page.getByText('No jobs yet').waitFor()
    expect(await page.getByText('Send bulk command').count()).toBe(0)
  })
})

describe.each(['light', 'dark'] as const)('%s', (scheme) => {
  it.each([
    ['a desk', undefined],
    ['a phone', phone],
  ])('the list, a job and the panel are accessible on %s', async (_, viewport) => {
    const page = await stage.signedIn('/jobs', { scheme, ...(viewport && { viewport }) })
    const number = await askForDetails()
    await jobOf(page, number).waitFor()
    await expectAccessible(page)
    const width = await page.evaluate<number>('document.documentElement.scrollWidth')
    expect(width).toBeLessThanOrEqual((viewport ?? { width: 1360 }).width)
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

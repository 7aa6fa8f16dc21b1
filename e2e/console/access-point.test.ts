import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { downloadOf } from '../browser.ts'
import { emulatedAccessPoint } from './access-points.ts'
import { dragOverChart, exportedCharts, pause, periodIn, selectLast } from './charts.ts'
import { type ConsoleEnvironment, consoleEnvironment, expectAccessible, variants } from './environment.ts'

let env: ConsoleEnvironment
/** Shared by all tests of this file. */
let page: Page
/** One access point of each technology. */
let wifi: string
let lifi: string
let fiveG: string

beforeAll(async () => {
  env = await consoleEnvironment()
  wifi = await emulatedAccessPoint(env, 'WiFi')
  lifi = await emulatedAccessPoint(env, 'LiFi')
  fiveG = await emulatedAccessPoint(env, '5G')
  page = await env.signedIn('/developers')
})
afterAll(() => env?.close())

const charts = (on: Page) => on.getByRole('img', { name: /^Clients\. Latest/ })

/** Loads the page of an access point without stored preferences. */
async function open(apId: string): Promise<void> {
  await page.evaluate('localStorage.clear()')
  await page.goto(`${env.url}/access-points/${apId}`)
  await charts(page).waitFor()
}

/** Compares with operation 28, except for the last five seconds, whose samples may not be stored yet. */
async function expectComplete(apId: string, series: Map<string, Map<string, number>>, atLeast: number) {
  const answer = await env.manc.telemetry.chart(apId, [...series.keys()], { window: '15m' })
  for (const { metric, points } of answer.series) {
    const shown = series.get(metric) ?? new Map<string, number>()
    const moments = [...shown.keys()]
    const newestMs = Date.parse(moments.at(-1) ?? '')
    // The window of the answer ends later than that of the charts, and begins later.
    const first = new Date(Math.max(Date.parse(moments[0] ?? ''), newestMs - 840_000)).toISOString()
    const until = new Date(newestMs - 5000).toISOString()
    const within = (moment: string) => moment >= first && moment <= until
    const known = points.filter(({ ts }) => within(ts)).map(({ ts, value }) => [ts, value])
    expect([...shown].filter(([moment]) => within(moment))).toEqual(known)
    expect(known.length).toBeGreaterThanOrEqual(atLeast)
  }
}

const newestOf = (series: Map<string, Map<string, number>>): number =>
  Math.max(
    ...[...series.values()].flatMap((points) => [...points.keys()].map((moment) => Date.parse(moment))),
  )

/** The newest sample in the controller. */
async function newestSampleOf(apId: string): Promise<number> {
  const { series } = await env.manc.telemetry.chart(apId, ['clients'], { window: '1m' })
  return Date.parse(series[0]?.points.at(-1)?.ts ?? '')
}

const lengthOf = (on: Page): number => {
  const [from = 0, to = 0] = periodIn(on) ?? []
  return to - from
}

const resultOf = (command: string) => page.getByRole('group', { name: `Command ${command}` })

describe('live charts', () => {
  it('contain every point of operation 28, also after a pause', async () => {
    await open(wifi)
    const first = newestOf(await exportedCharts(page))
    await expect.poll(async () => newestOf(await exportedCharts(page)) - first).toBeGreaterThan(10_000)
    const before = await exportedCharts(page)
    expect(before.size).toBe(8)
    await expectComplete(wifi, before, 4)
    // Until the values of the period are read, those of the live charts are shown.
    await Promise.all([page.waitForResponse(/telemetry\/series/), pause(page)])
    await charts(page).waitFor()
    const paused = await exportedCharts(page)
    await expect.poll(async () => (await newestSampleOf(wifi)) - newestOf(paused)).toBeGreaterThan(5000)
    expect(await exportedCharts(page)).toEqual(paused)
    await page.getByRole('button', { name: 'Go live' }).click()
    await expect
      .poll(async () => newestOf(await exportedCharts(page)) - newestOf(paused))
      .toBeGreaterThan(5000)
    await expectComplete(wifi, await exportedCharts(page), 10)
  })

  it('show newly selected metrics of a fixed period, which stay in the address', async () => {
    await open(lifi)
    await pause(page)
    const period = periodIn(page)
    await page.getByRole('button', { name: /^Metrics/ }).click()
    await page.getByRole('button', { name: 'Select all' }).click()
    await page.getByRole('img', { name: /^Blockage/ }).waitFor()
    await expect.poll(() => page.getByRole('img', { name: /No data/ }).count()).toBe(0)
    expect(periodIn(page)).toEqual(period)
    expect(new URL(page.url()).searchParams.get('metrics')).toContain('blockage')
  })

  it('stay when a request fails, and are updated again afterwards', async () => {
    await open(lifi)
    const readings = /\/api\/v1\/.*metric/
    await page.route(readings, (route) => route.fulfill({ status: 403, json: { detail: 'Not now.' } }))
    try {
      await page.getByText('Request failed').waitFor()
      expect(await charts(page).count()).toBe(1)
    } finally {
      await page.unroute(readings)
    }
    await page.getByText('Request failed').waitFor({ state: 'hidden' })
  })

  it('have a text for screen readers, and can be read with the keyboard', async () => {
    await open(lifi)
    const chart = page.getByRole('img', { name: /^Throughput \(Mbit\/s\)\./ })
    expect(await chart.getAttribute('aria-label')).toMatch(
      /Latest [\d.,]+ Mbit\/s, lowest [\d.,]+ Mbit\/s, highest [\d.,]+ Mbit\/s, the last 15 minutes\.$/,
    )
    await chart.focus()
    await page.keyboard.press('ArrowLeft')
    const readout = page.getByLabel('Values at the cursor')
    await expect.poll(() => readout.innerText()).toMatch(/^Time\s+(\d{4}-\d\d-\d\d )?\d\d:\d\d:\d\d UTC/)
    expect(await readout.innerText()).toMatch(/Throughput\s+[\d.,]+ Mbit\/s/)
    expect(await readout.innerText()).toMatch(/Illuminance\s+[\d.,]+ lx/)
  })

  it('zoom in by dragging, which is in the address, and back with the back button', async () => {
    await page.goto(`${env.url}/access-points/${wifi}?range=5m`)
    await charts(page).waitFor()
    await dragOverChart(page, 0.5, 0.95)
    await page.getByRole('button', { name: 'Go live' }).waitFor()
    await expect.poll(() => periodIn(page)).toBeDefined()
    const [from = 0, to = 0] = periodIn(page) ?? []
    expect((to - from) / 1000).toBeGreaterThan(125)
    expect((to - from) / 1000).toBeLessThan(145)
    await charts(page).waitFor()
    await page.locator('.chart .u-over').first().dblclick()
    await expect.poll(() => lengthOf(page) / (to - from)).toBeCloseTo(2, 2)
    await page.goBack()
    await expect.poll(() => periodIn(page)).toEqual([from, to])
    await page.goBack()
    await page.getByRole('button', { name: 'Pause' }).waitFor()
    expect(periodIn(page)).toBeUndefined()
  })

  it('have units, statistics, a full screen and downloads of their own', async () => {
    await open(wifi)
    const load = page.locator('figure').filter({ has: page.getByRole('img', { name: /^Load \(%\)/ }) })
    expect(await load.innerText()).toMatch(/min [\d.]+ · mean [\d.]+ · max [\d.]+ · p95 [\d.]+/)
    await load.getByRole('button', { name: 'Actions for Load' }).click()
    await page.getByRole('menuitem', { name: 'Full screen' }).click()
    const dialog = page.getByRole('dialog', { name: 'Load' })
    const chart = dialog.getByRole('img', { name: /^Load/ })
    await expect.poll(async () => (await chart.boundingBox())?.height ?? 0).toBeGreaterThan(400)
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await load.getByRole('button', { name: 'Actions for Load' }).click()
    const csv = String(await downloadOf(page, page.getByRole('menuitem', { name: 'Download CSV' })))
    expect(csv).toMatch(/^time,load_pct\r\n\d{4}-/)
    await load.getByRole('button', { name: 'Actions for Load' }).click()
    const picture = await downloadOf(page, page.getByRole('menuitem', { name: 'Download PNG' }))
    expect(picture.subarray(1, 4).toString()).toBe('PNG')
  })

  it('can be selected, and the selection is stored for the technology', async () => {
    await open(fiveG)
    await page.getByRole('button', { name: 'Metrics (8)' }).click()
    await page.getByRole('checkbox', { name: 'CQI' }).check()
    await page.getByRole('checkbox', { name: 'Power (W)' }).uncheck()
    await page.getByRole('checkbox', { name: 'Latency (ms)' }).uncheck()
    await page.keyboard.press('Escape')
    await page.getByRole('img', { name: /^CQI\. Latest/ }).waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Metrics (7)' }).waitFor()
    await page.getByRole('img', { name: /^CQI\. Latest/ }).waitFor()
    expect(await page.getByRole('img', { name: /^Power/ }).count()).toBe(0)
  })

  it('show other windows, and are exported as an image', async () => {
    await open(lifi)
    await selectLast(page, '1 h')
    await expect.poll(() => new URL(page.url()).searchParams.get('range')).toBe('1h')
    await page.getByRole('img', { name: /^Clients\. Latest .*, the last hour\.$/ }).waitFor()
    await page.getByRole('button', { name: 'Export' }).click()
    const picture = await downloadOf(page, page.getByRole('menuitem', { name: 'Charts as PNG' }))
    expect(picture.subarray(1, 4).toString()).toBe('PNG')
    expect(picture.length).toBeGreaterThan(10_000)
  })
})

it('every stored value of the range is exported', async () => {
  await open(lifi)
  await selectLast(page, '1 h')
  await page.getByRole('img', { name: /^Clients\. Latest .*, the last hour\.$/ }).waitFor()
  const series = await exportedCharts(page, /^All stored values/)
  const all = [...series.values()].flatMap((points) => [...points.keys()]).sort()
  // The newest ones may not have been visible in all series when they were read.
  const to = new Date(Date.parse(all.at(-1) ?? '') - 10_000)
  const moments = all.filter((moment) => Date.parse(moment) <= to.getTime())
  const from = new Date(moments[0] ?? '')
  const known = await Array.fromAsync(env.manc.telemetry.history(lifi, { from, to }))
  expect(known.length).toBeGreaterThan(100)
  expect(known.filter(({ time, field, value }) => series.get(field)?.get(time) !== value)).toEqual([])
  expect(moments).toHaveLength(known.length)
})

describe('configuration', () => {
  it('is validated while typing, previewed, saved and restored by Undo', async () => {
    const { configuration: before } = await env.manc.agents.get(fiveG)
    await open(fiveG)
    await page.getByRole('tab', { name: 'Configuration' }).click()
    await page.getByRole('button', { name: 'Edit configuration' }).click()
    const text = page.getByRole('textbox', { name: 'Configuration' })
    await text.fill('{"name": ')
    await page.getByText('Invalid JSON').waitFor()
    expect(await page.getByRole('button', { name: /^Save/ }).isDisabled()).toBe(true)
    await text.fill(JSON.stringify({ ...before, floor: 2 }))
    await page.getByRole('row', { name: 'floor not set 2' }).waitFor()
    await page.getByRole('link', { name: 'Compare' }).first().click()
    await page.getByRole('dialog').getByText('Your changes are lost.').waitFor()
    await page.getByRole('button', { name: 'Stay' }).click()
    await page.getByRole('tab', { name: 'Charts' }).click()
    await charts(page).waitFor()
    await page.getByRole('tab', { name: 'Configuration' }).click()
    await page.getByRole('button', { name: 'Save 1 change' }).click()
    await page.getByRole('button', { name: 'Undo' }).waitFor()
    expect((await env.manc.agents.get(fiveG)).configuration).toEqual({ ...before, floor: 2 })
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText(`Configuration of ${fiveG} restored.`).waitFor()
    expect((await env.manc.agents.get(fiveG)).configuration).toEqual(before)
  })

  it('is edited in a form with the JSON beside it, compared with an earlier version and restored', async () => {
    const { configuration: before } = await env.manc.agents.get(fiveG)
    await open(fiveG)
    await page.getByRole('tab', { name: 'Configuration' }).click()
    await page.getByRole('button', { name: 'Edit configuration' }).click()
    const form = page.getByRole('group', { name: 'Settings' })
    await form.getByLabel('Transmit power (dBm)').fill('99')
    await form.getByText('Enter a number from 0 to 60.').waitFor()
    expect(await page.getByRole('button', { name: /^Save/ }).isDisabled()).toBe(true)
    await form.getByLabel('Transmit power (dBm)').fill('38')
    await form.getByLabel('Name').fill('Roof, north')
    const text = page.getByRole('textbox', { name: 'Configuration' })
    expect(JSON.parse(await text.inputValue())).toMatchObject({ name: 'Roof, north', tx_power_dbm: 38 })
    await expectAccessible(page)
    await page.getByRole('button', { name: /^Save 2 changes$/ }).click()
    const versions = page.getByRole('region', { name: 'Versions' })
    await versions.getByText('Current', { exact: true }).waitFor()
    const [, previous] = await env.manc.agents.configurations(fiveG)
    await versions
      .getByRole('button', { name: `Compare version ${previous?.version} with the current one` })
      .click()
    await versions.getByRole('row', { name: 'tx_power_dbm 38 removed' }).waitFor()
    // The version is in the address.
    await page.reload()
    await versions.getByRole('row', { name: 'tx_power_dbm 38 removed' }).waitFor()
    await expectAccessible(page)
    await versions.getByRole('button', { name: `Restore version ${previous?.version}` }).click()
    const question = page.getByRole('dialog')
    await question.getByRole('button', { name: `Restore version ${previous?.version}` }).click()
    await question.waitFor({ state: 'hidden' })
    expect((await env.manc.agents.get(fiveG)).configuration).toEqual(before)
  })

  it('is not overwritten if it was changed elsewhere meanwhile', async () => {
    const { configuration: before } = await env.manc.agents.get(lifi)
    await open(lifi)
    await page.getByRole('tab', { name: 'Configuration' }).click()
    await page.getByRole('button', { name: 'Edit configuration' }).click()
    await page.getByRole('textbox', { name: 'Configuration' }).fill(JSON.stringify({ ...before, floor: 1 }))
    await env.manc.agents.update(lifi, { configuration: { ...before, floor: 9 } })
    await page.getByRole('button', { name: 'Save 1 change' }).click()
    await page.getByText('The configuration was changed by another user or the agent').waitFor()
    expect((await env.manc.agents.get(lifi)).configuration).toMatchObject({ floor: 9 })
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Edit configuration' }).click()
    await page.getByRole('textbox', { name: 'Configuration' }).fill(JSON.stringify(before))
    await page.getByRole('button', { name: 'Save 1 change' }).click()
    await page.getByRole('button', { name: 'Undo' }).waitFor()
    await env.manc.agents.update(lifi, { configuration: { ...before, floor: 3 } })
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText(`The configuration of ${lifi} was changed again`).waitFor()
    expect((await env.manc.agents.get(lifi)).configuration).toMatchObject({ floor: 3 })
    await env.manc.agents.update(lifi, { configuration: before })
  })
})

describe('commands', () => {
  it('show every state with its time', async () => {
    await open(wifi)
    await page.getByRole('combobox', { name: 'Command' }).fill('set_channel 6')
    await page.keyboard.press('Enter')
    const progress = resultOf('set_channel 6')
    await progress.getByText('Completed').waitFor()
    await expect.poll(() => progress.getByLabel('In progress').count()).toBe(0)
    expect(await progress.innerText()).toMatch(
      /queued[^]*\d\d:\d\d:\d\d\.\d[^]*succeeded[^]*\d\d:\d\d:\d\d\.\d/,
    )
    expect(await progress.getByLabel('Result').innerText()).toContain('"channel": 6')
  })

  it('show the reason of a failure', async () => {
    await open(wifi)
    await page.getByRole('combobox', { name: 'Command' }).fill('dance')
    await page.keyboard.press('Enter')
    await resultOf('dance').getByRole('alert').getByText('dance is not known').waitFor()
    expect(await resultOf('dance').innerText()).toContain('failed')
  })

  it('are confirmed first if they are disruptive', async () => {
    await open(wifi)
    const jobs = async () => (await Array.fromAsync(env.manc.jobs.list())).filter(isCommand).length
    const before = await jobs()
    await page.getByRole('combobox', { name: 'Command' }).fill('reboot')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: `Send reboot to ${wifi}?` })
    await dialog.getByText('unavailable until it has restarted').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'hidden' })
    expect(await jobs()).toBe(before)
    await page.getByRole('button', { name: 'Send command' }).click()
    await dialog.getByRole('button', { name: 'Send reboot' }).click()
    await resultOf('reboot').getByText('Completed').waitFor()
  })
})

const isCommand = ({ kind }: { kind: string }) => kind === 'send_command'

it('the page links to neighbours and compares with them', async () => {
  await open(lifi)
  const near = page.getByRole('region', { name: 'Neighbours' })
  await near
    .getByText(/away, [\d.]+ % load/)
    .first()
    .waitFor()
  expect(await near.getByText(/ away, /).count()).toBe(6)
  const other = await near.getByRole('link').first().innerText()
  await near.getByRole('link', { name: `Compare with ${other}` }).click()
  await expect.poll(() => new URL(page.url()).searchParams.get('agents')).toBe(`${lifi},${other}`)
  await page.goBack()
  await near.getByRole('link', { name: other, exact: true }).click()
  await page.getByRole('heading', { level: 1, name: other }).waitFor()
})

it('the page shows a standard user neither commands nor configuration editing', async () => {
  const as = { username: `viewer-${randomUUID().slice(0, 8)}@manc.test`, password: 'a-new-password' }
  await env.manc.users.create({ ...as, roles: ['user'] })
  const userPage = await env.signedIn(`/access-points/${wifi}`, { as })
  // After this response the page has the permissions of the user.
  await Promise.all([userPage.waitForResponse('**/api/v1/users/me'), userPage.reload()])
  await charts(userPage).waitFor()
  await userPage.getByRole('region', { name: 'Neighbours' }).waitFor()
  expect(await userPage.getByRole('region', { name: 'Commands' }).count()).toBe(0)
  await userPage.getByRole('tab', { name: 'Configuration' }).click()
  await userPage.getByLabel('Configuration').getByText('"technology": "WiFi"').waitFor()
  expect(await userPage.getByRole('button', { name: 'Edit configuration' }).count()).toBe(0)
  await userPage.context().close()
})

it('the page reports an access point that does not exist', async () => {
  await page.goto(`${env.url}/access-points/unknown`)
  await page.getByText('Access point unknown not found').waitFor()
})

describe.each(variants)('%s', (scheme, viewport) => {
  it(`the access point page is accessible at a width of ${viewport.width}`, async () => {
    await page.emulateMedia({ colorScheme: scheme })
    await page.setViewportSize(viewport)
    await open(wifi)
    await page.getByRole('button', { name: /^Metrics/ }).click()
    await page.getByRole('checkbox', { name: 'Clients' }).waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.getByRole('combobox', { name: 'Command' }).fill('dance')
    await page.keyboard.press('Enter')
    await resultOf('dance').getByRole('alert').waitFor()
    await pause(page)
    await charts(page).waitFor()
    await expectAccessible(page)
    await page.getByRole('tab', { name: 'Configuration' }).click()
    await page.getByRole('button', { name: 'Edit configuration' }).click()
    await page.getByRole('textbox', { name: 'Configuration' }).fill('{"a": 1}')
    await page.getByRole('button', { name: /^Save \d+ changes$/ }).waitFor()
    await expectAccessible(page)
    await page.getByRole('combobox', { name: 'Command' }).fill('power_off')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Send power_off' }).waitFor()
    await expectAccessible(page)
  })
})

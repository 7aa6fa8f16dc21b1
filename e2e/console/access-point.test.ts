import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { downloadOf } from '../browser.ts'
import { dragOverChart, exportedCharts } from './charts.ts'
import { type ConsoleStage, consoleStage, expectAccessible, looks } from './stage.ts'

let stage: ConsoleStage
/** One for all tests: to sign in takes longer than most of them. */
let page: Page
/** One of each, for tests that change what they look at. */
let wifi: string
let lifi: string
let fiveG: string

beforeAll(async () => {
  stage = await consoleStage()
  const first = async (technology: '5G' | 'WiFi' | 'LiFi') => {
    const [agent] = await Array.fromAsync(
      stage.manc.fleet.agents({ technology: [technology], state: ['online'] }),
    )
    return agent?.ap_id ?? ''
  }
  ;[wifi, lifi, fiveG] = await Promise.all([first('WiFi'), first('LiFi'), first('5G')])
  page = await stage.signedIn('/developers')
})
afterAll(() => stage?.close())

const charts = (on: Page) => on.getByRole('img', { name: /^Clients\. Latest/ })

/** Anew, with nothing chosen before. */
async function open(apId: string): Promise<void> {
  await page.evaluate('localStorage.clear()')
  await page.goto(`${stage.url}/access-points/${apId}`)
  await charts(page).waitFor()
}

/** What operation 28 says of the same time, but for the last two seconds: they may still be on their way. */
async function expectNoneMissed(apId: string, series: Map<string, Map<string, number>>, atLeast: number) {
  const answer = await stage.manc.telemetry.chart(apId, [...series.keys()], { window: '15m' })
  for (const { metric, points } of answer.series) {
    const shown = series.get(metric) ?? new Map<string, number>()
    const moments = [...shown.keys()]
    const first = moments[0] ?? ''
    const until = new Date(Date.parse(moments.at(-1) ?? '') - 2000).toISOString()
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

const resultOf = (command: string) => page.getByRole('group', { name: `Command ${command}` })

describe('live charts', () => {
  it('hold every point that operation 28 has, through a pause as well', async () => {
    await open(wifi)
    await page.waitForTimeout(4000)
    const before = await exportedCharts(page)
    expect(before.size).toBe(8)
    await expectNoneMissed(wifi, before, 4)
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByText(/^Paused, data \d+ s old$/).waitFor()
    const paused = await exportedCharts(page)
    await page.waitForTimeout(6000)
    expect(await exportedCharts(page)).toEqual(paused)
    await page.getByRole('button', { name: 'Resume' }).click()
    await expect
      .poll(async () => newestOf(await exportedCharts(page)) - newestOf(paused))
      .toBeGreaterThan(5000)
    await expectNoneMissed(wifi, await exportedCharts(page), 10)
  })

  it('go on when a metric is chosen in a pause', async () => {
    await open(lifi)
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByText(/^Paused, data \d+ s old$/).waitFor()
    await page.getByRole('button', { name: /^Metrics/ }).click()
    await page.getByRole('button', { name: 'Select all' }).click()
    await page.getByRole('button', { name: 'Pause' }).waitFor()
    await expect.poll(() => page.getByRole('img', { name: /No data/ }).count()).toBe(0)
  })

  it('stay when one reading of them fails, and are read again', async () => {
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

  it('say what they show to who does not see them, and are read with the keyboard', async () => {
    await open(lifi)
    const chart = page.getByRole('img', { name: /^Throughput \(Mbit\/s\)\./ })
    expect(await chart.getAttribute('aria-label')).toMatch(
      /Latest [\d.,]+ Mbit\/s, lowest [\d.,]+ Mbit\/s, highest [\d.,]+ Mbit\/s, the last 5 minutes\.$/,
    )
    await chart.focus()
    await page.keyboard.press('ArrowLeft')
    const readout = page.getByLabel('Values at the cursor')
    await expect.poll(() => readout.innerText()).toMatch(/^Time\s+(\d{4}-\d\d-\d\d )?\d\d:\d\d:\d\d UTC/)
    expect(await readout.innerText()).toMatch(/Throughput\s+[\d.,]+ Mbit\/s/)
    expect(await readout.innerText()).toMatch(/Illuminance\s+[\d.,]+ lx/)
  })

  it('zoom in by dragging, all of them, and out again', async () => {
    await open(wifi)
    await dragOverChart(page, 0.5, 0.9)
    await page.getByRole('button', { name: 'Zoom out' }).waitFor()
    await page.getByText(/^Paused, data \d+ s old$/).waitFor()
    await page.locator('.chart .u-over').first().dblclick()
    await page.getByRole('button', { name: 'Zoom out' }).waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Pause' }).waitFor()
  })

  it('are chosen, and the choice is kept for the technology', async () => {
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

  it('show other windows, and save a picture', async () => {
    await open(lifi)
    await page.getByText('1 h', { exact: true }).click()
    await page.getByRole('img', { name: /^Clients\. Latest .*, the last hour\.$/ }).waitFor()
    await page.getByRole('button', { name: 'Export' }).click()
    const picture = await downloadOf(page, page.getByRole('menuitem', { name: 'Charts as PNG' }))
    expect(picture.subarray(1, 4).toString()).toBe('PNG')
    expect(picture.length).toBeGreaterThan(10_000)
  })
})

it('reads its history, every value of it, and saves it', async () => {
  await open(lifi)
  await page.getByRole('tab', { name: 'History' }).click()
  await page.getByRole('button', { name: 'Last hour' }).click()
  await page.getByRole('button', { name: 'Apply' }).waitFor()
  await page.getByText(/values of \d+ metrics$/).waitFor()
  const series = await exportedCharts(page)
  const moments = [...series.values()].flatMap((points) => [...points.keys()]).sort()
  const [from, to] = [new Date(moments[0] ?? ''), new Date(moments.at(-1) ?? '')]
  const known = await Array.fromAsync(stage.manc.telemetry.history(lifi, { from, to }))
  expect(known.length).toBeGreaterThan(100)
  expect(known.filter(({ time, field, value }) => series.get(field)?.get(time) !== value)).toEqual([])
  expect(moments).toHaveLength(known.length)
  await page.getByLabel(/^To \(/).fill('2020-01-01 00:00:00')
  await page.getByText('The end must be after the start.').waitFor()
})

describe('configuration', () => {
  it('is checked while it is typed, shown before it is saved, saved, and put back', async () => {
    const { configuration: before } = await stage.manc.agents.get(fiveG)
    await open(fiveG)
    await page.getByRole('tab', { name: 'Configuration' }).click()
    await page.getByRole('button', { name: 'Edit configuration' }).click()
    const text = page.getByRole('textbox', { name: 'Configuration' })
    await text.fill('{"name": ')
    await page.getByText('Invalid JSON').waitFor()
    expect(await page.getByRole('button', { name: /^Save/ }).isDisabled()).toBe(true)
    await text.fill(JSON.stringify({ ...before, floor: 2 }))
    await page.getByRole('row', { name: 'floor not set 2' }).waitFor()
    await page.getByRole('tab', { name: 'Live' }).click()
    await charts(page).waitFor()
    await page.getByRole('tab', { name: 'Configuration' }).click()
    await page.getByRole('button', { name: 'Save 1 change' }).click()
    await page.getByRole('button', { name: 'Undo' }).waitFor()
    expect((await stage.manc.agents.get(fiveG)).configuration).toEqual({ ...before, floor: 2 })
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText(`Configuration of ${fiveG} restored.`).waitFor()
    expect((await stage.manc.agents.get(fiveG)).configuration).toEqual(before)
  })

  it('is not overwritten where somebody else has changed it meanwhile', async () => {
    const { configuration: before } = await stage.manc.agents.get(lifi)
    await open(lifi)
    await page.getByRole('tab', { name: 'Configuration' }).click()
    await page.getByRole('button', { name: 'Edit configuration' }).click()
    await page.getByRole('textbox', { name: 'Configuration' }).fill(JSON.stringify({ ...before, floor: 1 }))
    await stage.manc.agents.update(lifi, { configuration: { ...before, floor: 9 } })
    await page.getByRole('button', { name: 'Save 1 change' }).click()
    await page.getByText('The configuration was changed by someone else').waitFor()
    expect((await stage.manc.agents.get(lifi)).configuration).toMatchObject({ floor: 9 })
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Edit configuration' }).click()
    await page.getByRole('textbox', { name: 'Configuration' }).fill(JSON.stringify(before))
    await page.getByRole('button', { name: 'Save 1 change' }).click()
    await page.getByRole('button', { name: 'Undo' }).waitFor()
    await stage.manc.agents.update(lifi, { configuration: { ...before, floor: 3 } })
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText(`The configuration of ${lifi} was changed again`).waitFor()
    expect((await stage.manc.agents.get(lifi)).configuration).toMatchObject({ floor: 3 })
    await stage.manc.agents.update(lifi, { configuration: before })
  })
})

describe('commands', () => {
  it('are followed from state to state', async () => {
    await open(wifi)
    await page.getByRole('combobox', { name: 'Command' }).fill('set_channel 6')
    await page.keyboard.press('Enter')
    const way = resultOf('set_channel 6')
    await way.getByText('Completed').waitFor()
    await expect.poll(() => way.getByLabel('In progress').count()).toBe(0)
    expect(await way.innerText()).toMatch(/queued[^]*\d\d:\d\d:\d\d\.\d[^]*succeeded[^]*\d\d:\d\d:\d\d\.\d/)
    expect(await way.getByLabel('Result').innerText()).toContain('"channel": 6')
  })

  it('that went wrong say why', async () => {
    await open(wifi)
    await page.getByRole('combobox', { name: 'Command' }).fill('dance')
    await page.keyboard.press('Enter')
    await resultOf('dance').getByRole('alert').getByText('dance is not known').waitFor()
    expect(await resultOf('dance').innerText()).toContain('failed')
  })

  it('that cost something are asked about first', async () => {
    await open(wifi)
    const jobs = async () => (await Array.fromAsync(stage.manc.jobs.list())).filter(isCommand).length
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

it('leads to its neighbours, and compares it with them', async () => {
  await open(lifi)
  const near = page.getByRole('region', { name: 'Neighbours' })
  await near
    .getByText(/away, [\d.]+ % load/)
    .first()
    .waitFor()
  expect(await near.getByText(/ away, /).count()).toBe(6)
  const link = near.getByRole('link').first()
  const other = await link.innerText()
  await near.getByRole('link', { name: `Compare with ${other}` }).click()
  await expect.poll(() => new URL(page.url()).searchParams.get('agents')).toBe(`${lifi},${other}`)
  await page.goBack()
  await link.click()
  await page.getByRole('heading', { level: 1, name: other }).waitFor()
})

it('shows a standard user nothing that it may not do', async () => {
  const as = { username: `looks-${randomUUID().slice(0, 8)}@manc.test`, password: 'a-new-password' }
  await stage.manc.users.create({ ...as, roles: ['user'] })
  const theirs = await stage.signedIn(`/access-points/${wifi}`, { as })
  // What they may do is known from here on.
  await Promise.all([theirs.waitForResponse('**/api/v1/users/me'), theirs.reload()])
  await charts(theirs).waitFor()
  await theirs.getByRole('region', { name: 'Neighbours' }).waitFor()
  expect(await theirs.getByRole('region', { name: 'Commands' }).count()).toBe(0)
  await theirs.getByRole('tab', { name: 'Configuration' }).click()
  await theirs.getByLabel('Configuration').getByText('"technology": "WiFi"').waitFor()
  expect(await theirs.getByRole('button', { name: 'Edit configuration' }).count()).toBe(0)
  await theirs.context().close()
})

it('says so where there is none', async () => {
  await page.goto(`${stage.url}/access-points/nobody`)
  await page.getByText('Access point nobody not found').waitFor()
})

describe.each(looks)('%s', (scheme, viewport) => {
  it(`is accessible with a viewport of ${viewport.width}`, async () => {
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
    await page.getByRole('tab', { name: 'History' }).click()
    await page.getByRole('button', { name: 'Last hour' }).click()
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

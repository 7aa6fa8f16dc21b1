import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConsoleStage, consoleStage, expectAccessible, phone } from './stage.ts'

let stage: ConsoleStage
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
})
afterAll(() => stage?.close())

const open = async (apId: string, options?: Parameters<ConsoleStage['signedIn']>[1]): Promise<Page> => {
  const page = await stage.signedIn(`/access-points/${apId}`, options)
  await page.getByRole('img', { name: /^Clients\. Latest/ }).waitFor()
  return page
}

/** What the page saves as CSV, by metric: from moment to value. */
async function exported(page: Page): Promise<Map<string, Map<string, number>>> {
  await page.getByRole('button', { name: 'Export' }).click()
  const coming = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Values as CSV' }).click()
  const text = await readFile(await (await coming).path(), 'utf8')
  const [head = '', ...rows] = text.trim().split('\r\n')
  const names = head.split(',').slice(1)
  const series = new Map(names.map((name) => [name, new Map<string, number>()]))
  for (const row of rows) {
    const [moment = '', ...cells] = row.split(',')
    for (const [n, cell] of cells.entries())
      if (cell !== '') series.get(names[n] ?? '')?.set(moment, Number(cell))
  }
  return series
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

const resultOf = (page: Page, command: string) => page.getByRole('group', { name: `Command ${command}` })

describe('live charts', () => {
  it('hold every point that operation 28 has, through a pause as well', async () => {
    const page = await open(wifi)
    await page.waitForTimeout(8000)
    const before = await exported(page)
    expect(before.size).toBe(8)
    await expectNoneMissed(wifi, before, 6)
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByText(/^Paused, \d+ s old$/).waitFor()
    const paused = await exported(page)
    await page.waitForTimeout(20_000)
    expect(await exported(page)).toEqual(paused)
    await page.getByText(/^Paused, 2\d s old$/).waitFor()
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.waitForTimeout(3000)
    await expectNoneMissed(wifi, await exported(page), 25)
  })

  it('say what they show to who does not see them, and are read with the keyboard', async () => {
    const page = await open(lifi)
    const chart = page.getByRole('img', { name: /^Throughput \(Mbit\/s\)\./ })
    expect(await chart.getAttribute('aria-label')).toMatch(
      /Latest [\d.,]+ Mbit\/s, lowest [\d.,]+ Mbit\/s, highest [\d.,]+ Mbit\/s, the last 5 minutes\.$/,
    )
    await chart.focus()
    await page.keyboard.press('ArrowLeft')
    const readout = page.getByLabel('At the cursor')
    await expect.poll(() => readout.innerText()).toMatch(/^At\s+\d\d:\d\d:\d\d/)
    expect(await readout.innerText()).toMatch(/Throughput\s+[\d.,]+ Mbit\/s/)
    expect(await readout.innerText()).toMatch(/Illuminance\s+[\d.,]+ lx/)
  })

  it('zoom in by dragging, all of them, and out again', async () => {
    const page = await open(wifi)
    const box = await page.locator('.chart .u-over').first().boundingBox()
    if (!box) throw new Error('There is no chart.')
    await page.mouse.move(box.x + box.width * 0.5, box.y + 40)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width * 0.9, box.y + 40, { steps: 5 })
    await page.mouse.up()
    await page.getByRole('button', { name: 'Zoom out' }).waitFor()
    await page.mouse.dblclick(box.x + box.width * 0.5, box.y + 40)
    await page.getByRole('button', { name: 'Zoom out' }).waitFor({ state: 'hidden' })
  })

  it('are chosen, and the choice is kept for the technology', async () => {
    const page = await open(fiveG)
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
    const page = await open(lifi)
    await page.getByText('1 h', { exact: true }).click()
    await page.getByRole('img', { name: /^Clients\. Latest .*, the last hour\.$/ }).waitFor()
    await page.getByRole('button', { name: 'Export' }).click()
    const coming = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: 'Charts as PNG' }).click()
    const picture = await readFile(await (await coming).path())
    expect(picture.subarray(1, 4).toString()).toBe('PNG')
    expect(picture.length).toBeGreaterThan(10_000)
  })
})

it('reads its history, every value of it, and saves it', async () => {
  const page = await open(lifi)
  await page.getByRole('tab', { name: 'History' }).click()
  await page.getByRole('button', { name: 'Last hour' }).click()
  await page.getByRole('button', { name: 'Read this period' }).waitFor()
  await page.getByText(/values of \d+ metrics$/).waitFor()
  const series = await exported(page)
  const moments = [...series.values()].flatMap((points) => [...points.keys()]).sort()
  const [from, to] = [new Date(moments[0] ?? ''), new Date(moments.at(-1) ?? '')]
  const known = await Array.fromAsync(stage.manc.telemetry.history(lifi, { from, to }))
  expect(known.length).toBeGreaterThan(100)
  expect(known.filter(({ time, field, value }) => series.get(field)?.get(time) !== value)).toEqual([])
  expect(moments).toHaveLength(known.length)
  await page.getByLabel('To', { exact: true }).fill('2020-01-01T00:00:00')
  await page.getByText('The end has to be after the start.').waitFor()
})

describe('configuration', () => {
  it('is checked while it is typed, shown before it is saved, saved, and put back', async () => {
    const { configuration: before } = await stage.manc.agents.get(fiveG)
    const page = await open(fiveG)
    await page.getByRole('tab', { name: 'Configuration' }).click()
    await page.getByRole('button', { name: 'Edit the configuration' }).click()
    const text = page.getByRole('textbox', { name: 'Configuration' })
    await text.fill('{"name": ')
    await page.getByText('This is not JSON yet').waitFor()
    expect(await page.getByRole('button', { name: /^Save/ }).isDisabled()).toBe(true)
    await text.fill(JSON.stringify({ ...before, floor: 2 }))
    await page.getByRole('row', { name: 'floor not there 2' }).waitFor()
    await page.getByRole('button', { name: 'Save this change' }).click()
    await page.getByRole('button', { name: 'Undo' }).waitFor()
    expect((await stage.manc.agents.get(fiveG)).configuration).toEqual({ ...before, floor: 2 })
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('is as it was before').waitFor()
    expect((await stage.manc.agents.get(fiveG)).configuration).toEqual(before)
  })

  it('is not overwritten where somebody else has changed it meanwhile', async () => {
    const { configuration: before } = await stage.manc.agents.get(lifi)
    const page = await open(lifi)
    await page.getByRole('tab', { name: 'Configuration' }).click()
    await page.getByRole('button', { name: 'Edit the configuration' }).click()
    await page.getByRole('textbox', { name: 'Configuration' }).fill(JSON.stringify({ ...before, floor: 1 }))
    await stage.manc.agents.update(lifi, { configuration: { ...before, floor: 9 } })
    await page.getByRole('button', { name: 'Save this change' }).click()
    await page.getByText('Somebody has changed it meanwhile.').waitFor()
    expect((await stage.manc.agents.get(lifi)).configuration).toMatchObject({ floor: 9 })
    await stage.manc.agents.update(lifi, { configuration: before })
  })
})

describe('commands', () => {
  it('are followed from state to state', async () => {
    const page = await open(wifi)
    await page.getByRole('combobox', { name: 'Command' }).fill('set_channel 6')
    await page.keyboard.press('Enter')
    const way = resultOf(page, 'set_channel 6')
    await way.getByText('Carried out').waitFor()
    await expect.poll(() => way.getByLabel('Under way').count()).toBe(0)
    expect(await way.innerText()).toMatch(/queued[^]*\d\d:\d\d:\d\d\.\d[^]*succeeded[^]*\d\d:\d\d:\d\d\.\d/)
    expect(await way.getByLabel('Result').innerText()).toContain('"channel": 6')
  })

  it('that went wrong say why', async () => {
    const page = await open(wifi)
    await page.getByRole('combobox', { name: 'Command' }).fill('dance')
    await page.keyboard.press('Enter')
    await resultOf(page, 'dance').getByRole('alert').getByText('dance is not known').waitFor()
    expect(await resultOf(page, 'dance').innerText()).toContain('failed')
  })

  it('that cost something are asked about first', async () => {
    const page = await open(wifi)
    const jobs = async () => (await Array.fromAsync(stage.manc.jobs.list())).filter(isCommand).length
    const before = await jobs()
    await page.getByRole('combobox', { name: 'Command' }).fill('reboot')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: `Send reboot to ${wifi}?` })
    await dialog.getByText('It serves nobody until it is back').waitFor()
    await dialog.getByText('Do not send it').click()
    await dialog.waitFor({ state: 'hidden' })
    expect(await jobs()).toBe(before)
    await page.getByRole('button', { name: 'Send the command' }).click()
    await dialog.getByRole('button', { name: 'Send reboot' }).click()
    await resultOf(page, 'reboot').getByText('Carried out').waitFor()
  })
})

const isCommand = ({ kind }: { kind: string }) => kind === 'send_command'

it('leads to its neighbours, and compares it with them', async () => {
  const page = await open(lifi)
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
  const as = { username: 'looks@manc.test', password: 'a-new-password' }
  await stage.manc.users.create({ ...as, roles: ['user'] })
  const page = await open(wifi, { as })
  await page.getByRole('region', { name: 'Neighbours' }).waitFor()
  expect(await page.getByRole('region', { name: 'Commands' }).count()).toBe(0)
  await page.getByRole('tab', { name: 'Configuration' }).click()
  await page.getByLabel('Configuration').getByText('"technology": "WiFi"').waitFor()
  expect(await page.getByRole('button', { name: 'Edit the configuration' }).count()).toBe(0)
})

it('says so where there is none', async () => {
  const page = await stage.signedIn('/access-points/nobody')
  await page.getByText('There is no access point nobody').waitFor()
})

describe.each(['light', 'dark'] as const)('%s', (scheme) => {
  it.each([undefined, phone])('is accessible with a viewport of %j', async (viewport) => {
    const page = await open(wifi, { scheme, ...(viewport && { viewport }) })
    await expectAccessible(page)
    await page.getByRole('button', { name: /^Metrics/ }).click()
    await page.getByRole('checkbox', { name: 'Clients' }).waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.getByRole('combobox', { name: 'Command' }).fill('dance')
    await page.keyboard.press('Enter')
    await resultOf(page, 'dance').getByRole('alert').waitFor()
    await page.getByRole('tab', { name: 'History' }).click()
    await page.getByRole('button', { name: 'Last hour' }).click()
    await page.getByRole('img', { name: /^Clients\. Latest/ }).waitFor()
    await expectAccessible(page)
    await page.getByRole('tab', { name: 'Configuration' }).click()
    await page.getByRole('button', { name: 'Edit the configuration' }).click()
    await page.getByRole('textbox', { name: 'Configuration' }).fill('{"a": 1}')
    await page.getByRole('button', { name: /^Save these/ }).waitFor()
    await expectAccessible(page)
    await page.getByRole('combobox', { name: 'Command' }).fill('power_off')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Send power_off' }).waitFor()
    await expectAccessible(page)
    await page.context().close()
  })
})

import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { downloadOf } from '../browser.ts'
import { type ConsoleEnvironment, consoleEnvironment } from './environment.ts'

/** A researcher compares two periods of a scenario for one technology, and exports the comparison. */

const maxClicks = 6
const periodMs = 20_000

let env: ConsoleEnvironment
let page: Page
/** Two periods of the running emulation, each with samples, in milliseconds. */
let first: number
let second: number

beforeAll(async () => {
  env = await consoleEnvironment()
  second = Math.ceil((await startOfSamples()) / 1000) * 1000
  first = second + periodMs + 5000
  // The samples of both periods are stored.
  const signal = AbortSignal.timeout(240_000)
  // Not a number while there is none.
  while (!((await newestSample()) >= first + periodMs)) await sleep(500, undefined, { signal })
})
beforeEach(async () => {
  page = await env.signedIn('/')
  await page.evaluate(countClicks)
})
afterEach(() => page.context().close())
afterAll(() => env?.close())

/** Runs in the page. The router does not reload it, so the count is of the whole task. */
const countClicks = `
  window.clicks = 0
  addEventListener('mousedown', () => window.clicks++, { capture: true })
`
const clicks = () => page.evaluate<number>('window.clicks')

async function newestSample(): Promise<number> {
  const from = new Date(Date.now() - 60_000)
  const { series } = await env.manc.telemetry.summary({ technology: 'LiFi' }, ['clients'], { from, step: 1 })
  return Date.parse(series[0]?.points.at(-1)?.ts ?? '')
}

/** The first sample of a LiFi access point within the last half hour. */
async function startOfSamples(): Promise<number> {
  const from = new Date(Date.now() - 1_800_000)
  const { series } = await env.manc.telemetry.summary({ technology: 'LiFi' }, ['clients'], { from, step: 2 })
  return Date.parse(series[0]?.points[0]?.ts ?? '') + 4000
}

/** As the console formats it, in the time zone of the browser. */
const local = (ms: number): Promise<string> =>
  page.evaluate<string>(`(() => {
    const at = new Date(${ms})
    return new Date(at.getTime() - at.getTimezoneOffset() * 60000).toISOString().slice(0, 19).replace('T', ' ')
  })()`)

const exportButton = () => page.getByRole('button', { name: 'Export CSV' })
const chart = () => page.getByRole('img', { name: /^Load \(%\)\. 2 lines\. Lowest: LiFi, [AB]/ })

/** Both periods, from 0, with the values of the controller. */
async function expectExported(text: string): Promise<void> {
  const [head = '', ...rows] = text.trim().split('\r\n')
  const names = [...head.matchAll(/"([^"]*)"|([^",]+)/g)].map(([, quoted, plain]) => quoted ?? plain)
  expect(names[0]).toBe('elapsed_s')
  const columnOf = (name: string) => {
    expect(names).toContain(name)
    const index = names.indexOf(name)
    return rows.map((row) => row.split(',')[index] ?? '').filter((cell) => cell !== '')
  }
  expect(rows[0]?.split(',')[0]).toBe('0')
  for (const [name, fromMs] of [
    ['A', first],
    ['B', second],
  ] as const) {
    for (const edge of ['p10', 'p90'])
      expect(columnOf(`LiFi, ${name} load_pct ${edge}`).length).toBeGreaterThan(5)
    const drawn = columnOf(`LiFi, ${name} load_pct p50`).map(Number)
    const times = { from: new Date(fromMs), to: new Date(fromMs + periodMs) }
    const { series } = await env.manc.telemetry.summary({ technology: 'LiFi' }, ['load_pct'], times)
    const known = series[0]?.points.map(({ p50 }) => p50) ?? []
    expect(Math.max(...drawn)).toBeLessThanOrEqual(Math.max(...known) + 1e-9)
    expect(Math.min(...drawn)).toBeGreaterThanOrEqual(Math.min(...known) - 1e-9)
  }
}

function expectAddress(): void {
  const search = Object.fromEntries(new URL(page.url()).searchParams)
  expect(search).toMatchObject({ by: 'period', technology: 'LiFi' })
  expect([search['from'], search['to'], search['second']].map((text) => Date.parse(text ?? ''))).toEqual([
    first,
    first + periodMs,
    second,
  ])
}

describe('a researcher compares two periods of a scenario for one technology and exports them', () => {
  it(`with at most ${maxClicks} clicks`, async () => {
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Compare' }).click()
    await page.getByText('Two periods', { exact: true }).click()
    await page.getByRole('radiogroup', { name: 'Periods of' }).getByText('LiFi').click()
    await page.getByRole('button', { name: /^Time range:/ }).click()
    await page.getByLabel(/^From \(/).fill(await local(first))
    await page.getByLabel(/^To \(/).fill(await local(first + periodMs))
    await page.keyboard.press('Enter')
    await page.getByLabel(/^B starts at/).click()
    await page.getByLabel(/^B starts at/).fill(await local(second))
    await page.keyboard.press('Enter')
    await chart().waitFor()
    const text = String(await downloadOf(page, exportButton()))
    expect(await clicks()).toBeLessThanOrEqual(maxClicks)
    expectAddress()
    await expectExported(text)
  })

  it('with the keyboard only', async () => {
    await tabTo((name) => name === 'Compare')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Compare' }).waitFor()
    await tabTo((name) => name === 'Access points')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => new URL(page.url()).searchParams.get('by')).toBe('period')
    await tabTo((name) => name === 'WiFi')
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => new URL(page.url()).searchParams.get('technology')).toBe('LiFi')
    await tabTo((name) => name.startsWith('Time range:'), 'Shift+Tab')
    await page.keyboard.press('Enter')
    await tabTo((name) => name.startsWith('From ('))
    await type(await local(first))
    await page.keyboard.press('Tab')
    await type(await local(first + periodMs))
    await page.keyboard.press('Enter')
    await tabTo((name) => name.startsWith('B starts at'))
    await type(await local(second))
    await page.keyboard.press('Enter')
    await chart().waitFor()
    await tabTo((name) => name === 'Export CSV')
    const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
    expect(await clicks()).toBe(0)
    expectAddress()
    await expectExported(String(await readFile(await download.path())))
  })
})

/** Replaces the text of the focused field. */
async function type(text: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(text)
}

/** Runs in the page: the name of the focused element. */
const focusedName = `(() => {
  const element = document.activeElement
  const label = element?.getAttribute('aria-label') ?? element?.labels?.[0]?.textContent ?? element?.textContent
  return (label ?? '').trim()
})()`

async function tabTo(isTarget: (name: string) => boolean, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  const passed: string[] = []
  for (let presses = 0; presses < 80; presses++) {
    await page.keyboard.press(key)
    const name = await page.evaluate<string>(focusedName)
    if (isTarget(name)) return
    passed.push(name.slice(0, 30))
  }
  throw new Error(`The keyboard does not reach it. It reaches: ${passed.join(', ')}`)
}

/**
 * `npm run screenshots`: every page of the console, light and dark, on a desktop and on a phone, into docs/screenshots.
 * Takes them from the network that `npm run demo` runs in another terminal; `--url` where it is not at port 8080,
 * `--only network,alarm` for those whose names begin so.
 */
import { mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { Manc } from '@manc/sdk'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser } from '../e2e/browser.ts'

const root = path.join(import.meta.dirname, '..')
const folder = path.join(root, 'docs/screenshots')
const { url, only } = parseArgs({
  options: { url: { type: 'string', default: 'http://localhost:8080' }, only: { type: 'string' } },
}).values
const devices = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } }
const schemes = ['light', 'dark'] as const

const credentials = { username: 'admin@manc.local', password: passwordOfDemo() }
const manc = new Manc({ url, credentials })

interface Shot {
  name: string
  path: string
  /** Until the page is as it should be seen. */
  ready: (page: Page) => Promise<unknown>
}

const text = (pattern: string | RegExp) => (page: Page) => page.getByText(pattern).first().waitFor()
const heading = (page: Page) => page.getByRole('heading', { level: 1 }).waitFor()

const signedOutShots: Shot[] = ['sign-in', 'sign-up', 'confirm', 'recover', 'reset'].map((name) => ({
  name,
  path: `/${name}`,
  ready: heading,
}))

async function pages(): Promise<Shot[]> {
  const { technologies, busiest } = await manc.fleet.figures()
  const lifi = technologies.find(({ technology }) => technology === 'LiFi')?.busiest[0]?.ap_id
  if (lifi === undefined)
    throw new Error('No LiFi access point has sent anything yet: wait until the demo is live.')
  const compared = [lifi, ...busiest.slice(0, 3).map(({ ap_id: id }) => id)].join(',')
  const { jobNumber } = await manc.commands.sendToMany({ command: 'set_power 41', technology: 'LiFi' })
  const charts = (page: Page) => page.getByRole('img', { name: /^Clients\. Latest/ }).waitFor()
  const tab = (name: string) => async (page: Page) => {
    await page.getByRole('tab', { name }).click()
  }
  const compareLines = (page: Page) =>
    page
      .getByRole('img', { name: /lines?\. Lowest/ })
      .first()
      .waitFor()
  const administration = ['users', 'apps', 'enrolment', 'audit'].map((part) => ({
    name: `administration-${part}`,
    path: `/administration/${part}`,
    ready: (page: Page) => page.getByRole('navigation', { name: 'Administration sections' }).waitFor(),
  }))
  return [
    ...(await alarmShots()),
    { name: 'network', path: '/', ready: (page) => page.locator('[data-drawn]').waitFor() },
    { name: 'network-list', path: '/', ready: showList },
    { name: 'palette', path: '/', ready: showPalette },
    {
      name: 'access-points',
      path: '/access-points',
      ready: (page) => page.locator('[role=row][data-index]:not([data-waiting])').first().waitFor(),
    },
    { name: 'access-point', path: `/access-points/${lifi}`, ready: charts },
    { name: 'access-point-history', path: `/access-points/${lifi}?range=24h`, ready: charts },
    { name: 'access-point-configuration', path: `/access-points/${lifi}`, ready: tab('Configuration') },
    { name: 'compare', path: `/compare?agents=${compared}&range=1h`, ready: text('Clients') },
    { name: 'compare-technologies', path: '/compare?by=technology&range=6h', ready: compareLines },
    { name: 'compare-periods', path: '/compare?by=period&technology=WiFi&range=1h', ready: compareLines },
    { name: 'emulate', path: '/emulate', ready: (page) => page.locator('.pick-map canvas').waitFor() },
    { name: 'jobs', path: '/jobs', ready: text('succeeded') },
    { name: 'job', path: `/jobs#${jobNumber}`, ready: showResult },
    {
      name: 'command-to-many',
      path: '/jobs#send',
      ready: (page) => page.getByPlaceholder('set_power 20').waitFor(),
    },
    ...administration,
    { name: 'developers', path: '/developers', ready: text('PostgreSQL is up') },
  ]
}

/** Of the newest alarm. There are some only while a scenario of the demo is in its middle. */
async function alarmShots(): Promise<Shot[]> {
  for await (const { id, ap_id: apId, metric } of manc.alarms.list({ severity: ['critical'], pageSize: 1 })) {
    const chart = (page: Page) =>
      page
        .getByRole('img', { name: /Alarm: / })
        .first()
        .waitFor()
    return [
      {
        name: 'alarms',
        path: '/alarms',
        ready: (page) => page.getByRole('list', { name: 'Alarms, newest first' }).waitFor(),
      },
      { name: 'alarm', path: `/alarms/${id}`, ready: metric === 'presence' ? heading : chart },
      { name: 'access-point-marks', path: `/access-points/${apId}`, ready: chart },
    ]
  }
  return []
}

async function showResult(page: Page): Promise<void> {
  await page.getByText(/\d+ of \d+ done/).waitFor()
  const read = page.getByRole('button', { name: 'Read result' })
  if (await read.isVisible()) await read.click()
  await page.getByRole('table', { name: 'Result' }).waitFor()
}

async function showPalette(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Account' }).waitFor()
  await page.keyboard.press('Control+K')
  await page.getByRole('dialog').waitFor()
}

/** On a phone it is behind the map. */
async function showList(page: Page): Promise<void> {
  if (page.viewportSize()?.width === devices.phone.width)
    await page.getByText('List', { exact: true }).click()
  await page.getByText('By load', { exact: true }).click()
  await page.getByRole('list', { name: 'Access points by load' }).waitFor()
}

function passwordOfDemo(): string {
  const file = path.join(root, '.engines/dev/secrets.json')
  try {
    return (JSON.parse(readFileSync(file, 'utf8')) as { adminPassword: string }).adminPassword
  } catch (error) {
    throw new Error('There is no network to take pictures of: start npm run demo first.', { cause: error })
  }
}

async function take(browser: Browser, scheme: (typeof schemes)[number], device: keyof typeof devices) {
  const context = await browser.newContext({ viewport: devices[device], colorScheme: scheme })
  const page = await context.newPage()
  let taken = 0
  const shoot = async ({ name, path: where, ready }: Shot) => {
    if (only !== undefined && !only.split(',').some((each) => name.startsWith(each))) return
    taken += 1
    const picture = `${name}-${scheme}-${device}`
    try {
      await page.goto('about:blank')
      await page.goto(`${url}${where}`)
      await ready(page)
    } catch (error) {
      throw new Error(`${picture}: the page is not as it should be seen.`, { cause: error })
    }
    // Charts and maps are drawn, what slides in has arrived.
    await page.waitForTimeout(1500)
    await page.screenshot({ path: path.join(folder, `${picture}.png`) })
    console.log(picture)
  }
  for (const shot of signedOutShots) await shoot(shot)
  await page.goto(`${url}/sign-in`)
  await page.getByLabel('E-mail').fill(credentials.username)
  await page.getByRole('textbox', { name: 'Password' }).fill(credentials.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Account' }).waitFor()
  // A result is handed over once: each time there is another job.
  for (const shot of await pages()) await shoot(shot)
  await context.close()
  if (taken === 0) throw new Error(`No page is called ${only}: see their names in docs/screenshots.`)
}

async function takeAll(): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const browser = await launchBrowser()
  try {
    for (const scheme of schemes)
      for (const device of ['desktop', 'phone'] as const) await take(browser, scheme, device)
  } finally {
    await browser.close()
  }
}

await takeAll().catch((error: Error) => {
  console.error(error.message, error.cause instanceof Error ? `(${error.cause.message})` : '')
  process.exitCode = 1
})

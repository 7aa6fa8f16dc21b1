/** The pages, and when each is as it should be seen. */
import type { Page } from 'playwright-core'
import type { Prepared } from './prepare.ts'

export const devices = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } }

export interface Shot {
  name: string
  path: string
  /** Until the page is as it should be seen. */
  ready: (page: Page) => Promise<unknown>
}

const text = (pattern: string | RegExp) => (page: Page) => page.getByText(pattern).first().waitFor()
const heading = (page: Page) => page.getByRole('heading', { level: 1 }).waitFor()
const list = (name: string | RegExp) => (page: Page) => page.getByRole('list', { name }).first().waitFor()

export const signedOutShots: Shot[] = ['sign-in', 'sign-up', 'confirm', 'recover', 'reset'].map((name) => ({
  name,
  path: `/${name}`,
  ready: heading,
}))

export function signedInShots({ healthy, faulty, alarm, client, job, experiment }: Prepared): Shot[] {
  const chart = (name: RegExp) => (page: Page) => page.getByRole('img', { name }).first().waitFor()
  const accessPoint = (apId: string, search = '') => `/access-points/${apId}${search}`
  const administration = (part: string, ready: Shot['ready']): Shot => ({
    name: `administration-${part}`,
    path: `/administration/${part}`,
    ready,
  })
  return [
    { name: 'network', path: '/', ready: (page) => page.locator('[data-drawn]').waitFor() },
    { name: 'network-list', path: '/', ready: showList },
    { name: 'network-health', path: `/?colour=health&selected=${faulty}`, ready: drawnWithCard },
    { name: 'palette', path: '/', ready: showPalette },
    {
      name: 'access-points',
      path: '/access-points',
      ready: (page) => page.locator('[role=row][data-index]:not([data-waiting])').first().waitFor(),
    },
    { name: 'access-point', path: accessPoint(healthy), ready: chart(/^Clients\. Latest/) },
    { name: 'access-point-day', path: accessPoint(healthy, '?range=24h'), ready: chart(/^Clients\./) },
    {
      name: 'access-point-alarm',
      path: accessPoint(faulty, '?range=1h'),
      ready: chart(/Alarm: /),
    },
    {
      name: 'access-point-configuration',
      path: accessPoint(healthy),
      ready: (page) => page.getByRole('tab', { name: 'Configuration' }).click(),
    },
    {
      name: 'clients',
      path: '/clients',
      ready: (page) => page.locator('[role=row][data-index]').first().waitFor(),
    },
    {
      name: 'client',
      path: `/clients/${client}`,
      ready: (page) => page.locator('[data-drawn]').waitFor(),
    },
    { name: 'alarms', path: '/alarms', ready: list('Alarms, newest first') },
    { name: 'alarm', path: `/alarms/${alarm.id}`, ready: chart(/Alarm: /) },
    { name: 'alarm-rules', path: '/alarms/rules', ready: text('Load is bad') },
    { name: 'silences', path: '/alarms/silences', ready: text('Weekly firmware updates') },
    { name: 'notifications', path: '/alarms/notifications', ready: text('Network operations') },
    { name: 'events', path: '/events', ready: list(/^Events/) },
    {
      name: 'compare',
      path: `/compare?agents=${healthy},${faulty},library-wifi-2,library-5g-1&range=6h`,
      ready: compareLines,
    },
    { name: 'compare-technologies', path: '/compare?by=technology&range=24h', ready: compareLines },
    { name: 'compare-periods', path: '/compare?by=period&technology=WiFi&range=6h', ready: compareLines },
    { name: 'decisions', path: '/decisions', ready: text('Waiting for confirmation') },
    { name: 'experiments', path: '/experiments', ready: text('Which policy helps') },
    {
      name: 'experiment',
      path: `/experiments?open=${experiment}`,
      ready: (page) => page.getByRole('dialog').getByRole('img').first().waitFor(),
    },
    { name: 'emulate', path: '/emulate', ready: showEmulation },
    { name: 'jobs', path: '/jobs', ready: text('succeeded') },
    { name: 'job', path: `/jobs#${job}`, ready: text(/\d+ of \d+ done|Save CSV/) },
    {
      name: 'bulk-command',
      path: '/jobs#send',
      ready: fillInCommand,
    },
    administration('users', text('nina@campus')),
    administration('apps', text('energy-report')),
    administration('enrolment', text('union-lifi-*')),
    administration('audit', list('Audit log, newest first')),
    { name: 'account', path: '/account', ready: heading },
    { name: 'developers', path: '/developers', ready: text('PostgreSQL is up') },
  ]
}

const compareLines = (page: Page) =>
  page
    .getByRole('img', { name: /lines?\. Lowest/ })
    .first()
    .waitFor()

async function fillInCommand(page: Page): Promise<void> {
  await page.getByRole('group', { name: 'Technology' }).getByText('WiFi').click()
  await page.getByPlaceholder('set_power 20').fill('set_power 16')
  await page.keyboard.press('Escape')
  await page.getByText(/access points, \d+ online/).waitFor()
}

async function showEmulation(page: Page): Promise<void> {
  await page.locator('.pick-map canvas').waitFor()
  await page.getByText('6 of 6 online').first().waitFor()
  await page.getByRole('textbox', { name: 'Location' }).fill('51.4586,-2.6025')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Zoom to locations' }).click()
}

async function drawnWithCard(page: Page): Promise<void> {
  await page.locator('[data-drawn]').waitFor()
  await page.locator('.maplibregl-popup').waitFor()
}

async function showPalette(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Account' }).waitFor()
  await page.locator('[data-drawn]').waitFor()
  await page.keyboard.press('Control+K')
  await page.getByRole('dialog').waitFor()
}

/** On a phone it is behind the map. */
async function showList(page: Page): Promise<void> {
  await page.locator('[data-drawn]').waitFor()
  if (page.viewportSize()?.width === devices.phone.width)
    await page.getByText('List', { exact: true }).click()
  await page.getByText('By load', { exact: true }).click()
  await page.getByRole('list', { name: 'Access points by load' }).waitFor()
}

import {
  admin,
  closedPort,
  createEnvironment,
  type Replica,
  startReplica,
  type TestEnvironment,
} from '@manc/harness'
import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { desktop, expectAccessible, phone, signIn, useConsole, variants } from './environment.ts'

const env = useConsole()

/** Of the current user, which decides what a page shows. */
const me = /\/api\/v1\/users\/me/
/** All other data. */
const data = /\/api\/v1\/(?!users\/me|token)|\/readyz|\/openapi\.json/

const ofFirstAccessPoint = async () => {
  const [first] = await Array.fromAsync(env.manc.fleet.agents({ state: ['online'] }))
  return `/access-points/${first?.ap_id}`
}
const ofFirstJob = async () => {
  const [first] = await Array.fromAsync(env.manc.jobs.list())
  return `/jobs#${first?.job_number}`
}

/** Pages, what each loads first, and the requests that this needs. */
const pages: { name: string; path: string | (() => Promise<string>); what: string; needs?: RegExp }[] = [
  { name: 'Network', path: '/', what: 'network' },
  { name: 'Access points', path: '/access-points', what: 'access points' },
  { name: 'Access point', path: ofFirstAccessPoint, what: 'access point' },
  { name: 'Alarms', path: '/alarms', what: 'alarms' },
  { name: 'Alarm', path: '/alarms/1', what: 'alarm' },
  { name: 'Rules', path: '/alarms/rules', what: 'rules' },
  { name: 'Silences', path: '/alarms/silences', what: 'silences' },
  { name: 'Notifications', path: '/alarms/notifications', what: 'receivers' },
  { name: 'Events', path: '/events', what: 'events' },
  { name: 'Clients', path: '/clients', what: 'clients' },
  { name: 'Decisions', path: '/decisions', what: 'decisions' },
  { name: 'Experiments', path: '/experiments', what: 'experiments' },
  { name: 'Rollouts', path: '/administration/rollouts', what: 'rollouts' },
  { name: 'Compare', path: '/compare?by=technology', what: 'comparison' },
  { name: 'Emulate', path: '/emulate', what: 'emulations' },
  { name: 'Jobs', path: '/jobs', what: 'jobs' },
  { name: 'Job', path: ofFirstJob, what: 'job' },
  { name: 'Users', path: '/administration/users', what: 'users' },
  { name: 'Applications', path: '/administration/apps', what: 'applications' },
  { name: 'Enrolment', path: '/administration/enrolment', what: 'enrolment tokens' },
  { name: 'Audit log', path: '/administration/audit', what: 'audit log' },
  { name: 'Developers', path: '/developers', what: 'health' },
  { name: 'Account', path: '/account', what: 'your account', needs: me },
]

describe.each(pages.map((page, n) => ({ ...page, isDark: n % 2 === 1 })))(
  'the page $name',
  ({ path, what, needs = data, isDark }) => {
    it('says that it loads, that it failed, and that the connection is lost, and recovers from each', async () => {
      const page = await env.signedIn('/account', {
        scheme: isDark ? 'dark' : 'light',
        viewport: isDark ? phone : desktop,
      })
      let answer: 'none' | 'failure' | 'data' = 'none'
      const held: Route[] = []
      await page.route(needs, async (route) => {
        if (answer === 'none') held.push(route)
        else if (answer === 'failure') await route.abort()
        else await route.continue()
      })
      await page.goto(`${env.url}${typeof path === 'string' ? path : await path()}`)
      await page.getByText(`Loading ${what}…`).first().waitFor()
      await expectAccessible(page)

      answer = 'failure'
      await Promise.all(held.map((route) => route.abort()))
      const failure = page.getByRole('alert').filter({ hasText: 'No connection to the controller' })
      await failure.first().waitFor({ timeout: 40_000 })
      await expectAccessible(page)

      answer = 'data'
      await expect.poll(() => tryAgain(page)).toBe(0)

      await page.context().setOffline(true)
      const lost = page.getByRole('status').filter({ hasText: 'It updates automatically.' })
      await lost.waitFor({ timeout: 40_000 })
      await expectAccessible(page)
      // What was read stays.
      expect(await failure.count()).toBe(0)
      await page.context().setOffline(false)
      await expect.poll(() => lost.count(), { timeout: 40_000 }).toBe(0)
    })
  },
)

/** The number of failures that are left. */
async function tryAgain(page: Page): Promise<number> {
  const failure = page.getByRole('alert').filter({ hasText: 'No connection to the controller' })
  const button = failure.getByRole('button', { name: 'Try again' }).first()
  // It may be gone before it is clicked: each page reads again by itself too.
  if (await button.isVisible()) await button.click({ timeout: 1000 }).catch(() => {})
  return failure.count()
}

describe('with a controller that has no data', () => {
  let environment: TestEnvironment
  let server: Replica
  beforeAll(async () => {
    environment = await createEnvironment(inject('engines'))
    const port = await closedPort()
    const url = `http://127.0.0.1:${port}`
    server = await startReplica({ ...environment.variables, MANC_PORT: String(port), MANC_PUBLIC_URL: url })
  })
  afterAll(async () => {
    await server?.stop()
    await environment?.drop()
  })

  it.each(variants)('every page says what is missing and what to do next, %s', async (scheme, viewport) => {
    const page = await env.page(scheme, viewport)
    await page.goto(`${server.url}/sign-in`)
    await signIn(page, admin)
    for (const [path, text] of [
      ['/', 'No access points'],
      ['/access-points', 'No access points'],
      ['/access-points?q=unknown', 'No matches'],
      ['/access-points/unknown', 'Access point unknown not found'],
      ['/clients', 'No clients'],
      ['/clients/unknown', 'Client unknown not found'],
      ['/alarms', 'No open alarms'],
      ['/alarms/1', 'Alarm not found'],
      ['/alarms/silences', 'Nothing is silenced'],
      ['/alarms/notifications', 'No receivers'],
      ['/events?kind=onboarded', 'No events'],
      ['/decisions', 'No decisions'],
      ['/experiments', 'No experiments yet'],
      ['/administration/rollouts', 'No rollouts yet'],
      ['/compare', 'No access points selected'],
      ['/emulate', 'No emulations yet. Emulations that you start are listed here.'],
      ['/jobs', 'No jobs yet'],
      ['/administration/apps', 'No applications'],
      ['/administration/enrolment', 'No enrolment tokens'],
      ['/administration/audit?target=unknown', 'No matches'],
    ] as const) {
      await page.goto(`${server.url}${path}`)
      await page.getByText(text, { exact: true }).first().waitFor()
      await expectAccessible(page)
      const width = await page.evaluate<number>('document.documentElement.scrollWidth')
      expect([path, width > viewport.width]).toEqual([path, false])
    }
  })
})

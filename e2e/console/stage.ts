import { AxeBuilder } from '@axe-core/playwright'
import { admin } from '@manc/harness'
import { Manc } from '@manc/sdk'
import type { Browser, Page } from 'playwright-core'
import { afterEach, expect, inject } from 'vitest'
import { launchBrowser } from '../browser.ts'

type Scheme = 'light' | 'dark'
export const desk = { width: 1360, height: 860 }
export const phone = { width: 390, height: 844 }
/** As what a page has to be accessible. */
export const looks = [
  ['light', desk],
  ['dark', desk],
  ['light', phone],
  ['dark', phone],
] as const

// Collected, since what is thrown where the browser calls us belongs to no test.
const troubles: string[] = []
afterEach(() => expect(troubles.splice(0), 'what the pages of this test did wrong').toEqual([]))

export interface ConsoleStage {
  url: string
  admin: typeof admin
  /** The same controller, as its administrator. */
  manc: Manc
  browser: Browser
  /** A page of its own that nobody is signed in on. */
  page(scheme?: Scheme, viewport?: typeof desk): Promise<Page>
  /** A page of its own, signed in. */
  signedIn(path?: string, options?: SignInOptions): Promise<Page>
  close(): Promise<void>
}

interface SignInOptions {
  scheme?: Scheme
  viewport?: typeof desk
  as?: { username: string; password: string }
}

/**
 * A browser before the console that all browser tests share. What a page reports as an error fails its test, and so does
 * a request that goes anywhere else than to where the page comes from.
 */
export async function consoleStage(): Promise<ConsoleStage> {
  const { url } = inject('console')
  const browser = await launchBrowser()
  const page = async (scheme: Scheme = 'light', viewport = desk) => {
    const context = await browser.newContext({ viewport, colorScheme: scheme, acceptDownloads: true })
    const made = await context.newPage()
    made.setDefaultTimeout(15_000)
    made.on('pageerror', (error) => troubles.push(error.stack ?? error.message))
    made.on('request', (request) => {
      if (!request.isNavigationRequest() && leaves(request.url(), request.frame().url()))
        troubles.push(`${made.url()} asked for ${request.url()}`)
    })
    made.on('websocket', (socket) => {
      if (leaves(socket.url(), made.url())) troubles.push(`${made.url()} connects to ${socket.url()}`)
    })
    made.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) troubles.push(message.text())
    })
    return made
  }
  return {
    url,
    admin,
    manc: new Manc({ url, credentials: admin }),
    browser,
    page,
    async signedIn(path = '/', { scheme = 'light', viewport = desk, as = admin } = {}) {
      const made = await page(scheme, viewport)
      await made.goto(`${url}${path}`)
      await made.getByLabel('E-mail').fill(as.username)
      await made.getByRole('textbox', { name: 'Password' }).fill(as.password)
      await made.getByRole('button', { name: 'Sign in' }).click()
      await made.getByRole('button', { name: 'Account' }).waitFor()
      return made
    },
    close: () => browser.close(),
  }
}

/** Whether a request of a page goes to somebody else. */
const leaves = (url: string, from: string): boolean =>
  /^(https?|wss?):/.test(url) && new URL(url).host !== new URL(from).host

/** Runs in the page: what comes in is half transparent until it is there. */
const transitions = 'document.getAnimations().filter((each) => each instanceof CSSTransition).length'

/** No serious finding, as axe sees the page. */
export async function expectAccessible(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(transitions)).toBe(0)
  // Without a page of its own for the report, which frames of other origins would need: there are none.
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  const told = serious.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
  )
  expect(told).toEqual([])
}

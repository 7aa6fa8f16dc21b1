import { AxeBuilder } from '@axe-core/playwright'
import { admin } from '@manc/harness'
import { type KeptToken, Manc } from '@manc/sdk'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest'
import { launchBrowser } from '../browser.ts'

type Scheme = 'light' | 'dark'
export const desktop = { width: 1360, height: 860 }
export const phone = { width: 390, height: 844 }
const allVariants = [
  ['light', desktop],
  ['dark', phone],
  ['dark', desktop],
  ['light', phone],
] as const
/** The variants in which pages are tested for accessibility. The quick form has each scheme and each width once. */
export const variants = process.env['MANC_QUICK'] === '1' ? allVariants.slice(0, 2) : allVariants

// Collected, since an exception in an event handler of the browser belongs to no test.
const pageErrors: string[] = []
afterEach(() => expect(pageErrors.splice(0), 'errors reported by the pages of this test').toEqual([]))

interface Account {
  username: string
  password: string
}

interface SignInOptions {
  scheme?: Scheme
  viewport?: typeof desktop
  as?: Account
}

export interface ConsoleEnvironment {
  url: string
  /** Where vmalert sends its alerts. */
  internalUrl: string
  admin: Account
  /** The same controller, as its administrator. */
  manc: Manc
  browser: Browser
  /** A page in a new browser context, not signed in. */
  page(scheme?: Scheme, viewport?: typeof desktop): Promise<Page>
  /** A page in a new browser context that starts with a stored session. Each account logs in once per file. */
  signedIn(path?: string, options?: SignInOptions): Promise<Page>
  close(): Promise<void>
}

/**
 * A browser for a console, by default for the one that all browser tests share. A test fails if one of its pages reports an
 * error or sends a request to another host.
 */
export async function consoleEnvironment(
  { url, internalUrl }: Pick<ConsoleEnvironment, 'url' | 'internalUrl'> = inject('console'),
): Promise<ConsoleEnvironment> {
  const browser = await launchBrowser()
  const sessions = new Map<string, Promise<string>>()
  const page = async (scheme: Scheme = 'light', viewport = desktop) => {
    const context = await browser.newContext({ viewport, colorScheme: scheme, acceptDownloads: true })
    const created = await context.newPage()
    created.setDefaultTimeout(45_000)
    created.setDefaultNavigationTimeout(90_000)
    created.on('pageerror', (error) => pageErrors.push(error.stack ?? error.message))
    created.on('request', (request) => {
      if (!request.isNavigationRequest() && isExternal(request.url(), request.frame().url()))
        pageErrors.push(`${created.url()} requested ${request.url()}`)
    })
    created.on('websocket', (socket) => {
      if (isExternal(socket.url(), created.url()))
        pageErrors.push(`${created.url()} connected to ${socket.url()}`)
    })
    created.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) pageErrors.push(message.text())
    })
    return created
  }
  return {
    url,
    internalUrl,
    admin,
    manc: new Manc({ url, credentials: admin }),
    browser,
    page,
    async signedIn(path = '/', { scheme = 'light', viewport = desktop, as = admin } = {}) {
      const session = sessions.get(as.username) ?? logIn(url, as)
      sessions.set(as.username, session)
      const created = await page(scheme, viewport)
      await created.addInitScript({ content: restoreSession(url, await session) })
      await created.goto(`${url}${path}`)
      await created.getByRole('button', { name: 'Account' }).waitFor()
      return created
    },
    close: () => browser.close(),
  }
}

/** The environment of a file whose tests open their own pages. It can be used from the first test on. */
export function useConsole(): ConsoleEnvironment {
  const env = {} as ConsoleEnvironment
  beforeAll(async () => {
    Object.assign(env, await consoleEnvironment())
  })
  // An open page keeps polling, which slows down the next one.
  afterEach(() => Promise.all(env.browser.contexts().map((context) => context.close())))
  afterAll(() => env.close?.())
  return env
}

/** Signs in with the form of the page that is open. */
export async function signIn(page: Page, { username, password }: Account): Promise<void> {
  await page.getByLabel('E-mail').fill(username)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Account' }).waitFor()
}

const storageKey = 'manc.session'

/** The session as the console stores it in the session storage of a tab. */
async function logIn(url: string, account: Account): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<KeptToken>()
  await new Manc({ url, credentials: account, onToken: resolve }).logIn()
  return JSON.stringify({ ...(await promise), username: account.username })
}

/** Runs before the scripts of a page: the tab has this session unless it already has one. */
const restoreSession = (url: string, session: string): string => `
  if (location.origin === ${JSON.stringify(url)} && !sessionStorage.getItem('${storageKey}'))
    sessionStorage.setItem('${storageKey}', ${JSON.stringify(session)})
`

/** Whether a request goes to another host than the page. */
const isExternal = (url: string, pageUrl: string): boolean =>
  /^(https?|wss?):/.test(url) && new URL(url).host !== new URL(pageUrl).host

/** Runs in the page: content is semi-transparent while it fades in, which fails the contrast check. */
const transitions = 'document.getAnimations().filter((each) => each instanceof CSSTransition).length'

/** Fails for serious findings of axe. */
export async function expectAccessible(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(transitions)).toBe(0)
  // Legacy mode opens no extra page; that is needed only for frames of other origins, and there are none.
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  const findings = serious.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
  )
  expect(findings).toEqual([])
}

/** Tests a page in light and dark, on a desktop and on a phone: with axe, and that it is not wider than the screen. */
export async function expectAccessibleEverywhere(page: Page, open: () => Promise<unknown>): Promise<void> {
  for (const [scheme, size] of variants) {
    await page.emulateMedia({ colorScheme: scheme })
    await page.setViewportSize(size)
    await open()
    await expectAccessible(page)
    const width = await page.evaluate<number>('document.documentElement.scrollWidth')
    expect(width, `width on ${scheme} ${size.width}`).toBeLessThanOrEqual(size.width)
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize(desktop)
}

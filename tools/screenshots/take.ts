import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { launchBrowser } from '../../e2e/browser.ts'
import type { Prepared } from './prepare.ts'
import { devices, type Shot, signedInShots, signedOutShots } from './shots.ts'

const folder = path.join(import.meta.dirname, '../../docs/screenshots')
const schemes = ['light', 'dark'] as const
/** Smaller than PNG by two thirds; text stays sharp. */
const quality = 0.86
const timeoutMs = 40_000

interface TakeOptions {
  url: string
  prepared: Prepared
  credentials: { username: string; password: string }
  /** Beginnings of names, separated by commas. */
  only: string | undefined
}

/** Takes all pictures, and deletes those of pages that are not taken any more. */
export async function takeAll(options: TakeOptions): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const browser = await launchBrowser()
  const taken: string[] = []
  const failures: string[] = []
  try {
    const encoder = await (await browser.newContext()).newPage()
    for (const device of ['desktop', 'phone'] as const)
      for (const scheme of schemes)
        taken.push(...(await take(browser, encoder, { ...options, failures, scheme, device })))
  } finally {
    await browser.close()
  }
  if (failures.length > 0)
    throw new Error(`These pages are not as they should be seen:\n${failures.join('\n')}`)
  if (taken.length === 0)
    throw new Error(`No page is called ${options.only}: see tools/screenshots/shots.ts for their names.`)
  if (options.only !== undefined) return
  for (const file of readdirSync(folder)) if (!taken.includes(file)) rmSync(path.join(folder, file))
  writeFileSync(path.join(folder, 'README.md'), gallery(options.prepared))
}

/** All pages on one page: light on a desktop and dark on a phone. Each picture exists in both schemes. */
function gallery(prepared: Prepared): string {
  const names = [...signedInShots(prepared), ...signedOutShots].map(({ name }) => name)
  const sections = names.map(
    (name) =>
      `## ${name}\n\n<img src="${name}-light-desktop.webp" alt="${name}, light, desktop" width="760"> ` +
      `<img src="${name}-dark-phone.webp" alt="${name}, dark, phone" width="220">\n`,
  )
  return [
    '# Pictures of the console\n',
    'Written by `npm run screenshots`. Each page also exists in dark for a desktop and in light for a phone.\n',
    ...sections,
  ].join('\n')
}

interface Variant extends TakeOptions {
  /** Pictures that could not be taken. The others are. */
  failures: string[]
  scheme: (typeof schemes)[number]
  device: keyof typeof devices
}

async function take(browser: Browser, encoder: Page, variant: Variant): Promise<string[]> {
  const { failures, url, prepared, credentials, only, scheme, device } = variant
  const context = await browser.newContext({
    viewport: devices[device],
    colorScheme: scheme,
    timezoneId: 'Europe/London',
    locale: 'en-GB',
  })
  const page = await context.newPage()
  page.setDefaultTimeout(timeoutMs)
  const isWanted = ({ name }: Shot) => only?.split(',').some((each) => name.startsWith(each)) ?? true
  const taken: string[] = []
  const shoot = async (shot: Shot) => {
    const file = `${shot.name}-${scheme}-${device}.webp`
    const picture = await pictureOf(page, `${url}${shot.path}`, shot).catch((error: Error) => {
      failures.push(`${file}: ${error.message.split('\n')[0]}`)
    })
    if (!picture) return
    writeFileSync(path.join(folder, file), await toWebp(encoder, picture))
    console.log(file)
    taken.push(file)
  }
  try {
    for (const shot of signedOutShots.filter(isWanted)) await shoot(shot)
    const inside = signedInShots(prepared).filter(isWanted)
    if (inside.length > 0) await signIn(context, page, url, credentials)
    for (const shot of inside) await shoot(shot)
  } finally {
    await context.close()
  }
  return taken
}

async function pictureOf(page: Page, address: string, shot: Shot, attempts = 2): Promise<Buffer> {
  try {
    await page.goto('about:blank')
    await page.goto(address)
    await shot.ready(page)
  } catch (error) {
    // A busy machine answers late.
    if (attempts > 1) return pictureOf(page, address, shot, attempts - 1)
    throw error
  }
  // Charts and maps are drawn, what slides in has arrived.
  await page.waitForTimeout(1500)
  return page.screenshot()
}

async function signIn(
  context: BrowserContext,
  page: Page,
  url: string,
  { username, password }: { username: string; password: string },
): Promise<void> {
  await context.clearCookies()
  await page.goto(`${url}/sign-in`)
  await page.getByLabel('E-mail').fill(username)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Account' }).waitFor()
}

/** Encoded by the browser: no other program is needed. */
async function toWebp(encoder: Page, png: Buffer): Promise<Buffer> {
  const encoded = await encoder.evaluate<string>(`(async () => {
    const image = new Image()
    image.src = 'data:image/png;base64,${png.toString('base64')}'
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = image.width
    canvas.height = image.height
    canvas.getContext('2d').drawImage(image, 0, 0)
    return canvas.toDataURL('image/webp', ${quality})
  })()`)
  return Buffer.from(encoded.slice(encoded.indexOf(',') + 1), 'base64')
}

import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { type Browser, chromium, type Locator, type Page } from 'playwright-core'

const places = [
  process.env['CHROMIUM'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

/** The system's Chromium: nothing is downloaded. */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = places.find((place) => place !== undefined && existsSync(place))
  if (!executablePath)
    throw new Error(
      'Chromium is not installed. On Debian or Ubuntu: apt-get install chromium. Or set CHROMIUM.',
    )
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      // Maps are drawn with WebGL, here in software.
      '--enable-unsafe-swiftshader',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  })
}

/** What a click brings home. */
export async function downloadOf(page: Page, button: Locator): Promise<Buffer> {
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()])
  return readFile(await download.path())
}

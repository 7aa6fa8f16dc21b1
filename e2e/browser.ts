import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { type Browser, chromium, type Locator, type Page } from 'playwright-core'

const candidates = [
  process.env['CHROMIUM'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

/** Launches the Chromium of the system; nothing is downloaded. */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = candidates.find((file) => file !== undefined && existsSync(file))
  if (!executablePath)
    throw new Error(
      'Chromium is not installed. On Debian or Ubuntu: apt-get install chromium. Or set CHROMIUM.',
    )
  return chromium.launch({
    executablePath,
    // The first start reads it from a disk that may be slow.
    timeout: 120_000,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      // Maps need WebGL, here with software rendering.
      '--enable-unsafe-swiftshader',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  })
}

/** The file that a click downloads. */
export async function downloadOf(page: Page, button: Locator): Promise<Buffer> {
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()])
  return readFile(await download.path())
}

import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ConsoleEnvironment, consoleEnvironment, expectAccessibleEverywhere } from './environment.ts'

const name = `Lecture ${randomUUID().slice(0, 8)}`
/** The emulator also runs a network. */
const soon = { timeout: 240_000 }
let env: ConsoleEnvironment
let page: Page

beforeAll(async () => {
  env = await consoleEnvironment()
  page = await env.signedIn('/experiments')
})
afterAll(() => env?.close())

const panel = () => page.getByRole('dialog')
const p5 = () => panel().getByRole('table', { name: 'Throughput of the worst 5 % (Mbit/s)' })

it('an experiment is started, followed, and shows its results with intervals', async () => {
  await page.getByRole('button', { name: 'New experiment' }).click()
  await panel().getByLabel('Name').fill(name)
  await panel().getByLabel('Repetitions').fill('2')
  await panel().getByRole('button', { name: 'Start experiment' }).click()
  await panel().getByText('4 of 4 runs finished', { exact: false }).waitFor(soon)
  await p5().getByText('Best experience').waitFor()
  const rows = await p5().getByRole('row').allInnerTexts()
  expect(rows).toHaveLength(3)
  expect(rows[1]).toMatch(/None: clients decide\s+[\d.]+ ± [\d.]+\s+–/)
  expect(rows[2]).toMatch(
    /Best experience\s+[\d.]+ ± [\d.]+\s+[+-]?[\d.]+ ± [\d.]+\s+(better|worse|no clear difference)/,
  )
}, 400_000)

it('two runs are shown side by side from their start', async () => {
  await panel()
    .getByRole('img', { name: /^Mean throughput/ })
    .waitFor()
  await panel()
    .getByText(/Run A, solid: [\d.]+. Run B, dashed: [\d.]+/)
    .first()
    .waitFor()
  const label = await panel()
    .getByRole('img', { name: /^Attached clients/ })
    .getAttribute('aria-label')
  expect(label).toMatch(/Run A, solid: mean [\d.]+\. Run B, dashed: mean [\d.]+\./)
})

it('results are saved as CSV', async () => {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    panel().getByRole('button', { name: 'Runs as CSV' }).click(),
  ])
  const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n')
  expect(lines).toHaveLength(5)
  expect(lines[0]).toMatch(/^run,policy,seed,state,mean_mbps/)
})

it('the page and an open experiment are accessible, and it is deleted after a confirmation', async () => {
  await expectAccessibleEverywhere(page, () => p5().waitFor())
  await panel().getByRole('button', { name: 'Delete experiment' }).click()
  await page
    .getByRole('dialog', { name: `Delete ${name}?` })
    .getByRole('button', { name: 'Delete experiment' })
    .click()
  await expect.poll(() => panel().count()).toBe(0)
  await expect.poll(() => page.getByText(name).count()).toBe(0)
  await expectAccessibleEverywhere(page, () => page.getByRole('button', { name: 'New experiment' }).waitFor())
})

/**
 * Writes docs/plots: a day of each technology, and an hour of each scenario. With --check it writes nothing and fails if a
 * plot is missing, out of date or no longer drawn.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { scenarios, technologies } from '@manc/emulator/radio'
import { dayPages } from './day.page.ts'
import { renderPage } from './page.renderer.ts'
import type { Page } from './page.types.ts'
import { scenarioPage } from './scenario.page.ts'

const folder = path.join(import.meta.dirname, '../../docs/plots')
const isCheck = process.argv.includes('--check')

const plots = new Map<string, Page>([
  ...dayPages().map((page, n) => [`day-${technologies[n]?.toLowerCase()}.svg`, page] as const),
  ...scenarios
    // The plots of a day show it.
    .filter((name) => name !== 'daily')
    .map((name) => [`scenario-${name.replaceAll('_', '-')}.svg`, scenarioPage(name)] as const),
])

if (!isCheck) mkdirSync(folder, { recursive: true })
const present = existsSync(folder) ? readdirSync(folder) : []
for (const [name, page] of plots) {
  const file = path.join(folder, name)
  const svg = renderPage(page)
  if (existsSync(file) && readFileSync(file, 'utf8') === svg) continue
  if (isCheck) fail(`docs/plots/${name} is out of date: run npm run plots.`)
  else {
    writeFileSync(file, svg)
    console.log(`wrote docs/plots/${name}`)
  }
}
for (const name of present.filter((entry) => !plots.has(entry))) {
  if (isCheck) fail(`docs/plots/${name} is no longer drawn: run npm run plots, which deletes it.`)
  else {
    rmSync(path.join(folder, name))
    console.log(`deleted docs/plots/${name}`)
  }
}

function fail(message: string): void {
  console.error(message)
  process.exitCode = 1
}

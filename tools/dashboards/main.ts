/** Writes deploy/grafana from the definitions; `--check` only compares. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { dashboards } from './definitions.ts'
import { toGrafana } from './grafana.ts'

const folder = path.join(import.meta.dirname, '../../deploy/grafana')
const isCheck = process.argv.includes('--check')

mkdirSync(folder, { recursive: true })
for (const dashboard of dashboards) {
  const file = path.join(folder, `${dashboard.uid}.json`)
  const text = `${JSON.stringify(toGrafana(dashboard), null, 2)}\n`
  if (!isCheck) writeFileSync(file, text)
  else if (readText(file) !== text) {
    console.error(`${path.relative(process.cwd(), file)} is not up to date. Run: npm run dashboards`)
    process.exitCode = 1
  }
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/** Writes deploy/grafana and deploy/prometheus from the definitions; `--check` only compares. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { alerts } from './alerts.ts'
import { dashboards } from './dashboards/index.ts'
import { toGrafana } from './grafana.ts'
import { toRules } from './prometheus.ts'

const deploy = path.join(import.meta.dirname, '../../deploy')
const isCheck = process.argv.includes('--check')

const files = {
  ...Object.fromEntries(
    dashboards.map((each) => [`grafana/${each.uid}.json`, `${JSON.stringify(toGrafana(each), null, 2)}\n`]),
  ),
  'prometheus/manc.rules.yml': toRules(alerts),
}

for (const [name, text] of Object.entries(files)) {
  const file = path.join(deploy, name)
  if (!isCheck) {
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, text)
  } else if (readText(file) !== text) {
    console.error(`deploy/${name} is not up to date. Run: npm run monitoring`)
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

/**
 * Writes the files that are generated from the code: docs/configuration.md, docs/operations/limits.md, docs/operations/alarm-rules.md, docs/kpis.md, docs/openapi.json, and the parts of the SDK,
 * the CLI and the Python client that follow from the contract. With --check it writes nothing and fails if a file is out of date.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { openApiDocument } from '@manc/contract'
import { alarmRulesPage } from './generate/alarm-rules.ts'
import { cliLists, cliResources } from './generate/cli.ts'
import { configurationPage } from './generate/configuration.ts'
import { kpisPage } from './generate/kpis.ts'
import { limitsPage } from './generate/limits.ts'
import { pythonFiles } from './generate/python.ts'
import { sdkMethods, sdkResources, sdkRoutes } from './generate/sdk.ts'

const root = path.join(import.meta.dirname, '..')

const pages = {
  'docs/configuration.md': configurationPage(),
  'docs/operations/limits.md': limitsPage(),
  'docs/operations/alarm-rules.md': alarmRulesPage(),
  'docs/kpis.md': kpisPage(),
  'docs/openapi.json': `${JSON.stringify({ 'x-generated': 'by npm run docs', ...openApiDocument() }, null, 2)}\n`,
  'packages/cli/src/generated/resources.ts': cliResources(),
  'packages/cli/src/generated/lists.ts': cliLists(),
  'packages/sdk/src/generated/routes.ts': sdkRoutes(),
  'packages/sdk/src/generated/methods.ts': sdkMethods(),
  'packages/sdk/src/generated/resources.ts': sdkResources(),
  ...pythonFiles(),
}

let outdated = 0
for (const [name, text] of Object.entries(pages)) {
  const file = path.join(root, name)
  if (existsSync(file) && readFileSync(file, 'utf8') === text) continue
  outdated += 1
  if (process.argv.includes('--check')) console.error(`${name} is out of date: run npm run docs.`)
  else {
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, text)
    console.log(`wrote ${name}`)
  }
}
if (process.argv.includes('--check') && outdated > 0) process.exitCode = 1

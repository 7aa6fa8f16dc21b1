/**
 * Writes the parts of the documentation that are made from the code: docs/configuration.md and docs/openapi.json.
 * With --check it writes nothing and fails where a file is out of date.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { openApiDocument } from '@manc/contract'
import { Settings } from '../packages/server/src/config.ts'

const root = path.join(import.meta.dirname, '..')

interface Setting {
  description?: string
  default?: unknown
  writeOnly?: boolean
}

function configurationPage(): string {
  const rows = Object.entries(Settings.properties as Record<string, Setting>).map(([name, setting]) => {
    const needed = Settings.required?.some((each) => each === name) && setting.default === undefined
    const standard =
      setting.default === undefined ? (needed ? '**required**' : 'none') : show(setting.default)
    return `| \`${name}\` | ${standard} | ${setting.description ?? ''}${setting.writeOnly ? ' *Secret.*' : ''} |`
  })
  return [
    '# Settings',
    '',
    'Every setting of `manc-server`, read from the environment at start. A wrong, missing or unknown `MANC_` setting',
    'stops the start with a message that names it. Any setting `X` can be given as `X_FILE`, the path of a file that',
    'holds the value: use that for secrets. This page is made from `packages/server/src/config.ts` by `npm run docs`.',
    '',
    '| setting | default | meaning |',
    '|---|---|---|',
    ...rows,
    '',
    'Fixed limits: `configuration` and `permissions` 64 KiB each as JSON; JSON nested at most 64 levels deep; 32 roles of',
    '64 characters a user.',
    '',
  ].join('\n')
}

const show = (value: unknown) => (value === '' ? 'empty' : `\`${String(value)}\``)

const pages = {
  'docs/configuration.md': configurationPage(),
  'docs/openapi.json': `${JSON.stringify(openApiDocument(), null, 2)}\n`,
}

let outdated = 0
for (const [name, text] of Object.entries(pages)) {
  const file = path.join(root, name)
  if (existsSync(file) && readFileSync(file, 'utf8') === text) continue
  outdated += 1
  if (process.argv.includes('--check')) console.error(`${name} is out of date: run npm run docs.`)
  else {
    writeFileSync(file, text)
    console.log(`wrote ${name}`)
  }
}
if (process.argv.includes('--check') && outdated > 0) process.exitCode = 1

/**
 * Writes what is made from the code: docs/configuration.md, docs/openapi.json and the client's list of routes.
 * With --check it writes nothing and fails where a file is out of date.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type Operation, openApiDocument, operations } from '@manc/contract'
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

/** So that a client needs the contract for its types alone, and a browser none of the schemas. */
function clientRoutes(): string {
  const lines = Object.values<Operation>(operations).map(({ id, method, path: where, auth, idempotent }) => {
    const flags = `${auth === 'none' ? ', open: true' : ''}${idempotent ? ', idempotent: true' : ''}`
    return `  ${id}: { method: '${method}', path: '${where}'${flags} },`
  })
  return [
    "import type { OperationId } from '@manc/contract'",
    '',
    'export interface Route {',
    "  method: 'GET' | 'POST' | 'PUT' | 'DELETE'",
    '  path: string',
    '  /** Needs no token. */',
    '  open?: true',
    '  /** Takes an `Idempotency-Key`. */',
    '  idempotent?: true',
    '}',
    '',
    '/** Made from the contract by `npm run docs`. */',
    'export const routes: Record<OperationId, Route> = {',
    ...lines,
    '}',
    '',
  ].join('\n')
}

const pages = {
  'docs/configuration.md': configurationPage(),
  'docs/openapi.json': `${JSON.stringify(openApiDocument(), null, 2)}\n`,
  'packages/sdk/src/routes.ts': clientRoutes(),
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

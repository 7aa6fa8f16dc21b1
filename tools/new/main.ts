/**
 * Writes the skeleton of a new part of the product, and lists what remains to be filled in.
 *
 *   npm run new -- operation listSites --path /api/v1/sites --module sites [--table]
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { namesOf } from './names.ts'
import { newOperation } from './operation.ts'

const root = path.join(import.meta.dirname, '../..')
const usage = `npm run new -- operation NAME --path PATH --module MODULE [--table]

Writes the skeleton of a list operation in a new module. --table adds a migration.

Example:
  npm run new -- operation listSites --path /api/v1/sites --module sites`

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      path: { type: 'string' },
      module: { type: 'string' },
      table: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  })
  if (values.help) {
    console.log(usage)
    process.exit(0)
  }
  const [kind, operation] = positionals
  if (kind !== 'operation' || operation === undefined) throw new Error(usage)
  const names = namesOf({ operation, path: values.path, module: values.module })
  create(newOperation(names, { read, exists, list, hasTable: values.table === true }))
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 2
}

function create(files: ReturnType<typeof newOperation>): void {
  for (const { file, text } of files) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
    writeFileSync(path.join(root, file), text)
  }
  const sources = files.map(({ file }) => file).filter((file) => file.endsWith('.ts'))
  run('npx', ['biome', 'check', '--write', ...sources])
  run('npm', ['run', '--silent', 'docs'])
  console.log(`\nWrote ${files.length} files and ran npm run docs. What remains:\n`)
  for (const { file, next } of files) console.log(`  ${file}\n      ${next}`)
  console.log('\nThen: npm run docs && npm run check && npm test')
}

function read(file: string): string {
  return readFileSync(path.join(root, file), 'utf8')
}

function exists(file: string): boolean {
  return existsSync(path.join(root, file))
}

function list(folder: string): string[] {
  return readdirSync(path.join(root, folder))
}

function run(program: string, args: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}${stderr}`)
}

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
const usage = 'npm run new -- operation listSites --path /api/v1/sites --module sites [--table]'

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { path: { type: 'string' }, module: { type: 'string' }, table: { type: 'boolean' } },
  })
  const [kind, operation] = positionals
  if (kind !== 'operation' || operation === undefined) throw new Error(`Usage: ${usage}`)
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
  console.log(`\nWrote ${files.length} files. What remains:\n`)
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

function run(program: string, words: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(program, words, { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ${words.join(' ')} failed:\n${stdout}${stderr}`)
}

/**
 * Checks that every table has one owner: only the `*.store.ts` files of one module write it, SQL stays in stores and
 * engines/, and every table is typed in engines/postgres.tables.ts. With --list it prints the owner of each table.
 */
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type SqlUsage, sqlUsageOf } from './sql-usage.ts'

const root = path.join(import.meta.dirname, '..')
const server = 'packages/server'
const typedTables = `${server}/src/engines/postgres.tables.ts`
/** Its callers name the table. */
const batches = `${server}/src/engines/postgres.batches.ts`

const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const filesIn = (pattern: string) => globSync(pattern, { cwd: root }).toSorted()

const problems: string[] = []
const writers = new Map<string, Map<string, string>>()

for (const file of filesIn(`${server}/src/**/*.ts`)) {
  if (file.endsWith('.test.ts') || file === batches) continue
  const module = /\/modules\/([^/]+)\//.exec(file)?.[1]
  const isStore = module !== undefined && file.endsWith('.store.ts')
  for (const usage of sqlUsageOf(read(file))) check(file, module, isStore, usage)
}

function check(file: string, module: string | undefined, isStore: boolean, usage: SqlUsage): void {
  const place = `${file}:${usage.line}`
  if (usage.kind === 'query') {
    if (!isStore && !file.startsWith(`${server}/src/engines/`))
      problems.push(`${place}: a query outside of a store. Move it into a *.store.ts file of its module.`)
    return
  }
  const { table } = usage
  if (table === undefined)
    problems.push(`${place}: a write to a table that the text does not name. Write the name out.`)
  else if (!isStore || module === undefined)
    problems.push(
      `${place}: writes ${table} outside of a store. Move it into a *.store.ts file of its module.`,
    )
  else writersOf(table).set(module, writersOf(table).get(module) ?? place)
}

function writersOf(table: string): Map<string, string> {
  const known = writers.get(table) ?? new Map<string, string>()
  writers.set(table, known)
  return known
}

for (const [table, modules] of writers)
  if (modules.size > 1)
    problems.push(
      `${table} is written by ${modules.size} modules: ${[...modules].map(([module, place]) => `${module} (${place})`).join(', ')}. ` +
        'Let one of them write it, and call its service from the others.',
    )

const declared = /interface Tables \{\n([\s\S]*?)\n\}/.exec(read(typedTables))?.[1] ?? ''
const typed = new Set([...declared.matchAll(/^ {2}(\w+):/gm)].map(([, table]) => table))
for (const file of filesIn(`${server}/migrations/*.ts`))
  for (const [, table = ''] of read(file).matchAll(/\bcreate\s+(?:unlogged\s+)?table\s+(\w+)/g))
    if (!typed.has(table)) problems.push(`${file}: table ${table} is missing from ${typedTables}.`)
for (const table of writers.keys())
  if (!typed.has(table)) problems.push(`${table} is written but missing from ${typedTables}.`)

if (process.argv.includes('--list'))
  for (const [table, modules] of [...writers].toSorted(([a], [b]) => a.localeCompare(b)))
    console.log(`${table.padEnd(22)} ${[...modules.keys()].join(', ')}`)
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exitCode = 1

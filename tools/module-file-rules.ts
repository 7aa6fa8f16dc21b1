import ts from 'typescript'

/** Role in a file name → what the file contains. */
const roles = {
  module: 'builds the module from the platform and its neighbours',
  routes: 'operations of the HTTP interface',
  consumer: 'consumes a queue of the broker',
  publisher: 'publishes to the broker',
  loop: 'runs at an interval',
  job: 'handles one kind of job',
  client: 'calls another server',
  service: 'business logic',
  store: 'queries of an engine',
  cache: 'keeps values in memory',
  buffer: 'collects values in memory until they are written',
  registry: 'where other modules register themselves',
  connection: 'one open connection of a caller',
  source: 'feeds live subscriptions',
  metrics: 'metrics of the module',
  rules: 'pure decisions',
  format: 'pure conversions between formats',
  types: 'shared types',
}

const name = new RegExp(`^[a-z0-9]+(-[a-z0-9]+)*\\.(${Object.keys(roles).join('|')})\\.ts$`)

export function moduleFileProblems(file: string, source: string): string[] {
  if (file.endsWith('.test.ts')) return []
  if (file === 'index.ts') return exportedStores(source)
  if (name.test(file)) return []
  const list = Object.entries(roles).map(([role, meaning]) => `  ${role}: ${meaning}`)
  return [`the name has no role. Rename it to noun.role.ts with one of these roles:\n${list.join('\n')}`]
}

/** Types of rows and fragments of SQL may be exported; a store may not: other modules call a service. */
function exportedStores(source: string): string[] {
  const file = ts.createSourceFile('index.ts', source, ts.ScriptTarget.Latest, true)
  return file.statements.flatMap((statement) => {
    if (!ts.isExportDeclaration(statement)) return []
    const { exportClause, moduleSpecifier } = statement
    const from = moduleSpecifier && ts.isStringLiteral(moduleSpecifier) ? moduleSpecifier.text : ''
    if (!from.endsWith('.store.ts')) return []
    if (!exportClause || !ts.isNamedExports(exportClause))
      return [`exports all of ${from}. Name the exports.`]
    return exportClause.elements
      .filter(({ name: { text }, propertyName }) => (propertyName?.text ?? text).endsWith('Store'))
      .map(({ name: { text } }) => `exports ${text}. Give a service the method that other modules need.`)
  })
}

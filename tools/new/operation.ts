import { addBefore, addTo } from './edit.ts'
import type { Names } from './names.ts'
import * as templates from './templates.ts'

/** A file to write, and what its author fills in afterwards. */
interface NewFile {
  file: string
  text: string
  next: string
}

interface Project {
  read: (file: string) => string
  exists: (file: string) => boolean
  /** Names in a folder. */
  list: (folder: string) => string[]
  hasTable: boolean
}

/** The files of a list operation in a module of its own. It answers with an empty list until they are filled in. */
export function newOperation(names: Names, project: Project): NewFile[] {
  const { read, exists, hasTable } = project
  const { operation, module, plural, phrase } = names
  const folder = `packages/server/src/modules/${module}`
  const contract = `packages/contract/src/${module}.ts`
  if (exists(folder) || exists(contract))
    throw new Error(
      `The module ${module} exists. Add the operation to ${contract}, and its route, service and store to ${folder}, ` +
        'as CONTRIBUTING.md describes.',
    )
  const edited = (file: string, edit: (text: string) => string, next: string): NewFile => ({
    file,
    text: edit(read(file)),
    next,
  })
  return [
    {
      file: contract,
      text: templates.contract(names),
      next: 'the fields of an item, filters as query parameters, the columns of the CLI',
    },
    edited(
      'packages/contract/src/operations.ts',
      (text) => register(text, names),
      'the description of the tag',
    ),
    edited(
      'packages/server/src/access.ts',
      (text) => addTo(text, 'export const access:', `\n  ${operation}: ['admin'],\n`),
      'who may call it',
    ),
    { file: `${folder}/index.ts`, text: templates.index(names), next: 'exports that other modules use' },
    {
      file: `${folder}/${module}.module.ts`,
      text: templates.module(names),
      next: 'modules that it depends on',
    },
    {
      file: `${folder}/${module}.routes.ts`,
      text: templates.routes(names),
      next: 'filters in the link to the next page',
    },
    {
      file: `${folder}/${module}.service.ts`,
      text: templates.service(names),
      next: 'the rules, if there are any',
    },
    {
      file: `${folder}/${module}.store.ts`,
      text: hasTable ? templates.tableStore(names) : templates.store(names),
      next: hasTable ? 'the columns' : 'the query: the skeleton selects nothing',
    },
    edited('packages/server/src/compose/modules.ts', (text) => compose(text, names), 'nothing'),
    ...(hasTable ? tableFiles(names, project) : []),
    edited(
      'packages/server/test/grid/expectations.ts',
      (text) => addTo(text, 'const allowed:', `  ${operation}: admins,\n`),
      'who may call it, from the decision and not from access.ts',
    ),
    {
      file: `packages/server/test/${module}.test.ts`,
      text: templates.test(names),
      next: 'tests of order, filters and paging',
    },
    edited(
      'CHANGELOG.md',
      (text) =>
        text.replace(
          '### Added\n\n',
          `### Added\n\n- ${plural}: a list (\`GET ${names.path}\`, an extension).\n`,
        ),
      `what the list of ${phrase} is for`,
    ),
  ]
}

function register(text: string, { module, plural, phrase }: Names): string {
  const operations = `${module}Operations`
  const imported = addBefore(text, 'import type { Static', `import { ${operations} } from './${module}.ts'\n`)
  const exported = addBefore(imported, 'export * from', `export * from './${module}.ts'\n`)
  const tagged = addTo(exported, 'export const tags =', `  ${plural}: 'The list of ${phrase}',\n`)
  return addTo(tagged, 'export const operations =', `  ...${operations},\n`)
}

function compose(text: string, { module, plural }: Names): string {
  const factory = `create${plural}Module`
  const imported = addBefore(text, 'import ', `import { ${factory} } from '../modules/${module}/index.ts'\n`)
  const created = addBefore(imported, '  const all:', `  const ${module} = ${factory}(platform)\n`)
  return addTo(created, 'const all:', `    ${module},\n`)
}

function tableFiles(names: Names, { read, list }: Project): NewFile[] {
  const migrations = 'packages/server/migrations'
  const tables = 'packages/server/src/engines/postgres.tables.ts'
  return [
    {
      file: `${migrations}/${nextNumber(list(migrations))}-${names.module}.ts`,
      text: templates.migration(names),
      next: 'the columns',
    },
    {
      file: tables,
      text: addTo(
        read(tables),
        'export interface Tables {',
        `  ${names.module}: { id: string; name: string }\n`,
      ),
      next: 'the columns',
    },
  ]
}

const nextNumber = (migrations: readonly string[]): string => {
  const numbers = migrations.map((name) => Number.parseInt(name, 10)).filter(Number.isFinite)
  return String(Math.max(0, ...numbers) + 1).padStart(4, '0')
}

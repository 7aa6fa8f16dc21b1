import { type Operation, operations, tags } from '@manc/contract'
import { header } from './header.ts'
import { isPaged, type QueryField, queryFields } from './query-fields.ts'

type Schema = Operation['response']

/** Loaded at every start of `manc`, so it has nothing but what the list of commands shows. */
export function cliResources(): string {
  return [
    header,
    '/** Resources with a generated list command, and their lines in the help. */',
    'export const resources: Readonly<Record<string, string>> = {',
    ...lists().map(({ resource, operation }) => `  ${resource}: ${text(phrase(describedBy(operation)))},`),
    '}',
    '',
  ].join('\n')
}

const describedBy = ({ tag }: Operation) => tags[tag as keyof typeof tags]

export function cliLists(): string {
  return [
    header,
    "import type { ListCommand } from '../list-types.ts'",
    '',
    'export const lists: Readonly<Record<string, ListCommand>> = {',
    ...lists().map(listOf),
    '}',
    '',
  ].join('\n')
}

interface List {
  resource: string
  operation: Operation
}

function lists(): List[] {
  return Object.values<Operation>(operations).flatMap((operation) => {
    if (!operation.cli) return []
    const [resource, method] = operation.sdk?.split('.') ?? []
    if (!resource || method !== 'list')
      throw new Error(`${operation.id}: "cli" needs an SDK method "list", for example sdk: 'sites.list'.`)
    return [{ resource, operation }]
  })
}

function listOf({ resource, operation }: List): string {
  const fields = queryFields(operation)
  const takesFilter = isPaged(operation) || fields.length > 0
  const read = takesFilter
    ? `(manc, filter: Parameters<typeof manc.${resource}.list>[0]) => manc.${resource}.list(filter)`
    : `(manc) => manc.${resource}.list()`
  const { default: limit } = (operation.query?.properties['limit'] ?? {}) as { default?: number }
  return [
    `  ${resource}: {`,
    `    description: ${text(phrase(operation.summary))},`,
    `    read: ${read},`,
    ...(limit === undefined ? [] : [`    defaultLimit: ${limit},`]),
    ...block('filters', fields.map(filterOf)),
    ...block('columns', columnsOf(operation)),
    '  },',
  ].join('\n')
}

const block = (name: string, lines: readonly string[]): string[] =>
  lines.length === 0
    ? [`    ${name}: [],`]
    : [`    ${name}: [`, ...lines.map((line) => `      ${line},`), '    ],']

/** Fields of the items, in the order in which the operation lists them. */
function columnsOf({ id, response, cli }: Operation): string[] {
  const { properties = {} } = (response as { items?: { properties?: Record<string, Schema> } }).items ?? {}
  return (cli?.columns ?? []).map((column) => {
    if (!(column in properties)) throw new Error(`${id}: its items have no ${column} to show as a column.`)
    return text(column)
  })
}

function filterOf({ name, schema }: QueryField): string {
  const { description = name.replaceAll('_', ' ') } = schema as { description?: string }
  const { kind, choices } = kindOf(schema)
  const members = [
    `name: ${text(name)}`,
    `kind: ${text(kind)}`,
    `description: ${text(phrase(description))}`,
    ...(choices ? [`choices: [${choices.map(text).join(', ')}]`] : []),
  ]
  return `{ ${members.join(', ')} }`
}

interface Shape {
  type?: string
  format?: string
  items?: Schema
  anyOf?: { const?: string }[]
}

/** How the text of an option is read, see `list-command.ts`. */
function kindOf(schema: Schema): { kind: string; choices?: string[] } {
  const { type, format, items, anyOf } = schema as Shape
  const choices = anyOf?.flatMap(({ const: value }) => (value === undefined ? [] : [value]))
  if (choices && choices.length > 0) return { kind: 'choice', choices }
  if (type === 'array' && items) {
    const item = kindOf(items)
    return item.choices ? { kind: 'choices', choices: item.choices } : { kind: 'texts' }
  }
  if (type === 'boolean') return { kind: 'flag' }
  if (type === 'integer' || type === 'number') return { kind: 'number' }
  return { kind: format === 'date-time' ? 'time' : 'text' }
}

/** A sentence of the contract as a phrase in the help: lower case, no full stop, no markup. */
const phrase = (sentence: string): string =>
  (sentence.charAt(0).toLowerCase() + sentence.slice(1)).replace(/\.$/, '').replaceAll('`', '')

const text = (value: string): string => JSON.stringify(value)

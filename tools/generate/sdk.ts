import { existsSync } from 'node:fs'
import path from 'node:path'
import { type Operation, operations } from '@manc/contract'
import { header } from './header.ts'
import { isPaged, type QueryField, queryFields } from './query-fields.ts'

const source = path.join(import.meta.dirname, '../../packages/sdk/src')

/** The SDK imports only types from the contract, so that a bundle for browsers contains no schemas. */
export function sdkRoutes(): string {
  const lines = Object.values<Operation>(operations).map(({ id, method, path: where, auth, idempotent }) => {
    const flags = `${auth === 'none' ? ', open: true' : ''}${idempotent ? ', idempotent: true' : ''}`
    return `  ${id}: { method: '${method}', path: '${where}'${flags} },`
  })
  return [
    header,
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
    'export const routes: Record<OperationId, Route> = {',
    ...lines,
    '}',
    '',
  ].join('\n')
}

/** One class for each resource, with a method for each operation that declares `sdk`. */
export function sdkMethods(): string {
  const classes = [...resources()].map(([resource, members]) => classOf(resource, members))
  return [
    header,
    "import type { BodyOf, QueryOf, ReplyOf } from '@manc/contract'",
    "import { Resource } from '../resource.ts'",
    "import type { Stream } from '../stream.ts'",
    "import type { CallOptions, ItemOf, PageOptions } from '../transport.ts'",
    '',
    classes.join('\n\n'),
    '',
  ].join('\n')
}

/** The resources as members of the client. A resource with a source file of its own extends the generated class there. */
export function sdkResources(): string {
  const names = [...resources().keys()]
  const isExtended = (name: string) => existsSync(path.join(source, `${name}.ts`))
  const generated = names.filter((name) => !isExtended(name))
  const classNames = new Map(names.map((name) => [name, isExtended(name) ? capital(name) : methodsOf(name)]))
  return [
    header,
    ...names
      .filter(isExtended)
      .toSorted()
      .map((name) => `import { ${capital(name)} } from '../${name}.ts'`),
    "import type { Transport } from '../transport.ts'",
    `import { ${generated.map(methodsOf).toSorted().join(', ')} } from './methods.ts'`,
    '',
    'export class Resources {',
    ...names.map((name) => `  readonly ${name}: ${classNames.get(name)}`),
    '',
    '  constructor(transport: Transport) {',
    ...names.map((name) => `    this.${name} = new ${classNames.get(name)}(transport)`),
    '  }',
    '}',
    '',
  ].join('\n')
}

interface Member {
  method: string
  operation: Operation
}

function resources(): Map<string, Member[]> {
  const found = new Map<string, Member[]>()
  for (const operation of Object.values<Operation>(operations)) {
    const [resource, method] = operation.sdk?.split('.') ?? []
    if (!resource || !method) continue
    found.set(resource, [...(found.get(resource) ?? []), { method, operation }])
  }
  return found
}

function classOf(resource: string, members: readonly Member[]): string {
  const filters = members.flatMap(({ method, operation }) => filterType(resource, method, operation))
  const methods = members.map((member) => methodOf(resource, member))
  return [
    ...filters,
    `export class ${methodsOf(resource)} extends Resource {`,
    methods.join('\n\n'),
    '}',
  ].join('\n')
}

const optionalFields = (operation: Operation): QueryField[] =>
  queryFields(operation).filter(({ isRequired }) => !isRequired)

function filterType(resource: string, method: string, operation: Operation): string[] {
  const { length } = optionalFields(operation)
  if (length === 0) return []
  const left = [
    "'limit' | 'after'",
    ...queryFields(operation).flatMap(({ name, isRequired }) => (isRequired ? [`'${name}'`] : [])),
  ]
  return [
    `export type ${filterName(resource, method)} = Omit<QueryOf<'${operation.id}'>, ${left.join(' | ')}>`,
    '',
  ]
}

const filterName = (resource: string, method: string) =>
  `${capital(resource)}${method === 'list' ? '' : capital(method)}Filter`

/** Arguments: path parameters, required query parameters, the body, then an object with filters and options. */
function methodOf(resource: string, { method, operation }: Member): string {
  const { id, params, body } = operation
  const inPath = Object.keys(params?.properties ?? {})
  const required = queryFields(operation).filter(({ isRequired }) => isRequired)
  const optional = optionalFields(operation).map(({ name }) => name)
  const isStream = isPaged(operation)
  const filter = optional.length === 0 ? [] : [filterName(resource, method)]
  const taken = [...optional, ...(isStream ? ['pageSize = 1000'] : [])]
  const optionsType = [...filter, isStream ? 'PageOptions' : 'CallOptions'].join(' & ')
  const args = [
    ...inPath.map((name) => `${camel(name)}: string`),
    ...required.map(({ name }) => `${camel(name)}: QueryOf<'${id}'>['${name}']`),
    ...(body ? [`body: BodyOf<'${id}'>${isAllOptional(operation) ? ' = {}' : ''}`] : []),
    taken.length === 0
      ? `options?: ${optionsType}`
      : `{ ${taken.join(', ')}, ...options }: ${optionsType} = {}`,
  ]
  const query = [
    ...required.map(({ name }) => member(name, camel(name))),
    ...optional,
    ...(isStream ? ['limit: pageSize'] : []),
  ]
  const input = [
    ...(inPath.length > 0
      ? [`params: { ${inPath.map((name) => member(name, camel(name))).join(', ')} }`]
      : []),
    ...(query.length > 0 ? [`query: { ${query.join(', ')} }`] : []),
    ...(body ? ['body'] : []),
  ]
  const [pathInput = '{}'] = input.flatMap((each) => /^params: (.*)/.exec(each)?.[1] ?? [])
  const call = isStream
    ? `pages('${id}', { ${query.join(', ')} }, options${inPath.length > 0 ? `, ${pathInput}` : ''})`
    : `call('${id}', ${input.length === 0 ? '{}' : `{ ${input.join(', ')} }`}, options)`
  return [
    ...comment(operation, isStream),
    `  ${method}(${args.join(', ')}): ${isStream ? `Stream<ItemOf<'${id}'>>` : `Promise<ReplyOf<'${id}'>>`} {`,
    `    return this.transport.${call}`,
    '  }',
  ].join('\n')
}

function comment({ summary, description }: Operation, isStream: boolean): string[] {
  const paging = 'Read page by page while you iterate; `pageSize` is the number of items in a request.'
  const lines = [`${summary}.`, ...(description ? [description] : []), ...(isStream ? [paging] : [])]
  return lines.length === 1
    ? [`  /** ${lines[0]} */`]
    : ['  /**', ...lines.map((line) => `   * ${line}`), '   */']
}

const isAllOptional = ({ method, body }: Operation): boolean => {
  const { type, properties, required } = (body ?? {}) as {
    type?: string
    properties?: object
    required?: string[]
  }
  return method === 'POST' && type === 'object' && properties !== undefined && (required ?? []).length === 0
}

const methodsOf = (resource: string) => `${capital(resource)}Methods`
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
const camel = (text: string) => text.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
const member = (name: string, value: string) => (name === value ? name : `${name}: ${value}`)

import type { Checks } from './checks.ts'
import { type Described, list, type OpenApiDocument, object } from './document.ts'
import { type Field, type Shape, typesOf } from './shape.ts'

/** An input is compared with its constraints; an output may be narrower than the interface promises. */
export type Direction = 'input' | 'output'

const CONSTRAINTS = ['pattern', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems'] as const

/** Bounds that the table never uses: one of them in the document narrows the interface unannounced. */
const UNEXPECTED = ['exclusiveMaximum', 'multipleOf', 'uniqueItems', 'minProperties', 'maxProperties']

export class SchemaCheck {
  readonly #document: OpenApiDocument
  readonly #checks: Checks

  constructor(document: OpenApiDocument, checks: Checks) {
    this.#document = document
    this.#checks = checks
  }

  compare(where: string, shape: Shape, schema: unknown, direction: Direction): void {
    const found = this.#document.describe(schema)
    this.#checks.equal(`${where}: type`, expectedTypes(shape), found.types.toSorted())
    this.#checks.equal(`${where}: nullable`, shape.nullable === true, found.nullable)
    this.#keyword(where, shape, found, 'format')
    this.#default(where, shape, found)
    this.#checks.equal(`${where}: enum`, shape.enum?.toSorted(), found.enum?.toSorted())
    if (direction === 'input') this.#constraints(where, shape, found)
    if (shape.items) this.compare(`${where}[]`, shape.items, found.items, direction)
    if (shape.fields) this.#fields(where, shape.fields, found, direction)
  }

  #fields(where: string, fields: Field[], found: Described, direction: Direction): void {
    for (const field of fields) {
      const at = `${where}.${field.name}`
      const schema = found.properties[field.name]
      if (!this.#checks.holds(`${at}: presence`, schema !== undefined, 'a property', schema)) continue
      this.#checks.equal(`${at}: required`, field.required, found.required.includes(field.name))
      this.field(at, field, schema, direction)
    }
    if (direction === 'output') return
    const names = fields.map((field) => field.name)
    const beyond = found.required.filter((name) => !names.includes(name))
    this.#checks.equal(`${where}: required fields beyond the interface`, [], beyond)
  }

  /** What the project added by itself is compared only as far as its decision says something. */
  field(where: string, field: Field, schema: unknown, direction: Direction): void {
    if (field.from !== 'decision') return this.compare(where, field, schema, direction)
    const found = this.#document.describe(schema)
    this.#checks.equal(`${where}: type`, expectedTypes(field), found.types.toSorted())
    this.#checks.equal(`${where}: nullable`, field.nullable === true, found.nullable)
  }

  #constraints(where: string, shape: Shape, found: Described): void {
    for (const name of CONSTRAINTS) this.#keyword(where, shape, found, name)
    this.#checks.equal(`${where}: exclusiveMinimum`, shape.exclusiveMinimum, exclusiveMinimumOf(found))
    const beyond = Object.entries(found.keywords).filter(([name]) => UNEXPECTED.includes(name))
    this.#checks.equal(`${where}: other bounds`, {}, Object.fromEntries(beyond))
  }

  #keyword(where: string, shape: Shape, found: Described, name: keyof Shape): void {
    this.#checks.equal(`${where}: ${name}`, shape[name], found.keywords[name])
  }

  /** A default of null says no more than "optional and nullable". */
  #default(where: string, shape: Shape, found: Described): void {
    this.#checks.equal(`${where}: default`, shape.default, found.keywords['default'] ?? undefined)
  }
}

function expectedTypes(shape: Shape): string[] {
  return typesOf(shape)
    .filter((type) => type !== 'any')
    .toSorted()
}

/** For an integer "at least 1" and "greater than 0" are the same bound. */
function exclusiveMinimumOf(found: Described): unknown {
  const { minimum, exclusiveMinimum } = found.keywords
  const isInteger = found.types.length === 1 && found.types[0] === 'integer'
  return isInteger && typeof minimum === 'number' ? minimum - 1 : (exclusiveMinimum ?? minimum)
}

export function schemaOf(content: unknown, type: string): unknown {
  return object(object(content)[type])['schema']
}

export function contentTypes(content: unknown): string[] {
  return Object.keys(object(content))
}

export function securityOf(document: OpenApiDocument, definition: Record<string, unknown>): unknown[] {
  return list(definition['security'] ?? document.root['security'])
}

import type { Method } from './shape.ts'

export type Json = Record<string, unknown>

/** What a schema of the document says about one value, references followed and unions taken apart. */
export interface Described {
  types: string[]
  nullable: boolean
  enum?: unknown[]
  items?: unknown
  properties: Json
  required: string[]
  /** Every other keyword (`format`, `pattern`, `default`, bounds). */
  keywords: Json
}

export interface DocumentOperation {
  method: Method
  path: string
  definition: Json
  isExtension: boolean
}

const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options', 'trace']

export class OpenApiDocument {
  readonly root: Json

  constructor(root: unknown) {
    if (!isObject(root)) throw new Error('/openapi.json is not a JSON object')
    this.root = root
  }

  operations(): DocumentOperation[] {
    return Object.entries(object(this.root['paths'])).flatMap(([path, item]) => {
      const pathItem = object(this.resolve(item))
      return METHODS.filter((method) => method in pathItem).map((method) => {
        const definition = object(pathItem[method])
        return {
          method: method.toUpperCase() as Method,
          path,
          // A parameter may be declared once for all methods of a path.
          definition: {
            ...definition,
            parameters: [...list(pathItem['parameters']), ...list(definition['parameters'])],
          },
          isExtension: definition['x-extension'] === true || pathItem['x-extension'] === true,
        }
      })
    })
  }

  resolve(value: unknown): unknown {
    let found = value
    for (let hops = 0; isObject(found) && typeof found['$ref'] === 'string'; hops += 1) {
      if (hops > 20) throw new Error(`circular reference ${found['$ref']}`)
      const { $ref, ...beside } = found as Json & { $ref: string }
      const target = this.#at($ref)
      // In 3.1 keywords beside a $ref count (`default`, `description`).
      found = isObject(target) ? { ...target, ...beside } : target
    }
    return found
  }

  /** Flattens references, `allOf`, `anyOf`, `oneOf` and type lists; null in any of them is nullability. */
  describe(schema: unknown): Described {
    const alternatives = this.#alternatives(schema)
    const others = alternatives.filter((alternative) => !isNull(alternative))
    const [only] = others
    const shared = others.length === 1 && only ? only : this.#outer(schema)
    const { type: _type, enum: _enum, const: _const, items, properties, required, ...keywords } = shared
    const values = others.map(valuesOf)
    return {
      types: [...new Set(others.flatMap(typeOf))],
      nullable: alternatives.some(isNull),
      ...(values.length > 0 &&
        values.every((value) => value !== undefined) && { enum: [...new Set(values.flat())] }),
      ...(items !== undefined && { items }),
      properties: object(properties),
      required: list(required) as string[],
      keywords,
    }
  }

  #alternatives(schema: unknown): Json[] {
    const { anyOf, oneOf, allOf, ...outer } = object(this.resolve(schema))
    const parts = list(allOf)
    if (parts.length > 0) return this.#alternatives(this.#merged([outer, ...parts]))
    const choices = [...list(anyOf), ...list(oneOf)]
    // What stands beside a union (its default) belongs to every choice of it.
    if (choices.length > 0) {
      return choices.flatMap((choice) =>
        this.#alternatives(choice).map((alternative) => ({ ...outer, ...alternative })),
      )
    }
    const types = outer['type']
    return Array.isArray(types) ? types.map((type) => ({ ...outer, type })) : [outer]
  }

  #outer(schema: unknown): Json {
    const { anyOf: _any, oneOf: _one, ...outer } = object(this.resolve(schema))
    return outer
  }

  #merged(parts: unknown[]): Json {
    return parts
      .map((part) => object(this.resolve(part)))
      .reduce(
        (whole, part) => ({
          ...whole,
          ...part,
          properties: { ...object(whole['properties']), ...object(part['properties']) },
          required: [...list(whole['required']), ...list(part['required'])],
        }),
        {},
      )
  }

  #at(reference: string): unknown {
    if (!reference.startsWith('#/')) throw new Error(`a reference outside the document: ${reference}`)
    const steps = reference
      .slice(2)
      .split('/')
      .map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'))
    const target = steps.reduce<unknown>((found, step) => object(found)[step], this.root)
    if (target === undefined) throw new Error(`a reference to nothing: ${reference}`)
    return target
  }
}

function isNull(schema: Json): boolean {
  return schema['type'] === 'null' || schema['const'] === null
}

function typeOf(schema: Json): string[] {
  if (typeof schema['type'] === 'string') return [schema['type']]
  return (valuesOf(schema) ?? []).map((value) => typeof value)
}

function valuesOf(schema: Json): unknown[] | undefined {
  if (schema['const'] !== undefined) return [schema['const']]
  return Array.isArray(schema['enum']) ? schema['enum'] : undefined
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function object(value: unknown): Json {
  return isObject(value) ? value : {}
}

export function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

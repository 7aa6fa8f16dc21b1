/** How one value looks, in the interface's own words. `any` is a value of any type. */
export type TypeName = 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'array' | 'any'

/** `interface`: the interface document says so. `decision`: it says "not shown" and the project answered. */
type Source = 'interface' | 'decision'

export interface Shape {
  /** Several where the interface allows either (`window` is an integer or a string). */
  type: TypeName | TypeName[]
  format?: string
  nullable?: boolean
  default?: unknown
  enum?: string[]
  pattern?: string
  exclusiveMinimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  items?: Shape
  /** The members of an object; without them the object is of free form. */
  fields?: Field[]
}

export interface Field extends Shape {
  name: string
  required: boolean
  /** Only where it differs from the rest of what it belongs to. */
  from?: Source
}

export interface Parameter extends Field {
  in: 'path' | 'query'
}

export interface Body extends Shape {
  kind: 'json' | 'form'
}

export interface Output extends Shape {
  from: Source
}

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export interface Operation {
  number: number
  method: Method
  /** As the interface writes it, trailing slash included. */
  path: string
  auth: 'none' | 'bearer'
  authFrom?: Source
  parameters?: Parameter[]
  body?: Body
  /** Decision: takes the optional header `Idempotency-Key`, which can be invalid. */
  takesKey?: true
  output: Output
}

export function typesOf(shape: Shape): TypeName[] {
  return Array.isArray(shape.type) ? shape.type : [shape.type]
}

/** Takes a body or parameters: the interface promises 422 for these. */
export function takesInput(operation: Operation): boolean {
  return operation.body !== undefined || (operation.parameters ?? []).length > 0
}

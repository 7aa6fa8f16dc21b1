import { isObject } from './document.ts'
import { type InvalidValue, invalidJsonValues, invalidTextValues } from './invalid-values.ts'
import type { Prepared } from './request.ts'
import { type Field, type Operation, type Shape, typesOf } from './shape.ts'

export type Step = string | number

/** A request with exactly one fault, and the item that must name it. */
export interface InvalidRequest {
  what: string
  prepared: Prepared
  loc: Step[]
  types?: string[]
  msg?: string
}

/** Every required input left out, one at a time, and the body as a whole. */
export function withoutRequired(operation: Operation, valid: Prepared): InvalidRequest[] {
  const missing = { types: ['missing'], msg: 'Field required' }
  const queries = (operation.parameters ?? [])
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map(({ name }) => ({
      what: `without query ${name}`,
      prepared: { ...valid, query: without(valid.query ?? {}, name) },
      loc: ['query', name],
      ...missing,
    }))
  const { body } = operation
  if (!body) return queries
  if (body.kind === 'form') {
    const required = (body.fields ?? []).filter((field) => field.required)
    const fields = required.map(({ name }) => ({
      what: `without form field ${name}`,
      prepared: { ...valid, form: without(valid.form ?? {}, name) },
      loc: ['body', name],
      ...missing,
    }))
    return [...queries, ...fields]
  }
  const fields = requiredPaths(body, valid.body, []).map((path) => ({
    what: `without ${shown(path)}`,
    prepared: { ...valid, body: JSON.stringify(removed(valid.body, path)) },
    loc: ['body', ...path],
    ...missing,
  }))
  const { body: _body, ...bodiless } = valid
  const whole = [
    { what: 'without a body', prepared: bodiless, loc: ['body'], ...missing },
    { what: 'with null as the body', prepared: { ...valid, body: 'null' }, loc: ['body'], ...missing },
  ]
  return [...queries, ...fields, ...whole]
}

/** Every typed input with values of the wrong type, format, pattern or bound, one at a time. */
export function withInvalidValues(operation: Operation, valid: Prepared): InvalidRequest[] {
  const queries = (operation.parameters ?? [])
    .filter((parameter) => parameter.in === 'query')
    .flatMap((parameter) =>
      invalidTextValues(parameter).map((invalid) => ({
        what: `query ${parameter.name}=${brief(invalid.value)}`,
        prepared: { ...valid, query: { ...valid.query, [parameter.name]: String(invalid.value) } },
        loc: ['query', parameter.name],
        ...expectedItem(invalid),
      })),
    )
  const { body } = operation
  if (!body) return queries
  return [
    ...queries,
    ...(body.kind === 'form' ? withInvalidForm(body.fields ?? [], valid) : withInvalidBody(body, valid)),
  ]
}

function withInvalidForm(fields: Field[], valid: Prepared): InvalidRequest[] {
  return fields.flatMap((field) =>
    invalidTextValues(field).map((invalid) => ({
      what: `form field ${field.name}=${brief(invalid.value)}`,
      prepared: { ...valid, form: { ...valid.form, [field.name]: String(invalid.value) } },
      loc: ['body', field.name],
      ...expectedItem(invalid),
    })),
  )
}

function withInvalidBody(body: Shape, valid: Prepared): InvalidRequest[] {
  return typedPaths(body, valid.body, []).flatMap(({ path, shape }) =>
    // A body that is null is a body that is missing, which is tried there.
    invalidJsonValues(shape)
      .filter((invalid) => path.length > 0 || invalid.value !== null)
      .map((invalid) => ({
        what: `${shown(path)} = ${brief(invalid.value)}`,
        prepared: { ...valid, body: JSON.stringify(replaced(valid.body, path, invalid.value)) },
        loc: ['body', ...path],
        ...expectedItem(invalid),
      })),
  )
}

/** A change that leaves a valid request valid. */
export interface ValidChange {
  what: string
  apply(valid: Prepared): Prepared
}

/** Nullable inputs that are optional: null (in a form: an empty field) must pass. */
export function nulls({ body }: Operation): ValidChange[] {
  const fields = (body?.fields ?? []).filter((field) => field.nullable && !field.required)
  return fields.map(({ name }) =>
    body?.kind === 'form'
      ? {
          what: `empty form field ${name}`,
          apply: (valid) => ({ ...valid, form: { ...valid.form, [name]: '' } }),
        }
      : {
          what: `null for ${name}`,
          apply: (valid) => ({ ...valid, body: replaced(valid.body, [name], null) }),
        },
  )
}

/** All that is required left out at once, in the order in which the items must come. */
export function withoutAllRequired(
  operation: Operation,
  valid: Prepared,
): { prepared: Prepared; locs: Step[][] } {
  const inQuery = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query')
  const queries = namesOf(inQuery, 'required').map((name) => ['query', name])
  const fields = namesOf(operation.body?.fields, 'required').map((name) => ['body', name])
  const isForm = operation.body?.kind === 'form'
  const prepared: Prepared = { ...valid, query: {} }
  if (isForm) prepared.form = {}
  else if (operation.body?.fields) prepared.body = {}
  return { prepared, locs: isForm ? [...fields, ...queries] : [...queries, ...fields] }
}

/** Only what is required. */
export function minimal(operation: Operation, valid: Prepared): Prepared {
  const inQuery = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query')
  const fewer = { ...valid }
  if (fewer.query) fewer.query = without(fewer.query, ...namesOf(inQuery, 'optional'))
  if (fewer.form) fewer.form = without(fewer.form, ...namesOf(operation.body?.fields, 'optional'))
  if (isObject(fewer.body)) fewer.body = without(fewer.body, ...namesOf(operation.body?.fields, 'optional'))
  return fewer
}

/** Fields and parameters that the interface does not know, at every depth: they are to be ignored. */
export function withUnknown({ body }: Operation, valid: Prepared): Prepared {
  const more = { ...valid, query: { ...valid.query, conformance_unknown: 'x' } }
  if (valid.form) more.form = { ...valid.form, conformance_unknown: 'x' }
  if (body) more.body = widened(body, valid.body)
  return more
}

/** Objects of free form stay as they are: there is nothing unknown in them. */
function widened(shape: Shape, value: unknown): unknown {
  const { items, fields } = shape
  if (items && Array.isArray(value)) return value.map((item) => widened(items, item))
  if (!fields || !isObject(value)) return value
  const members = fields
    .filter(({ name }) => name in value)
    .map((field) => [field.name, widened(field, value[field.name])])
  return { ...value, ...Object.fromEntries(members), conformance_unknown: { nested: [1] } }
}

function namesOf(fields: Field[] = [], which: 'required' | 'optional'): string[] {
  return fields.filter((field) => field.required === (which === 'required')).map(({ name }) => name)
}

function requiredPaths(shape: Shape, value: unknown, path: Step[]): Step[][] {
  return children(shape, value, path).flatMap((child) => [
    ...(child.required ? [child.path] : []),
    ...requiredPaths(child.shape, child.value, child.path),
  ])
}

function typedPaths(shape: Shape, value: unknown, path: Step[]): { path: Step[]; shape: Shape }[] {
  return [
    { path, shape },
    ...children(shape, value, path).flatMap((child) => typedPaths(child.shape, child.value, child.path)),
  ]
}

interface Child {
  path: Step[]
  shape: Shape
  value: unknown
  required: boolean
}

/** The members of an object, the first item of a list. */
function children(shape: Shape, value: unknown, path: Step[]): Child[] {
  if (shape.fields && isObject(value)) {
    return shape.fields.map((field) => ({
      path: [...path, field.name],
      shape: field,
      value: value[field.name],
      required: field.required,
    }))
  }
  if (shape.items && typesOf(shape).includes('array') && Array.isArray(value)) {
    return [{ path: [...path, 0], shape: shape.items, value: value[0], required: false }]
  }
  return []
}

function replaced(root: unknown, path: Step[], value: unknown): unknown {
  const [step, ...rest] = path
  if (step === undefined) return value
  if (Array.isArray(root)) return root.map((item, i) => (i === step ? replaced(item, rest, value) : item))
  const members = isObject(root) ? root : {}
  return { ...members, [step]: replaced(members[step], rest, value) }
}

function removed(root: unknown, path: Step[]): unknown {
  const parent = path.slice(0, -1)
  const holder = parent.reduce<unknown>((found, step) => (found as Record<Step, unknown>)[step], root)
  return replaced(root, parent, without(holder as Record<string, unknown>, String(path.at(-1))))
}

function without<Value>(members: Record<string, Value>, ...names: string[]): Record<string, Value> {
  return Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name)))
}

function expectedItem({ types, msg }: InvalidValue): { types?: string[]; msg?: string } {
  return { ...(types && { types }), ...(msg !== undefined && { msg }) }
}

function shown(path: Step[]): string {
  return ['body', ...path].join('.')
}

function brief(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > 30 ? `${text.slice(0, 12)}… (${text.length - 2} characters)` : text
}

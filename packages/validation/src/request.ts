import type { Static, TSchema } from 'typebox'
import { compileValidator, type Validator } from './compiler.ts'
import type { ValidationItem } from './item.ts'

const IN_PATH = ['path']
const IN_QUERY = ['query']
const IN_BODY = ['body']

export interface RequestSchemas {
  path?: TSchema
  query?: TSchema
  /** A JSON body, always required: the interface has no optional one. */
  body?: TSchema
  /** A form body, instead of a JSON one. */
  form?: TSchema
}

type Part<Schema> = Schema extends TSchema ? Static<Schema> : undefined

interface ValidRequest<Schemas extends RequestSchemas> {
  path: Part<Schemas['path']>
  query: Part<Schemas['query']>
  body: Part<Schemas['body']>
  form: Part<Schemas['form']>
}

/** As the content-type parser returns it: JSON parsed, a form as URLSearchParams, other content opaque. */
interface RawRequest {
  params?: unknown
  query?: unknown
  body?: unknown
}

type RequestValidator<Schemas extends RequestSchemas> = (
  request: RawRequest,
) => { valid: true; value: ValidRequest<Schemas> } | { valid: false; detail: ValidationItem[] }

export function requestValidator<const Schemas extends RequestSchemas>(
  schemas: Schemas,
): RequestValidator<Schemas> {
  if (schemas.body !== undefined && schemas.form !== undefined) {
    throw new Error('A request has either a JSON body or a form')
  }
  const path = schemas.path && compileValidator(schemas.path, { source: 'path' })
  const query = schemas.query && compileValidator(schemas.query, { source: 'query' })
  const body = schemas.body && compileValidator(schemas.body, { source: 'body' })
  const form = schemas.form && compileValidator(schemas.form, { source: 'form' })
  return (request) => {
    const detail: ValidationItem[] = []
    // The order is part of the interface: callers show the first item.
    const value = {
      form: form?.(formOnly(request.body), IN_BODY, detail),
      path: path?.(request.params, IN_PATH, detail),
      query: query?.(request.query, IN_QUERY, detail),
      body: body && readBody(body, request.body, detail),
    }
    if (detail.length > 0) return { valid: false, detail }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each part was read by its own schema
    return { valid: true, value: value as ValidRequest<Schemas> }
  }
}

/** A JSON body that is sent to a form operation has no form fields. */
function formOnly(body: unknown): URLSearchParams | undefined {
  return body instanceof URLSearchParams ? body : undefined
}

function readBody(validate: Validator<unknown>, body: unknown, items: ValidationItem[]): unknown {
  if (!isEmpty(body)) return validate(body, IN_BODY, items)
  items.push({ loc: ['body'], msg: 'Field required', type: 'missing' })
  return undefined
}

function isEmpty(body: unknown): boolean {
  if (body instanceof Uint8Array) return body.length === 0
  if (body instanceof URLSearchParams) return body.size === 0
  return body === undefined || body === null
}

import { type Operation, type OperationId, operations } from '@manc/contract'
import fc from 'fast-check'
import { coherentBodies } from './bodies.ts'
import { type CallerName, callerLogin, callerNames } from './callers.ts'
import { brokenJson, hostileText, hostileValue, oddBytes } from './hostile-values.ts'
import { nearly } from './mutations.ts'
import { namedIn, update } from './names.ts'
import { validFor } from './valid-values.ts'

export interface FuzzRequest {
  operation: OperationId
  caller: CallerName
  method: string
  /** The path and query as they are sent. */
  target: string
  headers: Record<string, string>
  body: Buffer | undefined
}

type Query = Record<string, unknown>

interface Content {
  body: Buffer
  type: string
}

/** An administrator may call most operations. */
const caller = fc.oneof(
  { weight: 5, arbitrary: fc.constant<CallerName>('admin') },
  { weight: 9, arbitrary: fc.constantFrom(...callerNames) },
)

/** Requests of one operation: valid, nearly valid and hostile. */
export function requestsOf(id: OperationId): fc.Arbitrary<FuzzRequest> {
  const operation: Operation = operations[id]
  const contents = contentsOf(operation)
  const named = namedIn(operation)
  const queries = operation.query ? validFor(operation.query, named) : fc.constant({})
  const params = operation.params ? validFor(operation.params, named) : fc.constant({})
  const request = (
    query: fc.Arbitrary<unknown>,
    content: fc.Arbitrary<Content | undefined>,
    headers: fc.Arbitrary<Record<string, string>>,
    encode: (text: string) => string,
  ): fc.Arbitrary<FuzzRequest> =>
    fc
      .record({ caller, query, content, headers, path: params })
      .map(({ caller: by, query: given, content: sent, headers: more, path }) => ({
        operation: id,
        caller: by,
        method: operation.method,
        target: pathOf(operation.path, path as Record<string, unknown>, encode) + textOf(given),
        headers: { ...(sent && { 'content-type': sent.type }), ...more },
        body: sent?.body,
      }))
  const noHeaders = fc.constant({})
  return fc.oneof(
    { weight: 4, arbitrary: request(queries, contents.valid, noHeaders, encodeURIComponent) },
    { weight: 2, arbitrary: request(queries, contents.nearly, noHeaders, encodeURIComponent) },
    { weight: 2, arbitrary: request(nearly(queries), contents.valid, noHeaders, encodeURIComponent) },
    { weight: 2, arbitrary: request(queries, contents.hostile, oddHeaders, encodeURIComponent) },
    { weight: 1, arbitrary: request(hostileValue, contents.hostile, oddHeaders, asLittleAsPossible) },
  )
}

function contentsOf(operation: Operation) {
  const { id, body, form } = operation
  const named = namedIn(operation)
  if (form) {
    const valid = fc.oneof(fc.constant(callerLogin), validFor(form, named))
    const encoded = (each: unknown): Content => ({
      body: Buffer.from(textOf(each).slice(1)),
      type: 'application/x-www-form-urlencoded',
    })
    return { valid: valid.map(encoded), nearly: nearly(valid).map(encoded), hostile: hostileContent(valid) }
  }
  // Ignored by the operation, whatever it is.
  if (!body)
    return { valid: fc.constant(undefined), nearly: fc.constant(undefined), hostile: hostileContent(update) }
  const coherent = coherentBodies[id as OperationId]
  const bySchema = id === 'sendUpdate' ? update : validFor(body, named)
  const valid = coherent
    ? fc.oneof({ weight: 3, arbitrary: coherent }, { weight: 1, arbitrary: bySchema })
    : bySchema
  return { valid: valid.map(json), nearly: nearly(valid).map(json), hostile: hostileContent(valid) }
}

const json = (value: unknown): Content => ({
  body: Buffer.from(JSON.stringify(value) ?? ''),
  type: 'application/json',
})

const types = fc.constantFrom(
  'application/json',
  'application/json',
  'application/json; charset=utf-16',
  'application/vnd.api+json',
  'text/plain',
  'text/plain, application/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/xml',
  'nonsense',
  '',
)

const hostileContent = (valid: fc.Arbitrary<unknown>): fc.Arbitrary<Content> =>
  fc.oneof(
    brokenJson(nearly(valid)).map((text) => ({ body: Buffer.from(text), type: 'application/json' })),
    hostileValue.map(json),
    fc.record({ body: oddBytes(brokenJson(valid)), type: types }),
    fc.record({ body: valid.map((each) => json(each).body), type: types }),
  )

/** Node rejects other characters before they are sent. */
const headerText = hostileText.map((text) => text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '?').slice(0, 4000))

const oddHeaders: fc.Arbitrary<Record<string, string>> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(
        fc.constantFrom(
          'idempotency-key',
          'x-request-id',
          'accept',
          'accept-encoding',
          'content-encoding',
          'origin',
          'x-forwarded-for',
          'x-http-method-override',
          'if-none-match',
          'range',
          'cookie',
          'traceparent',
          'forwarded',
          'host',
          'access-control-request-method',
          '__proto__',
          'sec-websocket-protocol',
        ),
        headerText,
      )
      .map(([name, value]) => Object.fromEntries([[name, value]])),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      { 'content-encoding': 'gzip' },
      { expect: '100-continue' },
      { accept: 'text/html' },
      { 'idempotency-key': 'repeated' },
      { authorization: 'Bearer' },
      { authorization: 'Bearer a.b.c' },
      { authorization: `Bearer ${'x'.repeat(4000)}` },
      { authorization: 'Digest username="admin"' },
      { 'x-request-id': 'x'.repeat(65) },
    ),
  },
)

/** Leaves traversals, escapes and non-ASCII bytes in a path, as far as Node sends them. */
const asLittleAsPossible = (text: string): string =>
  Buffer.from(text.toWellFormed())
    .toString('latin1')
    .replaceAll(/[^\x21-\x7e]/g, (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`)
    .slice(0, 4000)

function pathOf(path: string, params: Record<string, unknown>, encode: (text: string) => string): string {
  return path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => encode(plain(params[name]).toWellFormed()))
}

/** A query or form. A member that is a list is repeated; a value that is no object is the whole text. */
function textOf(query: unknown): string {
  if (typeof query !== 'object' || query === null) return `?${asLittleAsPossible(plain(query))}`
  const pairs = Object.entries(query as Query).flatMap(([name, value]) =>
    [value].flat().map((each) => `${percent(name)}=${percent(plain(each))}`),
  )
  return pairs.length > 0 ? `?${pairs.slice(0, 500).join('&').slice(0, 8000)}` : ''
}

const percent = (text: string) => encodeURIComponent(text.toWellFormed())
const plain = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

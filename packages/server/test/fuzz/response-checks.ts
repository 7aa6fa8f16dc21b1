import type { IncomingHttpHeaders } from 'node:http'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { CallerName } from './callers.ts'
import { keyMark, passwordMark } from './names.ts'

type Json = Record<string, any>

interface Documented {
  id: string
  method: string
  pattern: RegExp
  /** By status. */
  responses: Map<number, DocumentedBody>
}

interface DocumentedBody {
  contentType: string
  validate: ValidateFunction
}

/** Responses of the server outside of operations. */
const unrouted = new Set([400, 404, 405, 413, 414, 426, 429, 431])

/** Operations whose response contains the API key of an app, for administrators. */
const showKeys = new Set(['createApp', 'getApp', 'updateApp'])

/** In error messages: traces, source files, statements and names of engines. */
const internals =
  /\bat \S+ \(|node_modules|\.ts:\d|\b(select|insert into|update|delete from)\b.+\b(from|values|set|where)\b|violates|duplicate key|syntax error at|relation "|ECONN|\bpg_|kysely|amqp|postgres|victoria|rabbit/i

const formats = {
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/,
  email: /^\S+@\S+$/,
}

/** Checks responses against the OpenAPI document that the server serves. */
export class ResponseChecks {
  readonly #operations: Documented[]
  readonly #secrets: readonly string[]

  /** `secrets`: settings of the server that no response may contain. */
  constructor(document: Json, secrets: readonly string[]) {
    this.#secrets = secrets
    const ajv = new Ajv2020({ strict: false, allErrors: false, formats })
    ajv.addSchema({ $id: 'api', ...document })
    this.#operations = Object.entries<Json>(document['paths']).flatMap(([path, item]) =>
      Object.entries<Json>(item).map(([method, definition]) => ({
        id: definition['operationId'],
        method: method.toUpperCase(),
        pattern: patternOf(path),
        responses: new Map(
          Object.entries<Json>(definition['responses']).map(([status, { content }]) => {
            const [contentType = ''] = Object.keys(content)
            const validate = ajv.compile({ $ref: pointerTo(path, method, status, contentType) })
            return [Number(status), { contentType, validate }]
          }),
        ),
      })),
    )
  }

  /** The problems of one response; none if it conforms. */
  problemsOf(
    { caller, method, target }: { caller: CallerName; method: string; target: string },
    reply: { status: number; headers: IncomingHttpHeaders; text: string },
  ): string[] {
    const path = target.split(/[?#]/, 1)[0] ?? ''
    const matching = this.#operations.filter((each) => each.method === method && each.pattern.test(path))
    const showsKey = caller === 'admin' && matching.some(({ id }) => showKeys.has(id))
    const problems = [...this.#leaksIn(reply, showsKey)]
    if (reply.status >= 500) problems.push(`status ${reply.status}`)
    if (matching.length === 0) {
      if (reply.status < 500 && !unrouted.has(reply.status))
        problems.push(`status ${reply.status} outside of any operation`)
      return problems
    }
    // From the HTTP parser, before any operation: the headers are larger than 16 KiB.
    if (reply.status === 431) return problems
    const documented = matching.flatMap(({ responses }) => responses.get(reply.status) ?? [])
    if (documented.length === 0) return [...problems, `status ${reply.status} is not in the document`]
    const contentType = String(reply.headers['content-type'])
    const ofType = documented.filter((body) => contentType.startsWith(body.contentType))
    if (ofType.length === 0) return [...problems, `content type ${contentType}`]
    return [...problems, ...bodyProblems(reply.text, ofType)]
  }

  *#leaksIn({ status, text }: { status: number; text: string }, showsKey: boolean): Iterable<string> {
    if (text.includes(passwordMark)) yield 'a password is in the response'
    if (text.includes(keyMark) && !showsKey) yield 'an API key is in the response'
    if (/\$argon2/.test(text)) yield 'a password hash is in the response'
    if (this.#secrets.some((secret) => text.includes(secret))) yield 'a setting is in the response'
    if (status >= 400 && internals.test(text)) yield 'an error message shows internals'
  }
}

function bodyProblems(text: string, documented: DocumentedBody[]): string[] {
  const contentType = documented[0]?.contentType
  const isLines = contentType === 'application/x-ndjson'
  const isText = isLines || contentType === 'text/csv'
  let body: unknown
  try {
    // The document describes JSON lines and CSV as text.
    body = isText ? text : JSON.parse(text)
    if (isLines) for (const line of text.split('\n').filter(Boolean)) JSON.parse(line)
  } catch {
    return ['the body is no JSON']
  }
  if (documented.some(({ validate }) => validate(body))) return []
  const [error] = documented[0]?.validate.errors ?? []
  return [
    `the body does not match its schema: ${error?.instancePath.replaceAll(/\d+/g, 'n')} ${error?.message}`,
  ]
}

/** A parameter may be empty within the path. At its end, the path without it is another operation. */
function patternOf(path: string): RegExp {
  const source = path.replaceAll(/\{\w+\}(?=\/.)/g, '[^/]*').replaceAll(/\{\w+\}/g, '[^/]+')
  return new RegExp(`^${source.replace(/\/$/, '')}/?$`)
}

function pointerTo(path: string, method: string, status: string, contentType: string): string {
  const parts = ['paths', path, method, 'responses', status, 'content', contentType, 'schema']
  const escaped = parts.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
  return `api#/${escaped.join('/')}`
}

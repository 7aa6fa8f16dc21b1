import { isUtf8 } from 'node:buffer'
import { parseJson } from '@manc/validation'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { invalid, Refused } from '../errors.ts'

/** Reads request bodies as bytes. `parseBody` parses them when the request is processed. */
export function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  // Fastify answers 415 to a content type that it cannot parse. Here it is a body of another type, or one to ignore.
  app.addHook('onRequest', (request, _reply, done) => {
    const { headers, method } = request.raw
    // Fastify answers 400 to this method without a content type, also where no operation has the method.
    if (method === 'QUERY') headers['content-type'] ??= 'application/octet-stream'
    if (headers['content-type'] !== undefined && !mediaType.test(headers['content-type']))
      delete headers['content-type']
    done()
  })
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer' },
    async (_request: FastifyRequest, bytes: Buffer) => bytes,
  )
}

export const bodyBytes = ({ body }: FastifyRequest): number => (body instanceof Buffer ? body.length : 0)

/**
 * JSON is parsed where the operation takes JSON, a form where it takes a form; other content stays bytes, which validation
 * then rejects.
 */
export function parseBody(request: FastifyRequest): unknown {
  const { body: bytes } = request
  if (!(bytes instanceof Buffer)) return bytes
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? ''
  switch (request.routeOptions.config.takes) {
    case 'form':
      return type === 'application/x-www-form-urlencoded' ? new URLSearchParams(textOf(bytes)) : undefined
    case 'json':
      if (bytes.length === 0) return undefined
      if (isServiceBody(request, bytes)) return []
      return isJson(type) ? parseJsonBody(keepText(request, textOf(bytes))) : bytes
    default:
      return undefined
  }
}

/** `type/subtype`, and anything as parameters [RFC 9110, 8.3.1]. */
const mediaType = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(;|$)/

/** Bodies of the subscriber role are passed on without parsing: it has just serialised them. */
function isServiceBody(request: FastifyRequest, bytes: Buffer): boolean {
  if (request.caller?.kind !== 'service' || !request.routeOptions.config.keepsText) return false
  request.bodyText = textOf(bytes)
  return true
}

/** Without a byte order mark: the text is sent within other JSON texts, where it would be an error. */
function keepText(request: FastifyRequest, text: string): string {
  if (request.routeOptions.config.keepsText) request.bodyText = text.replace(/^\ufeff/, '')
  return text
}

const isJson = (type: string) =>
  type === 'application/json' || (type.startsWith('application/') && type.endsWith('+json'))

function textOf(bytes: Buffer): string {
  if (!isUtf8(bytes))
    throw new Refused('bad-request', 'There was an error parsing the body: it is not UTF-8.')
  return bytes.toString('utf8')
}

function parseJsonBody(text: string): unknown {
  const parsed = parseJson(text)
  if ('detail' in parsed) throw invalid(parsed.detail)
  return parsed.value
}

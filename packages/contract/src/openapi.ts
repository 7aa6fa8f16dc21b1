import type { TSchema } from 'typebox'
import { Refusal, type RefusalStatus, refusals, ValidationErrors } from './errors.ts'
import { mediaTypeOf, type Operation } from './operation.ts'
import { operations, tags } from './operations.ts'
import { bearerProtocol, closeCodes, envelopeProtocol, socketPath } from './socket-protocol.ts'

type Json = Record<string, unknown>

const { done, jobFailed } = closeCodes

/** With the sockets, which are no operations of the document. */
const introduction = `One controller for 5G, WiFi and LiFi access points.

Operations that return a \`job_number\` deliver their result on the WebSocket \`${socketPath}/{job_number}\`, with the access token as \`Authorization: Bearer <token>\` or, in browsers, with the subprotocols \`${bearerProtocol}\` and the token. Each frame is a JSON array. When the job has ended and all is delivered, the socket is closed with ${done}, or with ${jobFailed} if the job has failed. ${jobFailed} is also an internal error: \`GET /api/v1/jobs/{job_number}\` has the state. With the subprotocol \`${envelopeProtocol}\` messages have a number and are acknowledged, a failed job is a message, and the socket is closed with ${done}.`

/** The OpenAPI 3.1 document of the API, derived from the operations and their schemas only. */
export function openApiDocument(): Json {
  const components = new Map<string, Json>()
  const paths: Record<string, Json> = {}
  for (const operation of Object.values<Operation>(operations)) {
    const path = (paths[operation.path] ??= {})
    path[operation.method.toLowerCase()] = describe(operation, components)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'MANC, the multi-access network controller',
      version: '1.0.0',
      description: introduction,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
      securitySchemes: {
        bearer: {
          type: 'oauth2',
          flows: { password: { tokenUrl: '/api/v1/token/?login_type=user', scopes: {} } },
          description: 'A token from `POST /api/v1/token/`, sent as `Authorization: Bearer <token>`.',
        },
        basic: {
          type: 'http',
          scheme: 'basic',
          description: 'The name and the API key of an app, for clients that cannot renew a token.',
        },
      },
    },
  }
}

function describe(operation: Operation, components: Map<string, Json>): Json {
  const schema = (from: TSchema) => toOpenApi(from, components)
  const parameters = [
    ...parametersOf(operation, 'params', 'path'),
    ...parametersOf(operation, 'query', 'query'),
  ]
  const headers = operation.idempotent ? [idempotencyKey] : []
  const content = operation.form
    ? { 'application/x-www-form-urlencoded': { schema: schema(operation.form) } }
    : operation.body && { 'application/json': { schema: schema(operation.body) } }
  const answers: Json = {
    200: {
      description: 'Done',
      content: {
        [mediaTypeOf(operation)]: { schema: schema(operation.response) },
      },
    },
  }
  for (const status of statusesOf(operation))
    answers[status] = {
      description: refusals[status],
      content: { 'application/json': { schema: schema(Refusal) } },
    }
  if (parameters.length > 0 || content || operation.idempotent)
    answers[422] = {
      description: 'The request fails validation',
      content: { 'application/json': { schema: schema(ValidationErrors) } },
    }
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    ...(operation.description && { description: operation.description }),
    ...(operation.number === undefined && { 'x-extension': true }),
    ...(parameters.length + headers.length > 0 && { parameters: [...parameters, ...headers] }),
    ...(content && { requestBody: { required: true, content } }),
    responses: answers,
    security: securityOf(operation),
  }

  function parametersOf(from: Operation, part: 'params' | 'query', place: 'path' | 'query'): Json[] {
    const object = from[part]
    if (!object) return []
    return Object.entries<TSchema>(object.properties).map(([name, property]) => ({
      name,
      in: place,
      required: object.required?.includes(name) ?? false,
      schema: schema(property),
    }))
  }
}

const securityOf = ({ auth, takesBasic }: Operation): Json[] => [
  ...(auth === 'bearer' ? [{ bearer: [] }] : []),
  ...(takesBasic ? [{ basic: [] }] : []),
]

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string', maxLength: 255 },
  description: 'A request of the same caller with the same key within 24 hours is processed once.',
}

/** Every operation with a body can refuse one that is too large, or not UTF-8. */
const statusesOf = ({ refusals: own, body, form }: Operation): RefusalStatus[] =>
  [...new Set([...own, ...(body || form ? ([400, 413] as const) : [])])].toSorted((a, b) => a - b)

/** Schemas with a title become components. */
function toOpenApi(schema: unknown, components: Map<string, Json>): unknown {
  if (Array.isArray(schema)) return schema.map((item) => toOpenApi(item, components))
  if (typeof schema !== 'object' || schema === null) return schema
  const plain = inPlainTerms(schema as Json)
  const written: Json = {}
  for (const [key, value] of Object.entries(plain)) written[key] = toOpenApi(value, components)
  if (typeof plain['title'] !== 'string') return written
  components.set(plain['title'], written)
  return { $ref: `#/components/schemas/${plain['title']}` }
}

/** Free-form records and unions of literals, in the form that client generators support. */
function inPlainTerms(schema: Json): Json {
  const { patternProperties, anyOf, ...rest } = schema
  if (patternProperties) return { ...rest, additionalProperties: true }
  if (Array.isArray(anyOf) && anyOf.every((option: Json) => 'const' in option))
    return { type: 'string', ...rest, enum: anyOf.map((option: Json) => option['const']) }
  return schema
}

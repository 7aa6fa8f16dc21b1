import type { Json } from './document.ts'
import { type Operation, type Shape, takesInput, typesOf } from './shape.ts'
import { interfaceVersion } from './table.ts'
import { validationDetail } from './table-shared.ts'

/** The document of a server that follows the table exactly: it must pass all checks. */
export function documentOfTable(operations: Operation[]): Json {
  const paths: Record<string, Json> = {}
  for (const operation of operations) {
    paths[operation.path] = { ...paths[operation.path], [operation.method.toLowerCase()]: defined(operation) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'table', version: interfaceVersion },
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: { Refusal: { type: 'object', properties: { detail: schemaFor(validationDetail) } } },
    },
  }
}

function defined(operation: Operation): Json {
  const { auth, body, output, parameters = [] } = operation
  const type = body?.kind === 'form' ? 'application/x-www-form-urlencoded' : 'application/json'
  const refusal = { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } }
  return {
    security: auth === 'bearer' ? [{ bearer: [] }] : [],
    parameters: parameters.map(({ in: location, name, required, ...shape }) => ({
      in: location,
      name,
      required,
      schema: schemaFor(shape),
    })),
    ...(body && { requestBody: { required: true, content: { [type]: { schema: schemaFor(body) } } } }),
    responses: {
      200: { description: 'done', content: { 'application/json': { schema: schemaFor(output) } } },
      ...((takesInput(operation) || operation.takesKey) && {
        422: { description: 'refused', content: refusal },
      }),
    },
  }
}

function schemaFor(shape: Shape): Json {
  const { type: _type, nullable, default: preset, items, fields, ...keywords } = shape
  const types = typesOf(shape).filter((type) => type !== 'any')
  const beside = preset === undefined ? {} : { default: preset }
  const whole = {
    ...toKeywords(keywords),
    ...(items && { items: schemaFor(items) }),
    ...(fields && {
      properties: Object.fromEntries(fields.map((field) => [field.name, schemaFor(field)])),
      required: fields.filter((field) => field.required).map(({ name }) => name),
    }),
  }
  if (types.length === 0) return {}
  // Both ways in which 3.1 writes a union are in use, so that both are known to be understood.
  if (nullable) return { anyOf: [{ type: types[0], ...whole }, { type: 'null' }], ...beside }
  return { type: types.length === 1 ? types[0] : types, ...whole, ...beside }
}

/** The table's own words for a field are no keywords of a schema. */
function toKeywords(keywords: object): Json {
  const own = ['name', 'required', 'from', 'in', 'kind']
  return Object.fromEntries(Object.entries(keywords).filter(([name]) => !own.includes(name)))
}

import { contentTypes, SchemaCheck, schemaOf, securityOf } from './check-schema.ts'
import type { Checks } from './checks.ts'
import { type DocumentOperation, type Json, list, type OpenApiDocument, object } from './document.ts'
import { type Operation, takesInput } from './shape.ts'
import { interfaceVersion, table } from './table.ts'
import { validationDetail } from './table-shared.ts'

const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'

/** What concerns no operation in particular. */
export function checkDocument(document: OpenApiDocument, checks: Checks): void {
  const version = document.root['openapi']
  checks.holds('openapi', /^3\.1\.\d+$/.test(String(version)), '3.1.x', version)
  checks.equal('info.version', interfaceVersion, object(document.root['info'])['version'])
  const unknown = document.operations().filter((found) => !found.isExtension && !inTable(found))
  checks.equal(
    'operations that are neither in the interface nor marked x-extension',
    [],
    unknown.map(({ method, path }) => `${method} ${path}`),
  )
}

function inTable(found: DocumentOperation): boolean {
  return table.some(({ method, path }) => method === found.method && path === found.path)
}

/** One operation of the table against its definition in the document. */
export function checkDefinition(
  document: OpenApiDocument,
  operation: Operation,
  definition: Json,
  checks: Checks,
): void {
  const schemas = new SchemaCheck(document, checks)
  checkSecurity(document, operation, definition, checks)
  checkParameters(document, operation, definition, checks, schemas)
  checkBody(document, operation, definition, checks, schemas)
  checkAnswers(document, operation, definition, checks, schemas)
}

function checkSecurity(
  document: OpenApiDocument,
  operation: Operation,
  definition: Json,
  checks: Checks,
): void {
  const requirements = securityOf(document, definition).map(object)
  if (operation.auth === 'none') {
    checks.equal('document: security', [], requirements)
    return
  }
  // An empty requirement among others would make the token optional.
  const isDemanded =
    requirements.length > 0 && requirements.every((requirement) => Object.keys(requirement).length > 0)
  checks.holds('document: security', isDemanded, 'a bearer token', requirements)
  const schemes = object(object(document.root['components'])['securitySchemes'])
  for (const name of requirements.flatMap((requirement) => Object.keys(requirement))) {
    const scheme = object(document.resolve(schemes[name]))
    const isBearer =
      scheme['type'] === 'oauth2' || (scheme['type'] === 'http' && scheme['scheme'] === 'bearer')
    checks.holds(`document: security scheme ${name}`, isBearer, 'http bearer or oauth2', scheme)
  }
}

function checkParameters(
  document: OpenApiDocument,
  operation: Operation,
  definition: Json,
  checks: Checks,
  schemas: SchemaCheck,
): void {
  const declared = list(definition['parameters']).map((parameter) => object(document.resolve(parameter)))
  const expected = operation.parameters ?? []
  for (const parameter of expected) {
    const where = `document: ${parameter.in} ${parameter.name}`
    const found = declared.find(
      ({ in: location, name }) => location === parameter.in && name === parameter.name,
    )
    if (!checks.holds(`${where}: presence`, found !== undefined, 'a parameter', found)) continue
    checks.equal(`${where}: required`, parameter.required, found?.['required'] === true)
    schemas.field(where, parameter, found?.['schema'], 'input')
  }
  const beyond = declared.filter(
    (found) =>
      found['required'] === true &&
      !expected.some((parameter) => parameter.in === found['in'] && parameter.name === found['name']),
  )
  checks.equal(
    'document: required parameters beyond the interface',
    [],
    beyond.map((found) => found['name']),
  )
}

function checkBody(
  document: OpenApiDocument,
  operation: Operation,
  definition: Json,
  checks: Checks,
  schemas: SchemaCheck,
): void {
  const { body } = operation
  const declared = document.resolve(definition['requestBody'])
  if (!checks.equal('document: body', body !== undefined, declared !== undefined) || !body) return
  const { required, content } = object(declared)
  checks.equal('document: body: required', true, required)
  const type = body.kind === 'form' ? FORM_TYPE : JSON_TYPE
  checks.equal('document: body: content type', [type], contentTypes(content))
  schemas.compare('document: body', body, schemaOf(content, type), 'input')
}

function checkAnswers(
  document: OpenApiDocument,
  operation: Operation,
  definition: Json,
  checks: Checks,
  schemas: SchemaCheck,
): void {
  const answers = object(definition['responses'])
  const successes = Object.keys(answers).filter((status) => /^[123]/.test(status))
  checks.equal('document: success statuses', ['200'], successes)
  const { content } = object(document.resolve(answers['200']))
  checks.equal('document: output: content type', [JSON_TYPE], contentTypes(content))
  schemas.compare('document: output', operation.output, schemaOf(content, JSON_TYPE), 'output')

  const canBeInvalid = takesInput(operation) || operation.takesKey === true
  checks.equal('document: 422 declared', canBeInvalid, '422' in answers)
  if (!('422' in answers)) return
  const refusal = schemaOf(object(document.resolve(answers['422']))['content'], JSON_TYPE)
  const { detail } = document.describe(refusal).properties
  schemas.compare('document: 422: detail', validationDetail, detail, 'output')
}

import { expect, test } from 'vitest'
import { checkDefinition, checkDocument } from './check-document.ts'
import { Checks } from './checks.ts'
import { type Json, OpenApiDocument } from './document.ts'
import { documentOfTable } from './document-of-table.ts'
import { table } from './table.ts'

/** What the checks say about the table's own document after one change to it. */
function failuresAfter(change: (root: any) => void): string[] {
  const root = structuredClone(documentOfTable(table))
  change(root)
  const document = new OpenApiDocument(root)
  const checks = new Checks()
  checkDocument(document, checks)
  for (const operation of table) {
    const found = document
      .operations()
      .find(({ method, path }) => method === operation.method && path === operation.path)
    if (found) checkDefinition(document, operation, found.definition, checks)
  }
  return checks.failures.map(({ what }) => what)
}

const users = '/api/v1/users/'
const spinup = '/api/v1/emulator/spinup'
const bodyOf = (operation: any, type = 'application/json') => operation.requestBody.content[type].schema
const outputOf = (operation: any) => operation.responses[200].content['application/json'].schema
const specOf = (root: any) => bodyOf(root.paths[spinup].post).properties.emulators.items

/** Puts the output of an operation behind a reference. */
function moved(root: any, spoil: (schema: Json) => void): void {
  const json = root.paths[users].post.responses[200].content['application/json']
  spoil(json.schema)
  root.components.schemas.Moved = json.schema
  json.schema = { $ref: '#/components/schemas/Moved' }
}

function atLeastOne(root: any): void {
  const { duration } = specOf(root).properties
  delete duration.exclusiveMinimum
  duration.minimum = 1
}

test('the table lists the 32 operations of the interface in order', () => {
  expect(table.map(({ number }) => number)).toEqual(Array.from({ length: 32 }, (_, i) => i + 1))
  expect(new Set(table.map(({ method, path }) => `${method} ${path}`)).size).toBe(32)
})

test('a document that follows the table passes', () => {
  expect(failuresAfter(() => {})).toEqual([])
})

test('a referenced schema is checked like an inline schema', () => {
  expect(failuresAfter((root) => moved(root, () => {}))).toEqual([])
  expect(failuresAfter((root) => moved(root, (schema) => (schema['required'] = [])))).toEqual([
    'document: output.roles: required',
  ])
})

test.each<[string, (root: any) => void, string]>([
  ['another version of OpenAPI', (root) => (root.openapi = '3.0.3'), 'openapi'],
  ['another version of the interface', (root) => (root.info.version = '1.0.1'), 'info.version'],
  [
    'an operation that the interface does not have',
    (root) => (root.paths['/api/v1/more'] = { get: {} }),
    'operations that are neither in the interface nor marked x-extension',
  ],
  [
    'a path without its trailing slash',
    (root) => {
      root.paths['/api/v1/users'] = root.paths[users]
      delete root.paths[users]
    },
    'operations that are neither in the interface nor marked x-extension',
  ],
  ['an open operation', (root) => (root.paths[users].get.security = []), 'document: security'],
  ['an optional token', (root) => root.paths[users].get.security.push({}), 'document: security'],
  [
    'a token at the login',
    (root) => (root.paths['/api/v1/token/'].post.security = [{ bearer: [] }]),
    'document: security',
  ],
  [
    'a parameter too few',
    (root) => root.paths['/api/v1/send_command'].post.parameters.pop(),
    'document: query command: presence',
  ],
  [
    'a required parameter too many',
    (root) => root.paths[users].get.parameters.push({ in: 'header', name: 'x', required: true }),
    'document: required parameters beyond the interface',
  ],
  [
    'a required field too many',
    (root) => bodyOf(root.paths[users].post).required.push('x'),
    'document: body: required fields beyond the interface',
  ],
  [
    'a field of another type',
    (root) => (bodyOf(root.paths[users].post).properties.roles.items.type = 'integer'),
    'document: body.roles[]: type',
  ],
  [
    'a field without its format',
    (root) => delete bodyOf(root.paths[users].post).properties.username.format,
    'document: body.username: format',
  ],
  [
    'a field that may not be null',
    (root) => bodyOf(root.paths['/api/v1/agents/{ap_id}'].put).properties.configuration.anyOf.pop(),
    'document: body.configuration: nullable',
  ],
  [
    'another default',
    (root) => (root.paths['/api/v1/metrics/agent_data'].get.parameters[1].schema.default = 10),
    'document: query window: default',
  ],
  [
    'another enum',
    (root) => root.paths['/api/v1/token/'].post.parameters[0].schema.enum.push('robot'),
    'document: query login_type: enum',
  ],
  [
    'another pattern',
    (root) => (specOf(root).properties.access_point_type.pattern = '^(5G|WiFi)$'),
    'document: body.emulators[].access_point_type: pattern',
  ],
  [
    'another bound',
    (root) => (specOf(root).properties.num_access_points.maximum = 999),
    'document: body.emulators[].num_access_points: maximum',
  ],
  [
    'a bound that the interface does not have',
    (root) => (specOf(root).properties.locations.uniqueItems = true),
    'document: body.emulators[].locations: other bounds',
  ],
  [
    'another content type',
    (root) => {
      const { content } = root.paths['/api/v1/token/'].post.requestBody
      content['application/json'] = content['application/x-www-form-urlencoded']
    },
    'document: body: content type',
  ],
  [
    'an output field too few',
    (root) => delete outputOf(root.paths['/api/v1/agents/'].post).properties.id,
    'document: output.id: presence',
  ],
  [
    'another success status',
    (root) => (root.paths[users].post.responses[201] = {}),
    'document: success statuses',
  ],
  [
    'a 422 where nothing can be wrong',
    (root) => {
      root.paths['/api/v1/users/me'].get.responses[422] = root.paths[users].get.responses[422]
    },
    'document: 422 declared',
  ],
  [
    'no 422 where something can be',
    (root) => delete root.paths[users].get.responses[422],
    'document: 422 declared',
  ],
])('%s is the only reported failure', (_what, change, failure) => {
  expect(failuresAfter(change)).toEqual([failure])
})

test('an operation that is marked as an extension is not checked', () => {
  expect(failuresAfter((root) => (root.paths['/api/v1/more'] = { get: { 'x-extension': true } }))).toEqual([])
})

test('"at least 1" is the same bound for an integer as "greater than 0"', () => {
  expect(failuresAfter(atLeastOne)).toEqual([])
})

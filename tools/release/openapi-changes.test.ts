import { describe, expect, it } from 'vitest'
import released from '../../docs/openapi/1.0.0.json' with { type: 'json' }
import { breakingChanges } from './openapi-changes.ts'

const route = '/api/v1/things/{name}'

/** One operation with a parameter, a body and a response. */
function document(): any {
  return {
    openapi: '3.1.0',
    info: { title: 'test', version: '1' },
    paths: {
      [route]: {
        put: {
          operationId: 'changeThing',
          parameters: [
            { name: 'name', in: 'path', required: true, schema: { type: 'string' } },
            { name: 'limit', in: 'query', required: false, schema: { type: 'integer', maximum: 100 } },
          ],
          requestBody: {
            required: true,
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Change' } } },
          },
          responses: {
            200: {
              description: 'Done',
              content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
            },
            404: { description: 'Not found' },
          },
          security: [{ bearer: [] }],
        },
      },
    },
    components: {
      schemas: {
        Change: {
          type: 'object',
          properties: {
            state: { type: 'string', enum: ['on', 'off'] },
            label: { anyOf: [{ type: 'string' }, { type: 'null' }] },
          },
        },
        Thing: {
          type: 'object',
          properties: { id: { type: 'integer' }, note: { type: 'string' } },
          required: ['id'],
        },
      },
    },
  }
}

function changed(change: (document: any, operation: any, schemas: any) => void): string[] {
  const after = document()
  change(after, after.paths[route].put, after.components.schemas)
  return breakingChanges(document(), after)
}

describe('a change breaks callers if it', () => {
  const breaks: Record<string, Parameters<typeof changed>[0]> = {
    'removes a path': (after) => delete after.paths[route],
    'removes an operation': (after) => delete after.paths[route].put,
    'renames an operation id': (_, operation) => (operation.operationId = 'updateThing'),
    'removes a parameter': (_, operation) => operation.parameters.pop(),
    'adds a required parameter': (_, operation) =>
      operation.parameters.push({ name: 'site', in: 'query', required: true, schema: { type: 'string' } }),
    'makes a parameter required': (_, operation) => (operation.parameters[1].required = true),
    'narrows the range of a parameter': (_, operation) => (operation.parameters[1].schema.maximum = 50),
    'changes the type of a parameter': (_, operation) => (operation.parameters[1].schema.type = 'string'),
    'adds a required field to a request': (_, __, { Change }) => {
      Change.properties.site = { type: 'string' }
      Change.required = ['site']
    },
    'makes a field of a request required': (_, __, { Change }) => (Change.required = ['state']),
    'removes a field of a request': (_, __, { Change }) => delete Change.properties.label,
    'removes an enum value from a request': (_, __, { Change }) => Change.properties.state.enum.pop(),
    'narrows a type in a request': (_, __, { Change }) => Change.properties.label.anyOf.pop(),
    'forbids additional fields in a request': (_, __, { Change }) => (Change.additionalProperties = false),
    'removes a required field of a response': (_, __, { Thing }) => {
      delete Thing.properties.id
      Thing.required = []
    },
    'removes an optional field of a response': (_, __, { Thing }) => delete Thing.properties.note,
    'makes a field of a response optional': (_, __, { Thing }) => (Thing.required = []),
    'changes the type of a field in a response': (_, __, { Thing }) => (Thing.properties.id.type = 'string'),
    'changes the status of a response': (_, { responses }) => {
      responses['201'] = responses['200']
      delete responses['200']
    },
    'removes an error status': (_, { responses }) => delete responses['404'],
    'changes the media type of a body': (_, { requestBody: { content } }) => {
      content['application/xml'] = content['application/json']
      delete content['application/json']
    },
    'requires a token that was not required': (_, operation) => (operation.security = [{ other: [] }]),
  }
  it.each(Object.entries(breaks))('%s', (_name, change) => {
    expect(changed(change)).not.toEqual([])
  })
})

describe('a change is an addition if it', () => {
  const additions: Record<string, Parameters<typeof changed>[0]> = {
    'adds a path': (after) => (after.paths['/api/v1/sites'] = structuredClone(after.paths[route])),
    'adds an operation': (after, operation) => {
      after.paths[route].delete = { ...structuredClone(operation), operationId: 'deleteThing' }
    },
    'adds an optional parameter': (_, operation) =>
      operation.parameters.push({ name: 'site', in: 'query', required: false, schema: { type: 'string' } }),
    'adds an optional field to a request': (_, __, { Change }) =>
      (Change.properties.site = { type: 'string' }),
    'adds an enum value to a request': (_, __, { Change }) => Change.properties.state.enum.push('auto'),
    'adds a field to a response': (_, __, { Thing }) => (Thing.properties.site = { type: 'string' }),
    'adds an error status': (_, { responses }) => (responses['409'] = { description: 'Conflict' }),
    'changes a description': (_, operation) => (operation.description = 'Other text.'),
    'adds a field with the name of a keyword': (_, __, { Thing }) =>
      (Thing.properties.type = { type: 'string' }),
  }
  it.each(Object.entries(additions))('%s', (_name, change) => {
    expect(changed(change)).toEqual([])
  })
})

it('a breaking change is reported with its operation and its place in the document', () => {
  expect(changed((_, __, { Thing }) => (Thing.properties.id.type = 'string'))).toEqual([
    `changed PUT ${route}, responses.200.content.application/json.schema.properties.id.type: "integer" → "string"`,
  ])
})

it('a field removed from a schema of the released document is found in every operation that returns it', () => {
  const after: any = structuredClone(released)
  delete after.components.schemas.TokenData.properties.username
  const changes = breakingChanges(released, after)
  expect(changes.length).toBeGreaterThan(3)
  expect(changes).toContain(
    'removed GET /api/v1/users/{username}, responses.200.content.application/json.schema.properties.username',
  )
})

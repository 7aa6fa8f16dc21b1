import { type Operation, type OperationId, operations } from '@manc/contract'
import { tokenOf } from '@manc/harness'
import { beforeAll, describe, expect } from 'vitest'
import {
  expectNoSecrets,
  test as it,
  pathOf,
  type RecordingEnvironment,
  type Reply,
  type Sent,
} from './environment.ts'
import { missing, tooShort } from './items.ts'
import { secret } from './shape.ts'

let environment: RecordingEnvironment

it.beforeAll(({ environment: own }) => {
  environment = own
})

const oneMiB = 1_048_576
const ann = { username: 'ann@bad.test', password: secret('ann-password') }
const names = {
  username: 'unknown@bad.test',
  ap_id: 'unknown',
  app_name: 'unknown',
  id: 'unknown',
  job_number: 'unknown',
  run: '1',
}
const guarded = Object.values<Operation>(operations).filter(({ auth }) => auth === 'bearer')
const guardedWithBody = guarded.filter(({ body }) => body)
/** Every caller with an account may post to its own jobs and emulate, and users save views. */
const forAll: readonly string[] = ['Callbacks', 'Emulator', 'Views']
const notForAll = guardedWithBody.filter(({ tag }) => !forAll.includes(tag))
let user: string

beforeAll(async () => {
  await environment.asAdmin('POST', '/api/v1/users/signup', ann)
  user = await tokenOf(environment.url, 'user', ann.username, ann.password)
})

/** Bodies that would be refused for another reason if they were read. */
const badBodies: [title: string, body: string | Uint8Array<ArrayBuffer>][] = [
  ['that breaks off', `{"password": "${secret('broken')}`],
  ['without any field', '{}'],
  ['of no UTF-8', new Uint8Array([0x7b, 0xff, 0x7d])],
]

it('a body is ignored by operations without one, whatever its content type', async () => {
  for (const contentType of ['nonsense', 'text/plain, application/json', 'application/json']) {
    const { id } = operations.requestAllAgentsDetails
    const { status } = await environment.send({
      method: 'POST',
      path: pathOf(id),
      token: user,
      body: '{',
      contentType,
    })
    expect([contentType, status]).toEqual([contentType, 200])
  }
})

describe('the body of an unauthorized caller is not read:', () => {
  it.each(badBodies)('a body %s is 401 without a token', async (_, body) => {
    for (const operation of guardedWithBody) {
      const reply = await send(operation, { body })
      expect([operation.id, ...statusAndBody(reply)]).toEqual([
        operation.id,
        401,
        { detail: 'Not authenticated' },
      ])
    }
  })

  it.each(badBodies)('a body %s is 401 with an invalid token', async (_, body) => {
    for (const operation of guardedWithBody) {
      const reply = await send(operation, { body, token: secret('no-token') })
      expect([operation.id, ...statusAndBody(reply)]).toEqual([
        operation.id,
        401,
        { detail: 'Could not validate credentials' },
      ])
    }
  })

  it.each(badBodies)('a body %s is 403 for a caller without permission', async (_, body) => {
    for (const operation of notForAll) {
      const reply = await send(operation, { body, token: user })
      expect([operation.id, ...statusAndBody(reply)]).toEqual([
        operation.id,
        403,
        { detail: 'Not enough permissions' },
      ])
    }
  })

  it('an invalid query is 401 or 403 for an unauthorized caller', async () => {
    const path = '/api/v1/users/?limit=0'
    expect((await environment.send({ method: 'GET', path })).status).toBe(401)
    expect((await environment.send({ method: 'GET', path, token: user })).status).toBe(403)
    expect((await environment.asAdmin('GET', path)).status).toBe(422)
  })

  it('a body of more than 1 MiB is 401 without a token', async () => {
    const reply = await send(operations.createAgent, { body: padded(oneMiB + 1) })
    expect(statusAndBody(reply)).toEqual([401, { detail: 'Not authenticated' }])
  })

  it("a request to change one's own roles is 403 although the rest of the body is invalid", async () => {
    for (const change of [
      { roles: ['admin'] },
      { roles: ['admin'], password: 's3cret' },
      { roles: 'admin' },
      { roles: [7] },
    ]) {
      const body = JSON.stringify(change)
      const reply = await send(operations.updateUser, { body, token: user }, { username: ann.username })
      expect(statusAndBody(reply)).toEqual([403, { detail: 'Not enough permissions' }])
    }
  })
})

describe('a validation error is 422', () => {
  it('a validation error is reported before a missing record', async () => {
    const change = { password: 's3cret' }
    const reply = await environment.asAdmin('PUT', '/api/v1/users/unknown@bad.test', change)
    expect(statusAndBody(reply)).toEqual([422, { detail: [tooShort(8, ['body', 'password'])] }])
    expect(statusAndBody(await environment.asAdmin('PUT', '/api/v1/users/unknown@bad.test', {}))).toEqual([
      404,
      { detail: 'User not found' },
    ])
  })

  it('a validation error is reported before a conflict', async () => {
    const again = { username: ann.username, password: secret('again') }
    expect(statusAndBody(await environment.asAdmin('POST', '/api/v1/users/', again))).toEqual([
      422,
      { detail: [missing(['body', 'roles'])] },
    ])
    expect(
      statusAndBody(await environment.asAdmin('POST', '/api/v1/users/', { ...again, roles: [] })),
    ).toEqual([409, { detail: 'User already registered' }])
  })
})

describe('a duplicate is 409', () => {
  it.each([
    ['createUserPublic', { ...ann, roles: [] }, 'User already registered'],
    ['createUser', { ...ann, roles: ['admin'] }, 'User already registered'],
    ['signUp', ann, 'User already registered'],
    [
      'createAgentPublic',
      { ap_id: 'a', password: secret('a'), configuration: {} },
      'Agent already registered',
    ],
    ['createAgent', { ap_id: 'a', password: secret('a'), configuration: {} }, 'Agent already registered'],
    [
      'createApp',
      { app_name: 'a', api_key: secret('a'), permissions: {} },
      'Third-party app already registered',
    ],
  ] as const)('a duplicate is 409 at %s, without the sent values', async (id, body, detail) => {
    await environment.asAdmin('POST', pathOf(id), body)
    expect(statusAndBody(await environment.asAdmin('POST', pathOf(id), body))).toEqual([409, { detail }])
  })
})

describe('a missing record is 404', () => {
  const unknown: [OperationId, object | undefined, string][] = [
    ['getUser', undefined, 'User not found'],
    ['updateUser', { password: secret('unknown') }, 'User not found'],
    ['deleteUser', undefined, 'User not found'],
    ['getAgent', undefined, 'Agent not found'],
    ['updateAgent', { password: secret('unknown') }, 'Agent not found'],
    ['deleteAgent', undefined, 'Agent not found'],
    ['getApp', undefined, 'Third-party app not found'],
    ['updateApp', { api_key: secret('unknown') }, 'Third-party app not found'],
    ['deleteApp', undefined, 'Third-party app not found'],
  ]

  it.each(unknown)('a missing record is 404 at %s', async (id, body, detail) => {
    const { method }: Operation = operations[id]
    expect(statusAndBody(await environment.asAdmin(method, pathOf(id, names), body))).toEqual([
      404,
      { detail },
    ])
  })

  it.each(unknown)('a name that cannot exist is 404 at %s', async (id, body, detail) => {
    const { method, path }: Operation = operations[id]
    for (const name of ['a%2Fb', '%2B', '%23', '*', 'a.b', '%00', 'x'.repeat(300), '%F0%9F%94%91', '%20']) {
      const reply = await environment.asAdmin(method, path.replace(/\{\w+\}/, name), body)
      expect([name, ...statusAndBody(reply)]).toEqual([name, 404, { detail }])
    }
  })

  it('a name longer than the limit is 404', async () => {
    for (const [id, body, detail] of unknown) {
      const { method, path }: Operation = operations[id]
      const reply = await environment.asAdmin(method, path.replace(/\{\w+\}/, 'x'.repeat(600)), body)
      expect([id, ...statusAndBody(reply)]).toEqual([id, 404, { detail }])
    }
  })

  it.each(['%zz', '%', '%ff'])('a name with the invalid percent-encoding %s is 404', async (name) => {
    for (const [id, body, detail] of unknown) {
      const { method, path }: Operation = operations[id]
      const reply = await environment.asAdmin(method, path.replace(/\{\w+\}/, name), body)
      expect([id, ...statusAndBody(reply)]).toEqual([id, 404, { detail }])
    }
  })

  const deletes = ['deleteUser', 'deleteAgent', 'deleteApp'] as const

  it('deleting a missing record is 404 with an empty JSON body', async () => {
    for (const id of deletes)
      for (const body of ['', '{}', 'null']) {
        const reply = await send(operations[id], { body, token: environment.adminToken })
        expect([id, body, reply.status]).toEqual([id, body, 404])
      }
  })

  it('deleting a missing record is 404 with a malformed body', async () => {
    for (const id of deletes) {
      const body = `{"password": "${secret('delete')}`
      const reply = await send(operations[id], { body, token: environment.adminToken })
      expect([id, reply.status]).toEqual([id, 404])
    }
  })

  it('an unknown path is 404 for every caller', async () => {
    for (const path of ['/api/v1/nothing', '/api/v2/users/', '/nothing', '/api/v1', '/api/v1/users/a/b'])
      for (const token of [undefined, environment.adminToken])
        for (const method of ['GET', 'POST', 'DELETE']) {
          const reply = await environment.send({ method, path, ...(token !== undefined && { token }) })
          expect([path, ...statusAndBody(reply)]).toEqual([path, 404, { detail: 'Not Found' }])
        }
  })
})

describe('a wrong method is 405', () => {
  it.each([
    ['PUT', '/api/v1/token/', ['DELETE', 'POST']],
    ['GET', '/api/v1/token', ['DELETE', 'POST']],
    ['PATCH', '/api/v1/users/', ['GET', 'POST']],
    ['DELETE', '/api/v1/users', ['GET', 'POST']],
    ['PATCH', '/api/v1/users/ann@bad.test', ['DELETE', 'GET', 'PUT']],
    ['GET', '/api/v1/agents/', ['POST']],
    ['POST', '/api/v1/agents/ap', ['DELETE', 'GET', 'PUT']],
    ['PATCH', '/api/v1/third_party_apps/app', ['DELETE', 'GET', 'PUT']],
    ['PUT', '/api/v1/third_party_apps/', ['GET', 'POST']],
    ['PUT', '/api/v1/enrolment_tokens', ['GET', 'POST']],
    ['QUERY', '/api/v1/users/', ['GET', 'POST']],
  ])('a wrong method is 405 with the allowed ones at %s %s', async (method, path, allowed) => {
    const reply = await environment.asAdmin(method, path)
    expect(statusAndBody(reply)).toEqual([405, { detail: 'Method Not Allowed' }])
    expect(reply.headers.get('allow')?.split(', ').sort()).toEqual(allowed)
  })
})

describe('a body', () => {
  it('a body of 1 MiB is accepted', async () => {
    const reply = await send(operations.recoverPassword, { body: padded(oneMiB) })
    expect(statusAndBody(reply)).toEqual([422, { detail: [missing(['body', 'username'])] }])
  })

  it('a body above 1 MiB is 413, for callbacks above 16 MiB', async () => {
    for (const operation of guardedWithBody) {
      const limit = operation.tag === 'Callbacks' ? 16 * oneMiB : oneMiB
      const reply = await send(operation, { body: padded(limit + 1), token: environment.adminToken })
      expect([operation.id, ...statusAndBody(reply)]).toEqual([
        operation.id,
        413,
        { detail: expect.any(String) },
      ])
    }
  })

  it('a body above 1 MiB is 413 without a Content-Length', async () => {
    const body = new Blob([padded(oneMiB + 1)]).stream()
    const reply = await send(operations.createAgent, { body, token: environment.adminToken })
    expect(statusAndBody(reply)).toEqual([413, { detail: expect.any(String) }])
  })

  it.each(guardedWithBody.map(({ id }) => id as OperationId))(
    'a body that is not UTF-8 is 400 at %s',
    async (id) => {
      const start = Buffer.from(`{"password": "${secret('latin-')}`)
      const body = new Uint8Array([...start, 0xe9, 0x22, 0x7d])
      const reply = await send(operations[id], { body, token: environment.adminToken })
      expect(statusAndBody(reply)).toEqual([
        400,
        { detail: expect.stringMatching(/^There was an error parsing the body/) },
      ])
    },
  )
})

describe('a wrong credential is not repeated in the response:', () => {
  it('a failed login of each kind', async () => {
    for (const kind of ['user', 'agent', 'third_party_app']) {
      const form = { username: ann.username, password: secret('wrong'), client_secret: secret('client') }
      const path = `/api/v1/token/?login_type=${kind}`
      const reply = await environment.send({ method: 'POST', path, body: new URLSearchParams(form) })
      expect(statusAndBody(reply)).toEqual([401, { detail: 'Incorrect username or password' }])
      expect(reply.headers.get('www-authenticate')).toBe('Bearer')
    }
  })

  it('an unknown confirmation token', async () => {
    const body = { token: secret('token'), password: secret('password') }
    const reply = await environment.asAdmin('POST', '/api/v1/users/confirm-signup', body)
    expect(statusAndBody(reply)).toEqual([400, { detail: 'Invalid or expired token' }])
  })

  it('an unknown reset token', async () => {
    const body = { token: secret('token'), new_password: secret('new-password') }
    const reply = await environment.asAdmin('POST', '/api/v1/users/reset-password', body)
    expect(statusAndBody(reply)).toEqual([400, { detail: 'Invalid or expired token' }])
  })

  it('an invalid bearer token, at every operation that needs one', async () => {
    for (const operation of guarded) {
      const reply = await send(operation, { token: secret('bearer') })
      expect([operation.id, ...statusAndBody(reply)]).toEqual([
        operation.id,
        401,
        { detail: 'Could not validate credentials' },
      ])
    }
  })
})

expectNoSecrets()

function send(
  { id, method }: Operation,
  given: Pick<Sent, 'body' | 'token'>,
  path: Record<string, string> = names,
): Promise<Reply> {
  const contentType = given.body === undefined ? {} : { contentType: 'application/json' }
  return environment.send({ method, path: pathOf(id as OperationId, path), ...contentType, ...given })
}

const statusAndBody = ({ status, json }: Reply) => [status, json]

/** An empty object and so much white space that it has this many bytes. */
const padded = (bytes: number) => `{}${' '.repeat(bytes - 2)}`

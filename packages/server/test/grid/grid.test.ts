import { type Operation, type OperationId, operations } from '@manc/contract'
import { call } from '@manc/harness'
import { afterAll, describe, expect } from 'vitest'
import { resetUser, subjects } from './accounts.ts'
import { type Callers, makeCallers } from './callers.ts'
import { GridEnvironment, test as it } from './environment.ts'
import { expectations } from './expectations.ts'
import type { CallerName } from './names.ts'
import { type Outcome, outcomeOf } from './outcome.ts'

const operationIds = Object.keys(expectations) as OperationId[]
const cells = new Set<string>()

describe('who may call', () => {
  let environment: GridEnvironment
  let callers: Callers

  it.beforeAll(async ({ environment: own }) => {
    environment = own
    callers = await makeCallers(environment)
  })

  it.each(operationIds)('%s', async (id) => {
    const { 'setup token': _, ...expected } = expectations[id]
    const found: Record<string, Outcome> = {}
    for (const [name, authorization] of Object.entries(callers))
      found[name] = await outcomeOf(environment, id, name as CallerName, authorization)
    for (const name of Object.keys(found)) cells.add(`${id} ${name}`)
    expect(found).toEqual(expected)
  })

  it('updateUser: users may change their own password, but not their own roles', async () => {
    const { username, password } = subjects.user
    const headers = { authorization: callers['user itself'] ?? '' }
    for (const path of [`/api/v1/users/${username}`, '/api/v1/users/me', '/api/v1/users/SELF@GRID.TEST']) {
      const kept = await call(environment.url, 'PUT', path, { headers, body: { password, roles: null } })
      expect(kept.status).toBe(200)
      for (const roles of [['user'], ['admin'], []]) {
        const { status, body } = await call(environment.url, 'PUT', path, {
          headers,
          body: { password, roles },
        })
        expect([status, body]).toEqual([403, { detail: 'Not enough permissions' }])
      }
    }
  })
})

describe('while there is no administrator, the setup token', () => {
  let environment: GridEnvironment
  let authorization: string

  afterAll(() => environment?.drop())

  it('creates the first administrator and does nothing else', async () => {
    // A new server for each attempt: an attempt uses up the token.
    await environment?.drop()
    environment = await GridEnvironment.openWithoutAdmin()
    authorization = /Authorization: (Bearer setup_[\w-]+)/.exec(environment.logged())?.[1] ?? ''
    for (const body of [subjects.user, resetUser])
      await call(environment.url, 'POST', '/api/v1/users/signup', { body })
    const found: Record<string, Outcome> = {}
    // createUserPublic uses the token, so it comes last.
    const inOrder = [...operationIds.filter((id) => id !== 'createUserPublic'), 'createUserPublic' as const]
    for (const id of inOrder) found[id] = await outcomeOf(environment, id, 'setup token', authorization)
    for (const id of inOrder) cells.add(`${id} setup token`)
    const expected = operationIds.map((id) => [id, expectations[id]['setup token']])
    expect(found).toEqual(Object.fromEntries(expected))
  })

  it('is invalid once there is an administrator', async () => {
    for (const id of operationIds) {
      const expected = expectations[id].anonymous
      expect([id, await outcomeOf(environment, id, 'setup token', authorization)]).toEqual([id, expected])
    }
  })
})

describe('the grid', () => {
  it('has a row for every operation', () => {
    const ids = Object.values<Operation>(operations).map(({ id }) => id)
    expect(operationIds.toSorted()).toEqual(ids.toSorted())
  })

  it('has compared every cell', () => {
    const expected = Object.values(expectations).flatMap((row) => Object.keys(row))
    expect(cells.size).toBe(expected.length)
  })
})

import { expect, it } from 'vitest'
import { readRoles, rolesOf } from './roles.ts'

it.each([
  ['user', 'user', []],
  ['', 'user', []],
  ['night shift', 'user', ['night shift']],
  ['operator,Hall 2', 'operator', ['Hall 2']],
  ['user,Administrator,operator', 'admin', []],
] as const)('%s is read as %s', (roles, role, labels) => {
  expect(readRoles(roles)).toEqual({ role, labels })
})

it('roles are written as they were read', () => {
  expect(readRoles(rolesOf('operator', ['Hall 2', 'night']).join(','))).toEqual({
    role: 'operator',
    labels: ['Hall 2', 'night'],
  })
})

it('a label that is the name of a role is dropped', () => {
  expect(rolesOf('user', ['night', 'Admin', 'administrator ', 'operator'])).toEqual(['user', 'night'])
})

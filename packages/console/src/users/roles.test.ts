import { expect, it } from 'vitest'
import { readRoles, rolesOf } from './roles.ts'

it.each([
  ['user', 'user', []],
  ['', 'user', []],
  ['night shift', 'user', ['night shift']],
  ['operator,Hall 2', 'operator', ['Hall 2']],
  ['user,Administrator,operator', 'admin', []],
] as const)('%s is read as %s', (roles, rank, labels) => {
  expect(readRoles(roles)).toEqual({ rank, labels })
})

it('what was read is written the same', () => {
  expect(readRoles(rolesOf('operator', ['Hall 2', 'night']).join(','))).toEqual({
    rank: 'operator',
    labels: ['Hall 2', 'night'],
  })
})

it('a label gives no rights, whatever it says', () => {
  expect(rolesOf('user', ['night', 'Admin', 'administrator ', 'operator'])).toEqual(['user', 'night'])
})

import { describe, expect, it } from 'vitest'
import { moduleFileProblems } from './module-file-rules.ts'

describe('The file names of a module', () => {
  it.each([
    'users.service.ts',
    'login-failures.store.ts',
    'index.ts',
    'users.service.test.ts',
    'globs.test.ts',
  ])('may be %s', (file) => {
    expect(moduleFileProblems(file, '')).toEqual([])
  })

  it.each([
    'users.ts',
    'users.helpers.ts',
    'Users.service.ts',
    'service.ts',
    'a.b.service.ts',
    'x_y.rules.ts',
  ])('may not be %s', (file) => {
    expect(moduleFileProblems(file, '')).toEqual([expect.stringContaining('noun.role.ts')])
  })
})

describe('The index of a module', () => {
  it.each([
    "export { UserService } from './users.service.ts'",
    "export type { User } from './users.store.ts'",
    "export { insertUser, type User } from './users.store.ts'",
  ])('may contain %s', (source) => {
    expect(moduleFileProblems('index.ts', source)).toEqual([])
  })

  it.each([
    ["export { UserStore } from './users.store.ts'", 'UserStore'],
    ["export type { UserStore } from './users.store.ts'", 'UserStore'],
    ["export { type User, UserStore as Users } from './users.store.ts'", 'Users'],
    ["export * from './users.store.ts'", 'all of'],
  ])('may not contain %s', (source, named) => {
    expect(moduleFileProblems('index.ts', source)).toEqual([expect.stringContaining(named)])
  })
})

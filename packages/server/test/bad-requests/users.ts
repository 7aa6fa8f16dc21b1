import { missing, noMatch, notAList, notText, tooLong, tooManyItems, tooShort } from './items.ts'
import { type BadBody, secret, secretNumber } from './shape.ts'

const username = ['body', 'username']
const password = ['body', 'password']
const roles = ['body', 'roles']
const name = 'new@bad.test'
const noRole = (loc: (string | number)[]) => noMatch('^[^,\\u0000-\\u001f\\u007f]*$', loc)

/** Bodies of the two operations with which an administrator creates a user. */
export const createdUsers: BadBody[] = [
  {
    title: 'an empty object, naming every field in order',
    json: {},
    expected: [missing(username), missing(password), missing(roles)],
  },
  {
    title: 'a body without a username',
    json: { password: secret('a'), roles: [] },
    expected: [missing(username)],
  },
  { title: 'a body without a password', json: { username: name, roles: [] }, expected: [missing(password)] },
  {
    title: 'a body without roles',
    json: { username: name, password: secret('without-roles') },
    expected: [missing(roles)],
  },
  {
    title: 'a body with nothing but roles',
    json: { roles: ['user'] },
    expected: [missing(username), missing(password)],
  },
  {
    title: 'null for every field',
    json: { username: null, password: null, roles: null },
    expected: [notText(username), notText(password), notAList(roles)],
  },
  {
    title: 'numbers, which never become text',
    json: { username: 5, password: secretNumber, roles: 1 },
    expected: [notText(username), notText(password), notAList(roles)],
  },
  {
    title: 'booleans',
    json: { username: true, password: false, roles: true },
    expected: [notText(username), notText(password), notAList(roles)],
  },
  {
    title: 'lists for text and an object for a list',
    json: { username: [name], password: [secret('in-a-list')], roles: { 0: 'user' } },
    expected: [notText(username), notText(password), notAList(roles)],
  },
  {
    title: 'objects for text and text for a list',
    json: { username: { name }, password: { value: secret('in-an-object') }, roles: 'admin' },
    expected: [notText(username), notText(password), notAList(roles)],
  },
  {
    title: 'misspelt fields, which are not read',
    json: { user: name, passwd: secret('misspelt'), role: ['user'], Username: name },
    expected: [missing(username), missing(password), missing(roles)],
  },
  {
    title: 'fields that are hidden in a prototype',
    text: `{"__proto__": {"username": "${name}", "password": "${secret('inherited')}", "roles": ["admin"]}}`,
    expected: [missing(username), missing(password), missing(roles)],
  },
  {
    title: 'faults of several kinds at once, in the order of the fields',
    json: { roles: ['user', 7, ''], password: secret(''), username: false },
    expected: [notText(username), tooShort(8, password), notText([...roles, 1]), tooShort(1, [...roles, 2])],
  },
]

/** Roles, beside a body that is otherwise right. */
export const wrongRoles = (body: object): BadBody[] => [
  ...[7, null, true, ['user'], { name: 'user' }].map((role) => ({
    title: `${JSON.stringify(role)} as a role, at its place in the list`,
    json: { ...body, roles: ['user', role] },
    expected: [notText([...roles, 1])],
  })),
  { title: 'an empty role', json: { ...body, roles: [''] }, expected: [tooShort(1, [...roles, 0])] },
  {
    title: 'a role of 65 characters',
    json: { ...body, roles: ['a', 'b', 'x'.repeat(65)] },
    expected: [tooLong(64, [...roles, 2])],
  },
  ...['\0', '\n', 'night\tshift', '\u001b[31m', 'admin\u007f', 'a,b'].map((role) => ({
    title: `the role ${JSON.stringify(role)}`,
    json: { ...body, roles: [role] },
    expected: [noRole([...roles, 0])],
  })),
  {
    title: '33 roles',
    json: { ...body, roles: Array.from({ length: 33 }, (_, index) => `label ${index}`) },
    expected: [tooManyItems(32, 33, roles)],
  },
  {
    title: '33 roles of which one is wrong, for their number alone',
    json: { ...body, roles: ['user', 7, ...Array.from({ length: 31 }, () => 'label')] },
    expected: [tooManyItems(32, 33, roles)],
  },
  {
    title: 'several wrong roles, each at its place',
    json: { ...body, roles: [1, 'user', '', 'a,b'] },
    expected: [notText([...roles, 0]), tooShort(1, [...roles, 2]), noRole([...roles, 3])],
  },
]

export const wrongUserChanges: BadBody[] = [
  ...[5, true, ['user'], {}].map((value) => ({
    title: `${JSON.stringify(value)} for the password`,
    json: { password: value },
    expected: [notText(password)],
  })),
  ...['admin', 5, false, { role: 'admin' }].map((value) => ({
    title: `${JSON.stringify(value)} for the roles`,
    json: { roles: value },
    expected: [notAList(roles)],
  })),
  {
    title: 'a number for the current password',
    json: { password: secret('changed'), current_password: secretNumber },
    expected: [notText(['body', 'current_password'])],
  },
  {
    title: 'a short password and wrong roles, both named',
    json: { roles: 'admin', password: 's3cret' },
    expected: [tooShort(8, password), notAList(roles)],
  },
]

import { missing, notText, tooShort } from './items.ts'
import { type BadBody, secret, secretNumber } from './shape.ts'

const username = ['body', 'username']
const password = ['body', 'password']
const token = ['body', 'token']
const newPassword = ['body', 'new_password']

export const wrongSignups: BadBody[] = [
  { title: 'an empty object', json: {}, expected: [missing(username), missing(password)] },
  { title: 'a body without a username', json: { password: secret('x') }, expected: [missing(username)] },
  { title: 'a body without a password', json: { username: 'a@bad.test' }, expected: [missing(password)] },
  {
    title: 'null for both fields',
    json: { username: null, password: null },
    expected: [notText(username), notText(password)],
  },
  {
    title: 'numbers',
    json: { username: 1, password: secretNumber },
    expected: [notText(username), notText(password)],
  },
  {
    title: 'an object and a list',
    json: { username: {}, password: [secret('x')] },
    expected: [notText(username), notText(password)],
  },
]

export const wrongRecoveries: BadBody[] = [
  { title: 'an empty object', json: {}, expected: [missing(username)] },
  ...[null, 5, true, ['a@bad.test'], { address: 'a@bad.test' }].map((value) => ({
    title: `${JSON.stringify(value)} for the username`,
    json: { username: value },
    expected: [notText(username)],
  })),
  { title: 'another name for the field', json: { email: 'a@bad.test' }, expected: [missing(username)] },
]

export const wrongConfirmations: BadBody[] = [
  { title: 'an empty object', json: {}, expected: [missing(token), missing(password)] },
  { title: 'a body without a token', json: { password: secret('confirm') }, expected: [missing(token)] },
  { title: 'a body without a password', json: { token: secret('token') }, expected: [missing(password)] },
  {
    title: 'a number for the token',
    json: { token: secretNumber, password: secret('confirm') },
    expected: [notText(token)],
  },
]

export const wrongResets: BadBody[] = [
  { title: 'an empty object', json: {}, expected: [missing(token), missing(newPassword)] },
  {
    title: 'a body without a token',
    json: { new_password: secret('reset') },
    expected: [missing(token)],
  },
  {
    title: 'a body without a new password',
    json: { token: secret('token') },
    expected: [missing(newPassword)],
  },
  {
    title: 'the name of the field that other operations have',
    json: { token: secret('token'), password: secret('reset') },
    expected: [missing(newPassword)],
  },
  {
    title: 'null for both fields',
    json: { token: null, new_password: null },
    expected: [notText(token), notText(newPassword)],
  },
  {
    title: 'a number for the token and a short password, both named',
    json: { token: secretNumber, new_password: 's3cret' },
    expected: [notText(token), tooShort(8, newPassword)],
  },
  {
    title: 'a list for the token and an object for the password',
    json: { token: [secret('token')], new_password: { value: secret('reset') } },
    expected: [notText(token), notText(newPassword)],
  },
]

import { missing, noLoginType, noMatch } from './items.ts'
import { type BadBody, secret } from './shape.ts'

const form = { username: 'ann@bad.test', password: secret('login') }
const noUsername = missing(['body', 'username'])
const noPassword = missing(['body', 'password'])
const queryMissing = missing(['query', 'login_type'])
const queryWrong = noLoginType(['query', 'login_type'])

export const wrongLogins: BadBody[] = [
  { title: 'a login without a login type', form, expected: [queryMissing] },
  ...['admin', 'User', 'users', 'service', '', '%20user'].map((type) => ({
    title: `the login type "${type}"`,
    query: `login_type=${type}`,
    form,
    expected: [queryWrong],
  })),
  {
    title: 'the last of two login types, which is the one that counts',
    query: 'login_type=user&login_type=unknown',
    form,
    expected: [queryWrong],
  },
  {
    title: 'a form without a username',
    query: 'login_type=user',
    form: { password: secret('nameless') },
    expected: [noUsername],
  },
  {
    title: 'a form without a password',
    query: 'login_type=agent',
    form: { username: 'ap' },
    expected: [noPassword],
  },
  {
    title: 'an empty username, which counts as missing',
    query: 'login_type=user',
    form: { username: '', password: secret('empty-name') },
    expected: [noUsername],
  },
  {
    title: 'an empty password, which counts as missing',
    query: 'login_type=third_party_app',
    form: { username: 'app', password: '' },
    expected: [noPassword],
  },
  {
    title: 'two empty fields, both named',
    query: 'login_type=user',
    form: { username: '', password: '' },
    expected: [noUsername, noPassword],
  },
  ...['client_credentials', 'PASSWORD', 'pass word', 'refresh_token'].map((grant) => ({
    title: `the grant type "${grant}"`,
    query: 'login_type=user',
    form: { ...form, grant_type: grant },
    expected: [noMatch('password', ['body', 'grant_type'])],
  })),
  {
    title: 'a wrong grant type before the fields that are missing',
    query: 'login_type=user',
    form: { grant_type: 'implicit' },
    expected: [noMatch('password', ['body', 'grant_type']), noUsername, noPassword],
  },
  {
    title: 'a wrong form and a wrong query, the form first',
    query: 'login_type=unknown',
    form: { grant_type: 'implicit', username: 'ann@bad.test' },
    expected: [noMatch('password', ['body', 'grant_type']), noPassword, queryWrong],
  },
  {
    title: 'a missing form and a missing query, the form first',
    expected: [noUsername, noPassword, queryMissing],
  },
  {
    title: 'a JSON body, in which no form field is found',
    query: 'login_type=user',
    json: form,
    expected: [noUsername, noPassword],
  },
  {
    title: 'a malformed JSON body like any other that is no form',
    query: 'login_type=user',
    text: '{"password": "s3cret-json"',
    expected: [noUsername, noPassword],
  },
  {
    title: 'a form that calls itself text',
    query: 'login_type=user',
    text: 'username=ann%40bad.test&password=s3cret-text',
    contentType: 'text/plain',
    expected: [noUsername, noPassword],
  },
  {
    title: 'no body at all',
    query: 'login_type=agent',
    expected: [noUsername, noPassword],
  },
  {
    title: 'credentials in the query',
    query: 'login_type=user&username=ann%40bad.test&password=s3cret-query',
    expected: [noUsername, noPassword],
  },
]

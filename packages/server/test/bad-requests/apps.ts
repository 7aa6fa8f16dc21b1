import { missing, noMatch, notADictionary, notText, tooShort } from './items.ts'
import { type BadBody, secret, secretNumber } from './shape.ts'

const appName = ['body', 'app_name']
const apiKey = ['body', 'api_key']
const permissions = ['body', 'permissions']
const noName = noMatch('^[A-Za-z0-9][A-Za-z0-9 ._-]{0,63}$', appName)

export const rightApp = { app_name: 'bad app', api_key: secret('key'), permissions: {} }

export const wrongApps: BadBody[] = [
  {
    title: 'an empty object, naming every field in order',
    json: {},
    expected: [missing(appName), missing(apiKey), missing(permissions)],
  },
  {
    title: 'a body without an app_name',
    json: { api_key: secret('key'), permissions: {} },
    expected: [missing(appName)],
  },
  {
    title: 'a body without an api_key',
    json: { app_name: 'bad app', permissions: {} },
    expected: [missing(apiKey)],
  },
  {
    title: 'a body without permissions',
    json: { app_name: 'bad app', api_key: secret('key') },
    expected: [missing(permissions)],
  },
  {
    title: 'null for every field',
    json: { app_name: null, api_key: null, permissions: null },
    expected: [notText(appName), notText(apiKey), notADictionary(permissions)],
  },
  {
    title: 'numbers',
    json: { app_name: 1, api_key: secretNumber, permissions: 1 },
    expected: [notText(appName), notText(apiKey), notADictionary(permissions)],
  },
  {
    title: 'lists',
    json: { app_name: [], api_key: [secret('key')], permissions: ['agents:read'] },
    expected: [notText(appName), notText(apiKey), notADictionary(permissions)],
  },
  {
    title: 'objects for text and text for an object',
    json: { app_name: {}, api_key: { key: secret('key') }, permissions: 'all' },
    expected: [notText(appName), notText(apiKey), notADictionary(permissions)],
  },
  {
    title: 'booleans',
    json: { app_name: true, api_key: true, permissions: true },
    expected: [notText(appName), notText(apiKey), notADictionary(permissions)],
  },
  {
    title: 'a sandbox that is no boolean',
    json: { ...rightApp, permissions: { sandbox: 'no' } },
    expected: [
      { loc: [...permissions, 'sandbox'], msg: 'Input should be a valid boolean', type: 'bool_type' },
    ],
  },
  {
    title: 'a wrong name, an empty key and wrong permissions, all named',
    json: { app_name: 'a/b', api_key: '', permissions: [] },
    expected: [noName, tooShort(1, apiKey), notADictionary(permissions)],
  },
]

const wrongNames = [
  '',
  ...['/', '+', '#', '*', ':', ',', '@', '"', '\\', '\0', '\n', '\t', 'é', '🛰', '<'].map(
    (character) => `a${character}b`,
  ),
  ...['-', '_', '.', ' '].map((character) => `${character}app`),
  'app\n',
  'x'.repeat(65),
]

export const wrongAppNames: BadBody[] = wrongNames.map((name) => ({
  title: `the app_name ${name.length > 40 ? `of ${name.length} characters` : JSON.stringify(name)}`,
  json: { ...rightApp, app_name: name },
  expected: [noName],
}))

export const wrongAppChanges: BadBody[] = [
  { title: 'a number for the api_key', json: { api_key: secretNumber }, expected: [notText(apiKey)] },
  { title: 'true for the api_key', json: { api_key: true }, expected: [notText(apiKey)] },
  { title: 'a list for the api_key', json: { api_key: [secret('key')] }, expected: [notText(apiKey)] },
  {
    title: 'an object for the api_key',
    json: { api_key: { a: secret('key') } },
    expected: [notText(apiKey)],
  },
  ...['{}', 5, false, [], ['agents:read']].map((value) => ({
    title: `${JSON.stringify(value)} for the permissions`,
    json: { permissions: value },
    expected: [notADictionary(permissions)],
  })),
  {
    title: 'a wrong key and wrong permissions, both named',
    json: { permissions: 1, api_key: {} },
    expected: [notText(apiKey), notADictionary(permissions)],
  },
]

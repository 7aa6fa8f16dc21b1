import { missing, noMatch, notADictionary, notText, tooManyBytes, tooShort } from './items.ts'
import { type BadBody, secret, secretNumber } from './shape.ts'

const apId = ['body', 'ap_id']
const password = ['body', 'password']
const configuration = ['body', 'configuration']
const noId = noMatch('^[A-Za-z0-9][A-Za-z0-9_:-]{0,63}$', apId)

export const rightAgent = { ap_id: 'bad-ap', password: secret('agent'), configuration: {} }

/** 64 KiB as JSON, and one byte more. */
export const largestConfiguration = { text: 'x'.repeat(65_536 - '{"text":""}'.length) }
const tooLargeConfiguration = { text: `${largestConfiguration.text}x` }

export const wrongAgents: BadBody[] = [
  {
    title: 'an empty object, naming every field in order',
    json: {},
    expected: [missing(apId), missing(password), missing(configuration)],
  },
  {
    title: 'a body without an ap_id',
    json: { password: secret('agent'), configuration: {} },
    expected: [missing(apId)],
  },
  {
    title: 'a body without a password',
    json: { ap_id: 'bad-ap', configuration: {} },
    expected: [missing(password)],
  },
  {
    title: 'a body without a configuration',
    json: { ap_id: 'bad-ap', password: secret('agent') },
    expected: [missing(configuration)],
  },
  {
    title: 'null for every field',
    json: { ap_id: null, password: null, configuration: null },
    expected: [notText(apId), notText(password), notADictionary(configuration)],
  },
  {
    title: 'numbers',
    json: { ap_id: 17, password: secretNumber, configuration: 1 },
    expected: [notText(apId), notText(password), notADictionary(configuration)],
  },
  {
    title: 'lists',
    json: { ap_id: ['bad-ap'], password: [secret('agent')], configuration: [{}] },
    expected: [notText(apId), notText(password), notADictionary(configuration)],
  },
  {
    title: 'objects for text and text for an object',
    json: { ap_id: {}, password: { value: secret('agent') }, configuration: '{"mode": "ap"}' },
    expected: [notText(apId), notText(password), notADictionary(configuration)],
  },
  {
    title: 'booleans',
    json: { ap_id: true, password: false, configuration: true },
    expected: [notText(apId), notText(password), notADictionary(configuration)],
  },
  {
    title: 'a wrong ap_id and an empty password, both named',
    json: { ap_id: 'a/b', password: '', configuration: {} },
    expected: [noId, tooShort(1, password)],
  },
]

const wrongIds = [
  '',
  ...['.', '/', '+', '#', '*', ' ', ',', '@', '$', '%', '"', "'", '\\', '\0', '\n', 'é', '🛰', '>', '~'].map(
    (character) => `a${character}b`,
  ),
  ...['-', '_', ':', '.'].map((character) => `${character}ap`),
  'ap\n',
  ' ap',
  'ap ',
  'x'.repeat(65),
]

export const wrongApIds: BadBody[] = wrongIds.map((id) => ({
  title: `the ap_id ${id.length > 40 ? `of ${id.length} characters` : JSON.stringify(id)}`,
  json: { ...rightAgent, ap_id: id },
  expected: [noId],
}))

export const largeConfigurations: BadBody[] = [
  {
    title: 'a configuration of 64 KiB and a byte',
    json: { ...rightAgent, configuration: tooLargeConfiguration },
    expected: [tooManyBytes(configuration)],
  },
  {
    title: 'a configuration whose characters are few and whose bytes are many',
    json: { ...rightAgent, configuration: { text: '🛰'.repeat(16_384) } },
    expected: [tooManyBytes(configuration)],
  },
  {
    title: 'a configuration that is too large together with a wrong ap_id',
    json: { ...rightAgent, ap_id: 'a/b', configuration: tooLargeConfiguration },
    expected: [noId, tooManyBytes(configuration)],
  },
]

export const wrongAgentChanges: BadBody[] = [
  ...[5, true, [secret('agent')], { value: secret('agent') }].map((value) => ({
    title: `${typeof value === 'object' ? (Array.isArray(value) ? 'a list' : 'an object') : value} for the password`,
    json: { password: value },
    expected: [notText(password)],
  })),
  ...['{}', 5, false, [], [{}]].map((value) => ({
    title: `${JSON.stringify(value)} for the configuration`,
    json: { configuration: value },
    expected: [notADictionary(configuration)],
  })),
  {
    title: 'a wrong password and a wrong configuration, both named',
    json: { configuration: [], password: secretNumber },
    expected: [notText(password), notADictionary(configuration)],
  },
  {
    title: 'a configuration of 64 KiB and a byte',
    json: { configuration: tooLargeConfiguration },
    expected: [tooManyBytes(configuration)],
  },
]

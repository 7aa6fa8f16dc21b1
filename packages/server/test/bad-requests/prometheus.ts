import { missing, noIntegerInText, tooLong } from './items.ts'
import type { BadBody } from './shape.ts'

const period = { query: 'clients', start: '1700000000', end: '1700003600', step: '60' }
const wrongValue = (name: string, msg: string) => ({
  loc: ['body', name],
  msg: `Value error, ${msg}`,
  type: 'value_error',
})

export const wrongPrometheusQueries: BadBody[] = [
  { title: 'no query', form: { time: '1' }, expected: [missing(['body', 'query'])] },
  {
    title: 'a query in the path only',
    query: 'query=clients',
    form: { time: '1' },
    expected: [missing(['body', 'query'])],
  },
  {
    title: 'a query that is too long',
    form: { query: 'x'.repeat(8193) },
    expected: [tooLong(8192, ['body', 'query'])],
  },
  {
    title: 'a time without a time zone',
    form: { query: 'clients', time: '2026-01-01T00:00:00' },
    expected: [wrongValue('time', 'time should be a time: seconds since 1970, or RFC 3339 with a time zone')],
  },
]

export const wrongPeriodsOfQueries: BadBody[] = [
  {
    title: 'no period',
    form: { query: 'clients' },
    expected: [missing(['body', 'start']), missing(['body', 'end']), missing(['body', 'step'])],
  },
  {
    title: 'a negative step',
    form: { ...period, step: '-1' },
    expected: [wrongValue('step', 'step should be a positive duration, such as 15s')],
  },
  {
    title: 'an end before the start',
    form: { ...period, end: '1' },
    expected: [wrongValue('end', 'end should not be before start')],
  },
]

export const wrongSelectors: BadBody[] = [
  { title: 'no selector', form: { start: '1' }, expected: [missing(['body', 'match[]'])] },
]

export const wrongLimits: BadBody[] = [
  {
    title: 'a limit that is no number',
    form: { limit: 'x' },
    expected: [noIntegerInText(['body', 'limit'])],
  },
]

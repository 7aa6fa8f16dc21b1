import {
  hasAFraction,
  lessThan,
  moreThan,
  noFields,
  noIntegerInText,
  noMatch,
  notAnInteger,
  notText,
} from './items.ts'
import type { BadBody } from './shape.ts'

const pattern = ['body', 'ap_id_pattern']
const uses = ['body', 'max_uses']
const expires = ['body', 'expires_in']

/** Enrolment tokens are an extension; their integers follow the rules of the interface. */
export const wrongEnrolments: BadBody[] = [
  { title: 'no uses', json: { max_uses: 0 }, expected: [lessThan(1, uses)] },
  { title: 'too many uses', json: { max_uses: 100_001 }, expected: [moreThan(100_000, uses)] },
  { title: 'half a use', json: { max_uses: 1.5 }, expected: [hasAFraction(uses)] },
  { title: 'uses in words', json: { max_uses: 'two' }, expected: [noIntegerInText(uses)] },
  { title: 'null uses', json: { max_uses: null }, expected: [notAnInteger(uses)] },
  { title: 'a list of uses', json: { max_uses: [1] }, expected: [notAnInteger(uses)] },
  { title: 'a life of 59 seconds', json: { expires_in: 59 }, expected: [lessThan(60, expires)] },
  {
    title: 'an empty pattern and a life without end, both named',
    json: { ap_id_pattern: '', expires_in: 1e12 },
    expected: [noMatch('^[A-Za-z0-9_:*-]{1,64}$', pattern), moreThan(31_536_000, expires)],
  },
  { title: 'a number for the pattern', json: { ap_id_pattern: 5 }, expected: [notText(pattern)] },
  { title: 'a list', json: [], expected: [noFields(['body'])] },
]

import { noAddress } from './items.ts'
import type { BadBody } from './shape.ts'

const reasons: [address: string, reason: string][] = [
  ['ann', 'An email address must have an @-sign.'],
  ['', 'An email address must have an @-sign.'],
  ['   ', 'An email address must have an @-sign.'],
  ['@bad.test', 'There must be something before the @-sign.'],
  ['ann@', 'There must be something after the @-sign.'],
  ['ann@localhost', 'The part after the @-sign is not valid. It should have a period.'],
  ['ann..b@bad.test', 'An email address cannot have two periods in a row.'],
  ['ann@bad..test', 'An email address cannot have two periods in a row.'],
  ['ann b@bad.test', 'The email address contains invalid characters before the @-sign: SPACE.'],
  ['.ann@bad.test', 'An email address cannot start with a period.'],
  ['ann.@bad.test', 'An email address cannot have a period immediately before the @-sign.'],
  ['ann@.bad.test', 'An email address cannot have a period immediately after the @-sign.'],
  ['ann@bad.test.', 'An email address cannot end with a period.'],
  ['ann@bad.test-', 'An email address cannot end with a hyphen.'],
  ['ann@b_d.test', "The part after the @-sign contains invalid characters: '_'."],
  ['an;n,@bad.test', "The email address contains invalid characters before the @-sign: ',', ';'."],
  ['ann@bad.123', 'The part after the @-sign is not valid. It is not within a valid top-level domain.'],
  [`${'a'.repeat(2040)}@bad.test`, 'Length must not exceed 2048 characters'],
]

/** Addresses that are none, beside a body that is otherwise right. */
export const wrongUsernames = (body: object): BadBody[] =>
  reasons.map(([username, reason]) => ({
    title: `the username ${shown(username)}`,
    json: { ...body, username },
    expected: [noAddress(reason, ['body', 'username'])],
  }))

const shown = (text: string) => (text.length > 40 ? `of ${text.length} characters` : JSON.stringify(text))

import { expect, it } from 'vitest'
import { parseAuditSearch } from './audit-search.ts'

it('the filter is read from the address, and invalid or empty parameters are ignored', () => {
  const filter = { actor: 'a@manc.test', action: 'user.update', target: '17' }
  expect(parseAuditSearch({ ...filter, target: 17 })).toEqual(filter)
  expect(parseAuditSearch({ actor: ' ', action: {}, target: ['x'] })).toEqual({})
})

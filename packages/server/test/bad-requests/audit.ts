import { lessThan, moreThan, noAction, noIntegerInText, noTime, tooLong } from './items.ts'
import type { BadBody } from './shape.ts'

export const wrongAuditReads: BadBody[] = [
  { title: 'an unknown action', query: 'action=user.hide', expected: [noAction(['query', 'action'])] },
  { title: 'a long actor', query: `actor=${'x'.repeat(321)}`, expected: [tooLong(320, ['query', 'actor'])] },
  {
    title: 'a long target',
    query: `target=${'x'.repeat(321)}`,
    expected: [tooLong(320, ['query', 'target'])],
  },
  {
    title: 'a time in words',
    query: 'from=yesterday',
    expected: [noTime('input is too short', ['query', 'from'])],
  },
  {
    title: 'a month that there is not',
    query: 'to=2026-13-01T00:00:00Z',
    expected: [noTime('month value is outside expected range of 1-12', ['query', 'to'])],
  },
  { title: 'no limit', query: 'limit=0', expected: [lessThan(1, ['query', 'limit'])] },
  { title: 'a large limit', query: 'limit=1001', expected: [moreThan(1000, ['query', 'limit'])] },
  { title: 'a limit in words', query: 'limit=all', expected: [noIntegerInText(['query', 'limit'])] },
]

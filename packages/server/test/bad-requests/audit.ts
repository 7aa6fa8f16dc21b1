import { noTime } from './items.ts'
import type { BadBody } from './shape.ts'

export const wrongAuditReads: BadBody[] = [
  {
    title: 'a month outside of the calendar',
    query: 'to=2026-13-01T00:00:00Z',
    expected: [noTime('month value is outside expected range of 1-12', ['query', 'to'])],
  },
]

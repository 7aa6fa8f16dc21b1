import { lessThan, moreThan, noIntegerInText } from './items.ts'
import type { BadRequest } from './shape.ts'

const limit = ['query', 'limit']

const wrongLimits: [query: string, item: BadRequest['expected'][number]][] = [
  ['limit=0', lessThan(1, limit)],
  ['limit=-1', lessThan(1, limit)],
  ['limit=1001', moreThan(1000, limit)],
  ['limit=99999999999999999999', moreThan(1000, limit)],
  ['limit=abc', noIntegerInText(limit)],
  ['limit=1.5', noIntegerInText(limit)],
  ['limit=1e3', noIntegerInText(limit)],
  ['limit=0x10', noIntegerInText(limit)],
  ['limit=true', noIntegerInText(limit)],
  ['limit=', noIntegerInText(limit)],
  ['limit=%20', noIntegerInText(limit)],
  ['limit=5&limit=0', lessThan(1, limit)],
  ['after=a&limit=none', noIntegerInText(limit)],
]

export const wrongPages = (operation: 'listUsers' | 'listAgentDetails' | 'listApps'): BadRequest[] =>
  wrongLimits.map(([query, item]) => ({ title: `?${query}`, operation, query, expected: [item] }))

import { expect, it } from 'vitest'
import { merged, touched } from './merge-patch.rules.ts'

// [RFC 7396, appendix A], those with objects.
it.each([
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
])('%j with the patch %j is %j', (target, patch, expected) => {
  expect(merged(target, patch)).toEqual(expected)
})

it('a member with the name of a prototype is data', () => {
  const patch = JSON.parse('{"__proto__": {"a": 1}}') as Record<string, unknown>
  const result = merged({}, patch)
  expect(Object.hasOwn(result, '__proto__')).toBe(true)
  expect(({} as Record<string, unknown>)['a']).toBe(undefined)
})

it('the touched members are those that the patch names', () => {
  const before = { keep: 1, power: { tx: 20 }, gone: true }
  expect(touched(before, { power: { tx: 30 }, gone: null, added: 1 })).toEqual({
    power: { tx: 20 },
    gone: true,
  })
})

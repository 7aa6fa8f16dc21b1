import { expect, it } from 'vitest'
import { pageParts } from './page-parts.rules.ts'

const partsOf = (last: string, first?: string) =>
  pageParts(Date.parse(last), first === undefined ? undefined : Date.parse(first)).map(({ from, to }) =>
    [from, to].map((each) => each?.toISOString().slice(0, 10)),
  )

it('the parts cover all of the time without a gap, the newest first', () => {
  expect(partsOf('2026-03-31T12:34:56Z')).toEqual([
    ['2026-03-30', undefined],
    ['2026-03-26', '2026-03-30'],
    ['2026-03-10', '2026-03-26'],
    [undefined, '2026-03-10'],
  ])
  expect(partsOf('2026-03-31T00:00:00Z')[0]).toEqual(['2026-03-30', undefined])
})

it('a time that begins within a part ends with that part', () => {
  expect(partsOf('2026-03-31T12:34:56Z', '2026-03-30T00:00:00Z')).toEqual([[undefined, undefined]])
  expect(partsOf('2026-03-31T12:34:56Z', '2026-03-28T07:00:00Z')).toEqual([
    ['2026-03-30', undefined],
    [undefined, '2026-03-30'],
  ])
})

it('a time before all events is one part', () => {
  expect(partsOf('0001-01-01T00:00:00Z')).toEqual([[undefined, undefined]])
})

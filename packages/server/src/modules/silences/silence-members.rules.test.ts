import { describe, expect, it } from 'vitest'
import { notCovered, silenceOf, wrongMembers } from './silence-members.rules.ts'

const nowMs = Date.parse('2026-03-01T12:00:00Z')
const after = (ms: number) => new Date(nowMs + ms)
const dayMs = 86_400_000
const weekly = { days: [6], startTime: '02:00', durationMin: 90, timeZone: 'Europe/Berlin' }

const wrong = (members: Partial<Parameters<typeof wrongMembers>[0]>) =>
  wrongMembers({ startsAt: undefined, endsAt: after(1), recurrence: null, ...members }, nowMs).map(
    ({ loc }) => loc.at(-1),
  )

describe('a silence', () => {
  it('without recurrence ends after its start and within a year', () => {
    expect(wrong({})).toEqual([])
    expect(wrong({ endsAt: after(366 * dayMs) })).toEqual([])
    expect(wrong({ endsAt: null })).toEqual(['ends_at'])
    expect(wrong({ endsAt: after(0) })).toEqual(['ends_at'])
    expect(wrong({ endsAt: after(366 * dayMs + 1) })).toEqual(['ends_at'])
    expect(wrong({ startsAt: after(5), endsAt: after(5) })).toEqual(['ends_at'])
    expect(wrong({ startsAt: after(-5), endsAt: after(-1) })).toEqual(['ends_at'])
    expect(wrong({ startsAt: after(367 * dayMs), endsAt: after(368 * dayMs) })).toEqual(['starts_at'])
  })

  it('with recurrence may have no end, and has a time zone that exists', () => {
    expect(wrong({ endsAt: null, recurrence: weekly })).toEqual([])
    expect(wrong({ endsAt: after(1000 * dayMs), recurrence: weekly })).toEqual([])
    expect(wrong({ endsAt: after(-1), recurrence: weekly })).toEqual(['ends_at'])
    for (const timeZone of ['Europe/Nowhere', 'ABC+5', 'Mars'])
      expect(wrong({ endsAt: null, recurrence: { ...weekly, timeZone } })).toEqual(['time_zone'])
  })

  it('has each value once, and no patterns beside one that matches all', () => {
    const recurrence = {
      days: ['sun', 'mon', 'sun'] as const,
      at: '02:00',
      duration_min: 5,
      time_zone: 'UTC',
    }
    const given = { comment: 'c', rule_ids: ['a', 'a'], ap_ids: ['x', '*'], recurrence }
    const silence = silenceOf(
      { ...given, recurrence: { ...recurrence, days: [...recurrence.days] } },
      { id: 'i', owner: 'o', createdBy: 'b' },
    )
    expect(silence).toMatchObject({ ruleIds: ['a'], apIds: [], recurrence: { days: [1, 7] } })
  })
})

it.for([
  [['ap-1'], ['ap-*'], []],
  [['ap-*'], ['ap-*'], []],
  [['ap-1*', 'ap-*-x'], ['ap-*'], []],
  [['ap*'], ['ap-*'], ['ap*']],
  [['*-1'], ['ap-*'], ['*-1']],
  [[], ['ap-*'], ['*']],
  [[], ['*'], []],
  [['ap-1', 'b'], ['ap-1'], ['b']],
  [['a*'], ['ab*', 'ac*'], ['a*']],
] as const)('of the patterns %j, permissions for %j do not cover %j', ([apIds, permitted, expected]) => {
  expect(notCovered(apIds, permitted)).toEqual(expected)
})

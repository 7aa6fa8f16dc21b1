import { expect, it } from 'vitest'
import { bodyOf, endOf, isForAll, newSilence, problemsOf } from './silence-form.ts'

const now = new Date(2026, 10, 17, 22, 30).getTime()

it('a silence until tomorrow ends at the beginning of the next working day', () => {
  expect(endOf('tomorrow', now)).toEqual(new Date(2026, 10, 18, 8))
  expect(endOf('4h', now).getTime() - now).toBe(4 * 3_600_000)
})

it('a silence that is not complete says what is missing', () => {
  expect(Object.keys(problemsOf(newSilence({ length: 'custom' }), now))).toEqual(['comment', 'endsAt'])
  expect(problemsOf(newSilence({ comment: 'x' }), now)).toEqual({})
  const weekly = newSilence({ comment: 'x', kind: 'weekly', at: '25:00', durationS: '' })
  expect(Object.keys(problemsOf(weekly, now))).toEqual(['days', 'at', 'durationS'])
  const early = newSilence({ comment: 'x', length: 'custom', endsAt: '2026-11-17 10:00:00' })
  expect(problemsOf(early, now)).toHaveProperty('endsAt')
})

it('a time that cannot be read is an error, where it is used', () => {
  const wrong = 'Enter YYYY-MM-DD hh:mm:ss.'
  const times = { startsAt: '18.11.2026', endsAt: '2026-02-31' }
  const form = newSilence({ comment: 'x', length: 'custom', ...times })
  expect(problemsOf(form, now)).toEqual({ startsAt: wrong, endsAt: wrong })
  const late = { ...form, endsAt: '2026-11-18' }
  expect(problemsOf(late, now)).toEqual({ startsAt: wrong })
  // The fields are hidden, and the end is not taken from them.
  expect(problemsOf({ ...form, length: '1h' }, now)).toEqual({})
  const weekly = newSilence({ comment: 'x', kind: 'weekly', days: ['sat'], endsAt: 'next year' })
  expect(problemsOf(weekly, now)).toEqual({ endsAt: 'Enter YYYY-MM-DD.' })
  expect(problemsOf({ ...weekly, endsAt: '2026-11-01' }, now)).toHaveProperty('endsAt')
  expect(problemsOf({ ...weekly, endsAt: ' ' }, now)).toEqual({})
})

it('a silence without rules, technologies and access points is for all alarms', () => {
  expect(isForAll(newSilence())).toBe(true)
  expect(isForAll(newSilence({ technologies: ['LiFi'] }))).toBe(false)
  expect(isForAll(newSilence({ ap_ids: ['lab-*'] }))).toBe(false)
  expect(isForAll(newSilence({ rule_ids: ['presence'] }))).toBe(false)
})

it('a silence has an end, weekly windows have days and a duration', () => {
  expect(bodyOf(newSilence({ comment: ' x ', ap_ids: ['a'] }), now)).toMatchObject({
    comment: 'x',
    ap_ids: ['a'],
    ends_at: new Date(now + 3_600_000),
  })
  const weekly = newSilence({ comment: 'x', kind: 'weekly', days: ['sat'], timeZone: 'Europe/Berlin' })
  expect(bodyOf(weekly, now)).toMatchObject({
    ends_at: null,
    recurrence: { days: ['sat'], at: '02:00', duration_min: 120, time_zone: 'Europe/Berlin' },
  })
  expect(bodyOf({ ...weekly, endsAt: '2026-11-28' }, now)).toMatchObject({
    ends_at: new Date('2026-11-28T23:00:00Z'),
  })
})

import { weekdays } from '@manc/contract'
import {
  lessThan,
  missing,
  moreThan,
  noMatch,
  noTechnology,
  noTime,
  notInChoices,
  tooFewItems,
  tooLong,
  tooManyItems,
  tooShort,
} from './items.ts'
import type { BadBody } from './shape.ts'

const right = { comment: 'works', ends_at: '2099-01-01T00:00:00Z' }
const weekly = { days: ['sat'], at: '02:00', duration_min: 90, time_zone: 'Europe/Berlin' }
const valueError = (member: string[], msg: string) => ({
  loc: ['body', ...member],
  msg: `Value error, ${msg}`,
  type: 'value_error',
})

const wrongTexts: BadBody[] = [
  {
    title: 'an empty comment',
    json: { ...right, comment: '' },
    expected: [tooShort(1, ['body', 'comment'])],
  },
  {
    title: 'a comment that is too long',
    json: { ...right, comment: 'x'.repeat(1001) },
    expected: [tooLong(1000, ['body', 'comment'])],
  },
  {
    title: 'U+0000 in a comment',
    json: { ...right, comment: 'a\0b' },
    expected: [noMatch('^[^\\u0000]*$', ['body', 'comment'])],
  },
]

export const wrongSilences: BadBody[] = [
  ...wrongTexts,
  { title: 'no comment', json: { ends_at: right.ends_at }, expected: [missing(['body', 'comment'])] },
  {
    title: 'an unknown technology',
    json: { ...right, technologies: ['6G'] },
    expected: [noTechnology(['body', 'technologies', 0])],
  },
  {
    title: 'a pattern with other characters',
    json: { ...right, ap_ids: ['a%'] },
    expected: [noMatch('^[A-Za-z0-9_:*-]{1,64}$', ['body', 'ap_ids', 0])],
  },
  {
    title: 'too many rules',
    json: { ...right, rule_ids: Array.from({ length: 21 }, (_, n) => `r${n}`) },
    expected: [tooManyItems(20, 21, ['body', 'rule_ids'])],
  },
  {
    title: 'a rule that does not exist',
    json: { ...right, rule_ids: ['presence.offline', 'none'], ends_at: null, recurrence: weekly },
    expected: [valueError(['rule_ids'], 'no rule has the id none: see the list of rules')],
  },
  {
    title: 'no end without a recurrence',
    json: { comment: 'works' },
    expected: [valueError(['ends_at'], 'ends_at is required for a silence without recurrence')],
  },
  {
    title: 'more than a year',
    json: right,
    expected: [valueError(['ends_at'], 'ends_at should be at most a year after starts_at')],
  },
  {
    title: 'an end in the past',
    json: { ...right, ends_at: '2020-01-01T00:00:00Z' },
    expected: [valueError(['ends_at'], 'ends_at should be after starts_at and in the future')],
  },
  {
    title: 'no time',
    json: { ...right, ends_at: 'later' },
    expected: [noTime('input is too short', ['body', 'ends_at'])],
  },
  {
    title: 'a recurrence without days',
    json: { ...right, recurrence: { ...weekly, days: [] } },
    expected: [tooFewItems(1, 0, ['body', 'recurrence', 'days'])],
  },
  {
    title: 'a day that does not exist',
    json: { ...right, recurrence: { ...weekly, days: ['someday'] } },
    expected: [notInChoices(weekdays, ['body', 'recurrence', 'days', 0])],
  },
  {
    title: 'a time of day that does not exist',
    json: { ...right, recurrence: { ...weekly, at: '24:00' } },
    expected: [noMatch('^([01][0-9]|2[0-3]):[0-5][0-9]$', ['body', 'recurrence', 'at'])],
  },
  {
    title: 'a window without a duration',
    json: { ...right, recurrence: { ...weekly, duration_min: 0 } },
    expected: [lessThan(1, ['body', 'recurrence', 'duration_min'])],
  },
  {
    title: 'a window of more than a day',
    json: { ...right, recurrence: { ...weekly, duration_min: 1441 } },
    expected: [moreThan(1440, ['body', 'recurrence', 'duration_min'])],
  },
  ...['Europe/Nowhere', 'ABC+5'].map((zone) => ({
    title: `the time zone ${zone}`,
    json: { ...right, recurrence: { ...weekly, time_zone: zone } },
    expected: [
      valueError(
        ['recurrence', 'time_zone'],
        'time_zone should be the name of an IANA time zone, such as Europe/Berlin',
      ),
    ],
  })),
]

export const wrongSilenceChanges: BadBody[] = wrongTexts

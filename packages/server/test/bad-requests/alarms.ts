import { alarmSeverities } from '@manc/contract'
import {
  lessThan,
  missing,
  moreThan,
  noMatch,
  noTechnology,
  notInChoices,
  notText,
  tooFewItems,
  tooLong,
  tooManyItems,
} from './items.ts'
import type { BadBody } from './shape.ts'

const withNul = 'a\0b'
const noNul = (member: string) => noMatch('^[^\\u0000]*$', ['body', member])

const right = { name: 'a rule', severity: 'info', metric: 'clients', raise_op: '>=', raise_threshold: 5 }

export const wrongRules: BadBody[] = [
  {
    title: 'no severity',
    json: { ...right, severity: undefined },
    expected: [missing(['body', 'severity'])],
  },
  {
    title: 'a severity that does not exist',
    json: { ...right, severity: 'fatal' },
    expected: [notInChoices(alarmSeverities, ['body', 'severity'])],
  },
  {
    title: 'a negative duration',
    json: { ...right, raise_for_s: -1 },
    expected: [lessThan(0, ['body', 'raise_for_s'])],
  },
  {
    title: 'more than a day',
    json: { ...right, clear_for_s: 86_401 },
    expected: [moreThan(86_400, ['body', 'clear_for_s'])],
  },
  {
    title: 'an unknown technology',
    json: { ...right, technologies: ['6G'] },
    expected: [noTechnology(['body', 'technologies', 0])],
  },
  {
    title: 'a name that is too long',
    json: { ...right, name: 'x'.repeat(101) },
    expected: [tooLong(100, ['body', 'name'])],
  },
  { title: 'U+0000 in its name', json: { ...right, name: withNul }, expected: [noNul('name')] },
  {
    title: 'U+0000 in its expression',
    json: { ...right, metric: 'expression', expr: withNul },
    expected: [noNul('expr')],
  },
]

export const wrongComments: BadBody[] = [
  { title: 'a number as comment', json: { comment: 5 }, expected: [notText(['body', 'comment'])] },
  {
    title: 'a comment that is too long',
    json: { comment: 'x'.repeat(1001) },
    expected: [tooLong(1000, ['body', 'comment'])],
  },
  { title: 'U+0000 in a comment', json: { comment: withNul }, expected: [noNul('comment')] },
]

const idPattern = '^[1-9][0-9]{0,17}$'

export const wrongAcknowledgements: BadBody[] = [
  { title: 'no ids', json: {}, expected: [missing(['body', 'ids'])] },
  { title: 'an empty list of ids', json: { ids: [] }, expected: [tooFewItems(1, 0, ['body', 'ids'])] },
  {
    title: 'too many ids',
    json: { ids: Array.from({ length: 501 }, (_, n) => String(n + 1)) },
    expected: [tooManyItems(500, 501, ['body', 'ids'])],
  },
  {
    title: 'ids that are no numbers of alarms',
    json: { ids: ['1', '0', 'load'] },
    expected: [noMatch(idPattern, ['body', 'ids', 1]), noMatch(idPattern, ['body', 'ids', 2])],
  },
]

export const wrongAssignees: BadBody[] = [
  { title: 'no user', json: {}, expected: [missing(['body', 'username'])] },
  { title: 'U+0000 in a name', json: { username: withNul }, expected: [noNul('username')] },
]

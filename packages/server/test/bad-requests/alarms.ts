import { alarmSeverities } from '@manc/contract'
import { lessThan, missing, moreThan, noTechnology, notInChoices, notText, tooLong } from './items.ts'
import type { BadBody } from './shape.ts'

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
]

export const wrongComments: BadBody[] = [
  { title: 'a number as comment', json: { comment: 5 }, expected: [notText(['body', 'comment'])] },
  {
    title: 'a comment that is too long',
    json: { comment: 'x'.repeat(1001) },
    expected: [tooLong(1000, ['body', 'comment'])],
  },
]

export const wrongAssignees: BadBody[] = [
  { title: 'no user', json: {}, expected: [missing(['body', 'username'])] },
]

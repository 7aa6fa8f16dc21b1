import {
  lessThan,
  missing,
  moreThan,
  noTechnology,
  noTime,
  notADictionary,
  tooFewItems,
  tooLong,
  tooManyItems,
  tooShort,
} from './items.ts'
import type { BadBody } from './shape.ts'

const start = ['query', 'start_time']
const end = ['query', 'end_time']
const number = ['query', 'job_number']

export const wrongPeriods: BadBody[] = [
  {
    title: 'no parameters',
    query: '',
    expected: [missing(['query', 'agent_id']), missing(start), missing(end)],
  },
  { title: 'no end', query: 'agent_id=a&start_time=2026-01-01', expected: [missing(end)] },
  {
    title: 'a start that is no time',
    query: 'agent_id=a&start_time=soon&end_time=2026-01-01',
    expected: [noTime('input is too short', start)],
  },
  {
    title: 'a month that there is not',
    query: 'agent_id=a&start_time=2026-01-01&end_time=2026-13-01T00:00:00Z',
    expected: [noTime('month value is outside expected range of 1-12', end)],
  },
  {
    title: 'an end before the start',
    query: 'agent_id=a&start_time=2026-01-02&end_time=2026-01-01',
    expected: [
      { loc: end, msg: 'Value error, end_time should not be before start_time', type: 'value_error' },
    ],
  },
]

export const wrongCommands: BadBody[] = [
  {
    title: 'no parameters',
    query: '',
    expected: [missing(['query', 'agent_id']), missing(['query', 'command'])],
  },
  { title: 'no command', query: 'agent_id=a', expected: [missing(['query', 'command'])] },
]

const latitude = (edge: string) => ['body', 'area', edge]

export const wrongCommandsToMany: BadBody[] = [
  { title: 'no command', json: { agents: ['a'] }, expected: [missing(['body', 'command'])] },
  {
    title: 'an empty command',
    json: { command: '', agents: ['a'] },
    expected: [tooShort(1, ['body', 'command'])],
  },
  {
    title: 'no choice of agents',
    json: { command: 'reboot' },
    expected: [
      {
        loc: ['body'],
        msg: 'Value error, say which agents: agents, technology or area',
        type: 'value_error',
      },
    ],
  },
  {
    title: 'an empty list of agents',
    json: { command: 'reboot', agents: [] },
    expected: [tooFewItems(1, 0, ['body', 'agents'])],
  },
  {
    title: 'an unknown technology',
    json: { command: 'reboot', technology: '6G' },
    expected: [noTechnology(['body', 'technology'])],
  },
  {
    title: 'an area beyond the poles',
    json: { command: 'reboot', area: { west: 0, south: -91, east: 1, north: 91 } },
    expected: [lessThan(-90, latitude('south')), moreThan(90, latitude('north'))],
  },
  {
    title: 'half an area',
    json: { command: 'reboot', area: { west: 0, east: 1 } },
    expected: [missing(latitude('south')), missing(latitude('north'))],
  },
]

export const wrongSubscriptions: BadBody[] = [
  { title: 'no agent', query: '', expected: [missing(['query', 'agent_id'])] },
  {
    title: 'too many agents',
    query: Array.from({ length: 257 }, (_, n) => `agent_id=a${n}`).join('&'),
    expected: [tooManyItems(256, 257, ['query', 'agent_id'])],
  },
]

export const wrongNumbers: BadBody[] = [
  { title: 'no number', query: '', json: [], expected: [missing(number)] },
  { title: 'an empty number', query: 'job_number=', json: [], expected: [tooShort(1, number)] },
  {
    title: 'a long number',
    query: `job_number=${'x'.repeat(129)}`,
    json: [],
    expected: [tooLong(128, number)],
  },
]

export const wrongPosts: BadBody[] = [
  ...wrongNumbers,
  {
    title: 'items that are no objects',
    query: 'job_number=bad',
    json: [{}, 1, 'a', null, []],
    expected: [1, 2, 3, 4].map((index) => notADictionary(['body', index])),
  },
]

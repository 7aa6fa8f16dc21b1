import { agentStates, healths } from '@manc/contract'
import {
  lessThan,
  missing,
  moreThan,
  noMatch,
  noTechnology,
  notInChoices,
  tooFewItems,
  tooLong,
  tooShort,
} from './items.ts'
import type { BadBody } from './shape.ts'

const right = { agents: ['a'], change: { a: 1 } }
const valueError = (loc: string[], msg: string) => ({ loc, msg: `Value error, ${msg}`, type: 'value_error' })

export const wrongSelections: BadBody[] = [
  { title: 'no change', json: { agents: ['a'] }, expected: [missing(['body', 'change'])] },
  {
    title: 'an empty change',
    json: { ...right, change: {} },
    expected: [valueError(['body', 'change'], 'name at least one member to change')],
  },
  {
    title: 'no choice of agents',
    json: { change: { a: 1 } },
    expected: [valueError(['body'], 'say which agents: agents, technology, state, health, search or area')],
  },
  {
    title: 'an empty list of agents',
    json: { ...right, agents: [] },
    expected: [tooFewItems(1, 0, ['body', 'agents'])],
  },
  {
    title: 'U+0000 in an id',
    json: { ...right, agents: ['a\0b'] },
    expected: [noMatch('^[^\\u0000]*$', ['body', 'agents', 0])],
  },
  {
    title: 'an unknown technology',
    json: { ...right, technology: ['6G'] },
    expected: [noTechnology(['body', 'technology', 0])],
  },
  {
    title: 'an unknown state',
    json: { ...right, state: ['lost'] },
    expected: [notInChoices(agentStates, ['body', 'state', 0])],
  },
  {
    title: 'an unknown health',
    json: { ...right, health: ['fine'] },
    expected: [notInChoices(healths, ['body', 'health', 0])],
  },
  { title: 'an empty search', json: { ...right, search: '' }, expected: [tooShort(1, ['body', 'search'])] },
  {
    title: 'a search that is too long',
    json: { ...right, search: 'x'.repeat(129) },
    expected: [tooLong(128, ['body', 'search'])],
  },
]

export const wrongRollouts: BadBody[] = [
  ...wrongSelections,
  { title: 'an empty title', json: { ...right, title: '' }, expected: [tooShort(1, ['body', 'title'])] },
  {
    title: 'a title that is too long',
    json: { ...right, title: 'x'.repeat(201) },
    expected: [tooLong(200, ['body', 'title'])],
  },
  {
    title: 'U+0000 in a title',
    json: { ...right, title: 'a\0b' },
    expected: [noMatch('^[^\\u0000]*$', ['body', 'title'])],
  },
  { title: 'a negative wait', json: { ...right, wait_s: -1 }, expected: [lessThan(0, ['body', 'wait_s'])] },
  {
    title: 'a wait of more than a day',
    json: { ...right, wait_s: 86_401 },
    expected: [moreThan(86_400, ['body', 'wait_s'])],
  },
  {
    title: 'negative failures',
    json: { ...right, max_failures: -1 },
    expected: [lessThan(0, ['body', 'max_failures'])],
  },
]

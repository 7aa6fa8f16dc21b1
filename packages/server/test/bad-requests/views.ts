import { sortOrders, tableColumns, tableSorts } from '@manc/contract'
import {
  missing,
  noMatch,
  noTechnology,
  notInChoices,
  tooFewItems,
  tooLong,
  tooManyItems,
  tooShort,
} from './items.ts'
import type { BadBody } from './shape.ts'

const right = { name: 'Broken', columns: ['health', 'name'] }

export const wrongViews: BadBody[] = [
  { title: 'no name', json: { columns: right.columns }, expected: [missing(['body', 'name'])] },
  { title: 'no columns', json: { name: right.name }, expected: [missing(['body', 'columns'])] },
  { title: 'an empty name', json: { ...right, name: '' }, expected: [tooShort(1, ['body', 'name'])] },
  {
    title: 'a name that is too long',
    json: { ...right, name: 'x'.repeat(81) },
    expected: [tooLong(80, ['body', 'name'])],
  },
  {
    title: 'U+0000 in a name',
    json: { ...right, name: 'a\0b' },
    expected: [noMatch('^[^\\u0000]*$', ['body', 'name'])],
  },
  {
    title: 'an empty list of columns',
    json: { ...right, columns: [] },
    expected: [tooFewItems(1, 0, ['body', 'columns'])],
  },
  {
    title: 'too many columns',
    json: { ...right, columns: Array.from({ length: tableColumns.length + 1 }, () => 'name') },
    expected: [tooManyItems(tableColumns.length, tableColumns.length + 1, ['body', 'columns'])],
  },
  {
    title: 'an unknown column',
    json: { ...right, columns: ['health', 'colour'] },
    expected: [notInChoices(tableColumns, ['body', 'columns', 1])],
  },
  {
    title: 'an unknown sort',
    json: { ...right, sort: 'reason' },
    expected: [notInChoices(tableSorts, ['body', 'sort'])],
  },
  {
    title: 'an unknown order',
    json: { ...right, order: 'up' },
    expected: [notInChoices(sortOrders, ['body', 'order'])],
  },
  {
    title: 'a filter by an unknown technology',
    json: { ...right, filters: { technology: ['6G'] } },
    expected: [noTechnology(['body', 'filters', 'technology', 0])],
  },
  {
    title: 'U+0000 in the text of a filter',
    json: { ...right, filters: { q: 'a\0b' } },
    expected: [noMatch('^[^\\u0000]*$', ['body', 'filters', 'q'])],
  },
]

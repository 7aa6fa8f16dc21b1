import { kpiNames } from '@manc/contract/kpis'
import { missing, moreThan, noMatch, notInChoices, tooFewItems, tooLong, tooManyItems } from './items.ts'
import type { BadBody } from './shape.ts'

const apIdPattern = '^[A-Za-z0-9][A-Za-z0-9_:-]{0,63}$'
const command = { ap_id: 'wifi-1', command: 'set_power 20' }
const effect = { ap_id: 'wifi-1', kpi: 'load_pct', from: 90, to: 60 }
const right = { policy: 'balance', mode: 'advise', reason: 'busy', expected: [effect], commands: [command] }
const valueError = (msg: string) => ({
  loc: ['body', 'commands'],
  msg: `Value error, ${msg}`,
  type: 'value_error',
})

export const wrongDecisions: BadBody[] = [
  {
    title: 'an empty object, naming every field in order',
    json: {},
    expected: ['policy', 'mode', 'reason', 'expected'].map((name) => missing(['body', name])),
  },
  {
    title: 'a proposal without a command',
    json: { ...right, commands: [] },
    expected: [valueError('mode advise needs at least one command')],
  },
  {
    title: 'an action without a command',
    json: { ...right, mode: 'act', commands: undefined },
    expected: [valueError('mode act needs at least one command')],
  },
  {
    title: 'no expected effect',
    json: { ...right, expected: [] },
    expected: [tooFewItems(1, 0, ['body', 'expected'])],
  },
  {
    title: 'too many commands',
    json: {
      ...right,
      commands: Array.from({ length: 21 }, (_, n) => ({ ap_id: `wifi-${n}`, command: 'x' })),
    },
    expected: [tooManyItems(20, 21, ['body', 'commands'])],
  },
  {
    title: 'an unknown mode',
    json: { ...right, mode: 'force' },
    expected: [notInChoices(['watch', 'advise', 'act'], ['body', 'mode'])],
  },
  {
    title: 'an unknown KPI',
    json: { ...right, expected: [{ ...effect, kpi: '__name__' }] },
    expected: [notInChoices([...kpiNames], ['body', 'expected', 0, 'kpi'])],
  },
  {
    title: 'an id with other characters',
    json: { ...right, commands: [{ ...command, ap_id: 'wifi*' }] },
    expected: [noMatch(apIdPattern, ['body', 'commands', 0, 'ap_id'])],
  },
  {
    title: 'an id that would break out of a query',
    json: { ...right, expected: [{ ...effect, ap_id: 'x"} or {' }] },
    expected: [noMatch(apIdPattern, ['body', 'expected', 0, 'ap_id'])],
  },
  {
    title: 'U+0000 in a reason',
    json: { ...right, reason: 'a\0b' },
    expected: [noMatch('^[^\\u0000]*$', ['body', 'reason'])],
  },
  {
    title: 'a reason that is too long',
    json: { ...right, reason: 'x'.repeat(2001) },
    expected: [tooLong(2000, ['body', 'reason'])],
  },
  {
    title: 'a proposal that lasts too long',
    json: { ...right, expires_in_s: 86_401 },
    expected: [moreThan(86_400, ['body', 'expires_in_s'])],
  },
]

import { experimentFigures, experimentWorldNames, steeringPolicyNames } from '@manc/contract'
import {
  lessThan,
  missing,
  moreThan,
  noFields,
  noMatch,
  notInChoices,
  tooFewItems,
  tooLong,
  tooManyItems,
} from './items.ts'
import type { BadBody } from './shape.ts'

const group = { technology: 'WiFi', count: 2, clients: 5 }
const right = { name: 'Mine', world: { access_points: [group] }, policies: ['none', 'dawn'] }
const inWorld = (world: object) => ({ ...right, world })
const valueError = (name: string, msg: string) => ({
  loc: ['body', name],
  msg: `Value error, ${msg}`,
  type: 'value_error',
})
const wrongWorld = (msg: string) => [valueError('world', msg)]
const document = {
  name: 'mine',
  about: 'A test.',
  objective: 'load',
  fairness: 1,
  preference: { '5G': 1, WiFi: 1, LiFi: 1 },
  outage_aversion: 1,
  anticipate_blockages: false,
  sleep: false,
}

export const wrongExperiments: BadBody[] = [
  {
    title: 'an empty object, naming every field in order',
    json: {},
    expected: ['name', 'world'].map((name) => missing(['body', name])),
  },
  {
    title: 'a world without access points',
    json: inWorld({}),
    expected: wrongWorld('a world needs either a name or access_points'),
  },
  {
    title: 'a world with both a name and access points',
    json: inWorld({ name: 'stadium', access_points: [group] }),
    expected: wrongWorld('a world needs either a name or access_points'),
  },
  {
    title: 'another scenario of a named world',
    json: inWorld({ name: 'stadium', scenario: 'steady' }),
    expected: wrongWorld('a world with a name has its own scenario and client_mix: leave them out'),
  },
  {
    title: 'an unknown world',
    json: inWorld({ name: 'moon' }),
    expected: [notInChoices([...experimentWorldNames], ['body', 'world', 'name'])],
  },
  {
    title: 'too many access points',
    json: inWorld({ access_points: [group, { ...group, count: 199 }] }),
    expected: wrongWorld('at most 200 access points, not 201'),
  },
  {
    title: 'too many clients',
    json: inWorld({ access_points: [{ ...group, count: 21, clients: 100 }] }),
    expected: wrongWorld('at most 2000 clients, not 2100'),
  },
  {
    title: 'a run that would take too long',
    json: { ...inWorld({ access_points: [{ ...group, count: 20, clients: 100 }] }), duration_s: 14_400 },
    expected: wrongWorld('2000 clients for 14400 s are too much for one run: at most 5000 s'),
  },
  {
    title: 'a mix of traffic without any',
    json: inWorld({ access_points: [group], client_mix: { web: 0, video: 0 } }),
    expected: wrongWorld('client_mix needs a weight above 0'),
  },
  {
    title: 'no group of access points',
    json: inWorld({ access_points: [] }),
    expected: [tooFewItems(1, 0, ['body', 'world', 'access_points'])],
  },
  {
    title: 'no policy',
    json: { ...right, policies: [] },
    expected: [valueError('policies', 'at least one policy, by name or as a document')],
  },
  {
    title: 'the same policy twice',
    json: { ...right, policies: ['none', 'none'] },
    expected: [valueError('policies', 'policies need different names: none is there twice')],
  },
  {
    title: 'a document with the name of a policy',
    json: { ...right, documents: [{ ...document, name: 'usteer' }] },
    expected: [
      {
        loc: ['body', 'documents', 0, 'name'],
        msg: 'Value error, usteer is the name of a known policy: give the document another name',
        type: 'value_error',
      },
    ],
  },
  {
    title: 'too many policies and documents together',
    json: { ...right, policies: [...steeringPolicyNames], documents: [document] },
    expected: [valueError('policies', 'at most 8 policies and documents in all, not 9')],
  },
  {
    title: 'an unknown policy',
    json: { ...right, policies: ['best'] },
    expected: [notInChoices([...steeringPolicyNames], ['body', 'policies', 0])],
  },
  {
    title: 'a document with a value out of its range',
    json: { ...right, documents: [{ ...document, fairness: 5 }] },
    expected: [moreThan(4, ['body', 'documents', 0, 'fairness'])],
  },
  {
    title: 'a document without its members',
    json: { ...right, documents: [{ name: 'mine', about: '', guards: [] }] },
    expected: [
      ...['objective', 'fairness', 'preference', 'outage_aversion', 'anticipate_blockages', 'sleep'].map(
        (name) => missing(['body', 'documents', 0, name]),
      ),
      noFields(['body', 'documents', 0, 'guards']),
    ],
  },
  {
    title: 'too many repetitions',
    json: { ...right, repetitions: 31 },
    expected: [moreThan(30, ['body', 'repetitions'])],
  },
  {
    title: 'too short a run',
    json: { ...right, duration_s: 299 },
    expected: [lessThan(300, ['body', 'duration_s'])],
  },
  {
    title: 'U+0000 in a seed',
    json: { ...right, seed: 'a\0b' },
    expected: [noMatch('^[^\\u0000]*$', ['body', 'seed'])],
  },
  {
    title: 'a name that is too long',
    json: { ...right, name: 'x'.repeat(101) },
    expected: [tooLong(100, ['body', 'name'])],
  },
  {
    title: 'too many groups',
    json: inWorld({ access_points: Array.from({ length: 21 }, () => group) }),
    expected: [tooManyItems(20, 21, ['body', 'world', 'access_points'])],
  },
]

const asked = { agents: ['wifi-1'], policy: 'dawn' }
const wrongBody = (msg: string) => ({ loc: ['body'], msg: `Value error, ${msg}`, type: 'value_error' })

export const wrongWhatIfs: BadBody[] = [
  {
    title: 'an empty object',
    json: {},
    expected: [
      wrongBody('say which access points: agents, area or technology'),
      wrongBody('exactly one of policy, document and command'),
    ],
  },
  {
    title: 'a policy and a command',
    json: { ...asked, command: { ap_id: 'wifi-1', command: 'sleep' } },
    expected: [wrongBody('exactly one of policy, document and command')],
  },
  {
    title: 'the policy that others are compared with',
    json: { ...asked, policy: 'none' },
    expected: [valueError('policy', 'the policy none is what others are compared with')],
  },
  {
    title: 'an id with other characters',
    json: { ...asked, agents: ['wifi*'] },
    expected: [noMatch('^[A-Za-z0-9][A-Za-z0-9_:-]{0,63}$', ['body', 'agents', 0])],
  },
  {
    title: 'too long a horizon',
    json: { ...asked, horizon_s: 7201 },
    expected: [moreThan(7200, ['body', 'horizon_s'])],
  },
  {
    title: 'a command that steers one client',
    json: { agents: ['wifi-1'], command: { ap_id: 'wifi-1', command: 'steer_client c0ffee wifi-2' } },
    expected: [
      valueError(
        'command',
        'clients of the network cannot be simulated one by one: write steer_client <ap_id> <count>',
      ),
    ],
  },
]

const ids = {
  run_id: '0199a3e5-7c1e-7d0c-9d6a-3f6f0f2a9b11',
  emulator: '0199a3e5-7c1e-7d0c-9d6a-3f6f0f2a9b12',
}

export const wrongRunReports: BadBody[] = [
  {
    title: 'an empty object, naming every field in order',
    json: {},
    expected: ['run_id', 'emulator', 'state'].map((name) => missing(['body', name])),
  },
  {
    title: 'a result without its figures and series',
    json: { ...ids, state: 'finished', result: {} },
    expected: ['figures', 'series'].map((name) => missing(['body', 'result', name])),
  },
  {
    title: 'an end without a result',
    json: { ...ids, state: 'finished' },
    expected: [missing(['body', 'result'])],
  },
  {
    title: 'a series with columns of different lengths',
    json: {
      ...ids,
      state: 'finished',
      result: {
        figures: Object.fromEntries(experimentFigures.map((name) => [name, null])),
        series: {
          step_s: 10,
          s: [9, 19],
          mean_mbps: [1, 1],
          p5_mbps: [1],
          clients: [1, 1],
          handovers: [0, 0],
        },
      },
    },
    expected: [
      {
        loc: ['body', 'result', 'series'],
        msg: 'Value error, all columns of a series need the same length',
        type: 'value_error',
      },
    ],
  },
  {
    title: 'an unknown state',
    json: { ...ids, state: 'done' },
    expected: [notInChoices(['started', 'running', 'finished', 'failed'], ['body', 'state'])],
  },
]

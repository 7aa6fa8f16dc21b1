import { missing, noWindow, tooManyItems } from './items.ts'
import type { BadBody } from './shape.ts'

const agent = ['query', 'agent']
const metrics = ['query', 'metrics']
const window = ['query', 'window']

/** Minutes or a number with a unit, from 1 s to 31 d. */
const wrongWindows = (
  ' %20 abc 0 0s 0.5s -5 . 5. 1.5.5 5x 5minuten 1h30m m hours 1e2 0x10 NaN ' +
  '32d 45000 2678401s 5w 99999999999999999999 5;drop 5%00 %D9%A5'
).split(' ')

export const wrongReadings: BadBody[] = [
  { title: 'no parameters', query: '', expected: [missing(agent)] },
  { title: 'no agent', query: 'window=5', expected: [missing(agent)] },
  {
    title: 'no agent and a wrong window, both named',
    query: 'window=abc',
    expected: [missing(agent), noWindow(window)],
  },
  {
    title: 'a repeated window of which the last is wrong',
    query: 'agent=a&window=5&window=x',
    expected: [noWindow(window)],
  },
  ...wrongWindows.map((text) => ({
    title: `the window ${JSON.stringify(decodeURIComponent(text))}`,
    query: `agent=a&window=${text}`,
    expected: [noWindow(window)],
  })),
]

const names = (count: number) => Array.from({ length: count }, (_, n) => `m${n}`)

export const wrongChoices: BadBody[] = [
  { title: 'no parameters, naming both', query: '', expected: [missing(agent), missing(metrics)] },
  { title: 'no metrics', query: 'agent=a', expected: [missing(metrics)] },
  { title: 'no agent', query: 'metrics=clients', expected: [missing(agent)] },
  {
    title: 'a wrong window',
    query: 'agent=a&metrics=clients&window=0',
    expected: [noWindow(window)],
  },
  {
    title: '257 metrics in one text',
    query: `agent=a&metrics=${names(257).join(',')}`,
    expected: [tooManyItems(256, 257, metrics)],
  },
  {
    title: '300 metrics, repeated',
    query: `agent=a&${names(300)
      .map((name) => `metrics=${name}`)
      .join('&')}`,
    expected: [tooManyItems(256, 300, metrics)],
  },
]

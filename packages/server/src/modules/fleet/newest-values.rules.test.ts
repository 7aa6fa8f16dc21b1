import { expect, it } from 'vitest'
import { currentForMs, periodsOf, visitLines } from './newest-values.rules.ts'

it('a value is current for 30 s, or for three intervals of its agent', () => {
  expect([0.1, 10, 11, 60, 86_400].map(currentForMs)).toEqual([30_000, 30_000, 33_000, 180_000, 259_200_000])
})

it('the period of a read covers its agents, and is less than twice as long as they need', () => {
  const intervals = [0.1, 1, 10, 11, 20, 21, 60, 300, 3600, 86_400]
  const periods = periodsOf(intervals, (intervalS) => intervalS)
  expect([...periods.values()].flat()).toEqual(intervals)
  for (const [periodMs, members] of periods)
    for (const intervalS of members) {
      expect(periodMs).toBeGreaterThanOrEqual(currentForMs(intervalS))
      expect(periodMs).toBeLessThan(2 * currentForMs(intervalS))
    }
  expect(periods.get(30_000)).toEqual([0.1, 1, 10])
})

it('lines of the store are read in parts, and lines of another form are left out', () => {
  const text = [
    'clients{ap_id="a b"} 3 1000',
    'load_pct{ap_id="c"} 0.5 2000',
    'up 1 3000',
    'clients{job="x"} 1 3000',
    'clients{ap_id="d"} -2 4000',
  ].join('\n')
  const seen: unknown[] = []
  let at = 0
  while (at < text.length) at = visitLines(text, at, 2, (...line) => seen.push(line))
  expect(seen).toEqual([
    ['clients', 'a b', 3, 1000],
    ['load_pct', 'c', 0.5, 2000],
    ['clients', 'd', -2, 4000],
  ])
})

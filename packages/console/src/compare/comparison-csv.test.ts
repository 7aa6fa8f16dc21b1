import { expect, it } from 'vitest'
import { figuresCsv, valuesCsv } from './comparison-csv.ts'
import { drawnLine } from './drawn-values.ts'

const start = Date.parse('2026-11-17T10:00:00Z')
const figures = { centre: 5, lowest: 1, p10: 2, p90: 8, p95: 9, highest: 10 }
const values = {
  fromMs: start,
  toMs: start + 60_000,
  byMetric: new Map([
    [
      'load_pct',
      {
        points: { at: [start, start + 30_000], values: [5, 6] },
        band: { p10: [2, 3], p90: [8, 9] },
        figures,
      },
    ],
  ]),
  agents: { total: 20, read: 20 },
}
const exported = {
  subjects: [{ key: 'WiFi A', label: 'WiFi, A', technology: 'WiFi' as const }],
  metrics: [{ name: 'load_pct', label: 'Load', unit: '%' }],
}
const steps = { stepMs: 30_000, at: [0, 30_000, 60_000] }

it('values of two periods start at 0, with the edges of the band', () => {
  const line = drawnLine(values, 'load_pct', steps, true)
  expect(valuesCsv(exported, steps, () => [line], true).split('\r\n')).toEqual([
    'elapsed_s,"WiFi, A load_pct p50","WiFi, A load_pct p10","WiFi, A load_pct p90"',
    '0,5,2,8',
    '30,6,3,9',
    '60,6,3,9',
    '',
  ])
})

it('a line without values is empty', () => {
  expect(drawnLine(values, 'clients', steps, false)).toEqual({ values: [null, null, null] })
})

it('figures have the period and what they are', () => {
  expect(figuresCsv(exported, [values]).split('\r\n')[1]).toBe(
    '"WiFi, A",2026-11-17T10:00:00.000Z,2026-11-17T10:01:00.000Z,load_pct,%,median,5,1,2,8,9,10,20',
  )
})

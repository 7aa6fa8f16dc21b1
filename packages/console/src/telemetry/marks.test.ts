import { expect, it } from 'vitest'
import { intervalsOfMetric, intervalsText, markOf, marksNear } from './marks.ts'

const event = { id: 'a', at: '2026-11-17T10:00:00Z', severity: 'info', text: 'x', ap_id: null } as const

it('a kind of a later version has a mark as well', () => {
  expect(markOf({ ...event, kind: 'offline', subject: null, data: {} }).group).toBe('presence')
  expect(markOf({ ...event, kind: 'eclipse', subject: null, data: {} }).group).toBe('other')
})

const interval = {
  id: '1',
  fromMs: 10,
  toMs: 20,
  severity: 'critical',
  metric: 'load_pct',
  rule: 'Load',
} as const

it('an alarm is in the chart of its metric, and that an access point is offline in all', () => {
  const offline = { ...interval, id: '2', metric: 'presence' }
  expect(intervalsOfMetric([interval, offline], 'load_pct')).toHaveLength(2)
  expect(intervalsOfMetric([interval, offline], 'clients')).toEqual([offline])
})

it('screen readers get the alarms of the visible period', () => {
  const text = (from: number, to: number, toMs?: number) =>
    intervalsText([{ ...interval, toMs: toMs ?? interval.toMs }], from, to, String)
  expect(text(0, 15)).toBe(' Alarm: Load, from 10 to 20.')
  expect(text(21, 30)).toBe('')
  expect(intervalsText([{ ...interval, toMs: undefined }], 21, 30, String)).toBe(
    ' Alarm: Load, from 10, open.',
  )
})

it('marks are found near the cursor', () => {
  const marks = [0, 50, 100].map((atMs) => ({
    ...markOf({ ...event, kind: 'command', subject: null, data: {} }),
    atMs,
  }))
  expect(marksNear(marks, (ms) => ms * 2, 96, 6)).toEqual([marks[1]])
})

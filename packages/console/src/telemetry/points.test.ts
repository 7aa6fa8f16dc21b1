import { expect, it } from 'vitest'
import { LiveWindow, sliceOf, statisticsOf, valueNear } from './points.ts'

const start = Date.parse('2026-01-01T00:00:00Z')
const points = (from: number, to: number, value = (n: number) => n) =>
  Array.from({ length: to - from }, (_, n) => ({
    ts: new Date(start + (from + n) * 1000).toISOString(),
    value: value(from + n),
  }))
const seconds = ({ at }: { at: number[] }) => at.map((ms) => (ms - start) / 1000)

it('a partial read extends the window without duplicate points', () => {
  const window = new LiveWindow(60)
  window.replace([{ metric: 'load_pct', points: points(0, 10) }], start)
  window.extend([{ metric: 'load_pct', points: points(8, 12, (n) => n * 10) }], start)
  expect(seconds(window.of('load_pct'))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
  expect(window.of('load_pct').values.slice(6)).toEqual([6, 7, 80, 90, 100, 110])
})

it('late points are inserted, and an empty response changes nothing', () => {
  const window = new LiveWindow(60)
  const late = points(0, 6).filter(({ value }) => value !== 4)
  window.replace([{ metric: 'load_pct', points: late }], start)
  window.extend([{ metric: 'load_pct', points: [] }], start)
  window.extend([{ metric: 'load_pct', points: points(3, 7) }], start)
  expect(seconds(window.of('load_pct'))).toEqual([0, 1, 2, 3, 4, 5, 6])
})

it('the window never exceeds its length', () => {
  const window = new LiveWindow(60)
  window.replace([{ metric: 'clients', points: points(0, 60) }], start)
  for (let now = 60; now < 7200; now++)
    window.extend([{ metric: 'clients', points: points(now - 5, now) }], start)
  const { at, values } = window.of('clients')
  expect([at.length, values.length]).toEqual([61, 61])
  expect(seconds(window.of('clients'))[0]).toBe(7138)
})

it('the value at a time is found if a point is near', () => {
  const line = { at: [0, 1000, 2000], values: [1, 2, 3] }
  expect(valueNear(line, 1400, 1000)).toBe(2)
  expect(valueNear(line, 1600, 1000)).toBe(3)
  expect(valueNear(line, 9000, 1000)).toBeUndefined()
  expect(valueNear({ at: [], values: [] }, 0, 1000)).toBeUndefined()
})

it('a slice has one more point on each side', () => {
  const line = { at: [0, 1000, 2000, 3000, 4000], values: [0, 1, 2, 3, 4] }
  expect(sliceOf(line, 1500, 2500)).toEqual({ at: [1000, 2000, 3000], values: [1, 2, 3] })
  expect(sliceOf(line, 0, 4000)).toEqual(line)
})

it('statistics are those of the shown period', () => {
  const line = { at: [0, 1000, 2000, 3000], values: [50, 2, 4, 3] }
  expect(statisticsOf(line, 1000, 3000)).toEqual({
    latest: 3,
    lowest: 2,
    highest: 4,
    mean: 3,
    p10: 2.2,
    p90: 3.8,
    p95: 3.9,
  })
  expect(statisticsOf(line, 4000, 5000)).toBeUndefined()
})

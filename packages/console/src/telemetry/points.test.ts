import { expect, it } from 'vitest'
import { downsampled, extentOf, LiveWindow, sliceOf, valueNear } from './points.ts'

const start = Date.parse('2026-01-01T00:00:00Z')
const points = (from: number, to: number, value = (n: number) => n) =>
  Array.from({ length: to - from }, (_, n) => ({
    ts: new Date(start + (from + n) * 1000).toISOString(),
    value: value(from + n),
  }))
const seconds = ({ at }: { at: number[] }) => at.map((ms) => (ms - start) / 1000)

it('goes on where it was, and each point is there once', () => {
  const window = new LiveWindow(60)
  window.replace([{ metric: 'load_pct', points: points(0, 10) }], start)
  window.extend([{ metric: 'load_pct', points: points(8, 12, (n) => n * 10) }], start)
  expect(seconds(window.of('load_pct'))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
  expect(window.of('load_pct').values.slice(6)).toEqual([6, 7, 80, 90, 100, 110])
})

it('takes in what came late, and keeps what an empty answer says nothing of', () => {
  const window = new LiveWindow(60)
  const late = points(0, 6).filter(({ value }) => value !== 4)
  window.replace([{ metric: 'load_pct', points: late }], start)
  window.extend([{ metric: 'load_pct', points: [] }], start)
  window.extend([{ metric: 'load_pct', points: points(3, 7) }], start)
  expect(seconds(window.of('load_pct'))).toEqual([0, 1, 2, 3, 4, 5, 6])
})

it('never holds more than its window, however long it runs', () => {
  const window = new LiveWindow(60)
  window.replace([{ metric: 'clients', points: points(0, 60) }], start)
  for (let now = 60; now < 7200; now++)
    window.extend([{ metric: 'clients', points: points(now - 5, now) }], start)
  const { at, values } = window.of('clients')
  expect([at.length, values.length]).toEqual([61, 61])
  expect(seconds(window.of('clients'))[0]).toBe(7138)
})

it('finds the value at a moment, where one is near', () => {
  const line = { at: [0, 1000, 2000], values: [1, 2, 3] }
  expect(valueNear(line, 1400, 1000)).toBe(2)
  expect(valueNear(line, 1600, 1000)).toBe(3)
  expect(valueNear(line, 9000, 1000)).toBeUndefined()
  expect(valueNear({ at: [], values: [] }, 0, 1000)).toBeUndefined()
})

it('thins a long line and keeps its peaks', () => {
  const at = Array.from({ length: 10_000 }, (_, n) => n)
  const thin = downsampled({ at, values: at.map((n) => (n === 5555 ? 99 : n % 2)) }, 500)
  expect(thin.at.length).toBeLessThanOrEqual(500)
  expect(Math.max(...thin.values)).toBe(99)
  expect(thin.at).toEqual(thin.at.toSorted((a, b) => a - b))
})

it('cuts out what is shown, and one point on each side of it', () => {
  const line = { at: [0, 1000, 2000, 3000, 4000], values: [0, 1, 2, 3, 4] }
  expect(sliceOf(line, 1500, 2500)).toEqual({ at: [1000, 2000, 3000], values: [1, 2, 3] })
  expect(sliceOf(line, 0, 4000)).toEqual(line)
})

it('sums a line up within what is shown', () => {
  const line = { at: [0, 1000, 2000, 3000], values: [50, 2, 4, 3] }
  expect(extentOf(line, 1000, 3000)).toEqual({ latest: 3, lowest: 2, highest: 4 })
  expect(extentOf(line, 4000, 5000)).toBeUndefined()
})

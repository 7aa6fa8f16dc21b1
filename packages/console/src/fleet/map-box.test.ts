import { expect, it } from 'vitest'
import { boxOf, contains, rounded } from './map-box.ts'

it('the box of a view that was panned around the world has usual longitudes', () => {
  expect(boxOf([-3, 50, -2, 52])).toEqual({ west: -3, south: 50, east: -2, north: 52 })
  expect(boxOf([357, 50, 358, 95])).toEqual({ west: -3, south: 50, east: -2, north: 90 })
  expect(boxOf([170, -10, 190, 10])).toEqual({ west: 170, south: -10, east: -170, north: 10 })
  expect(boxOf([-200, -80, 200, 80])).toBeUndefined()
})

it('a rounded view contains the view, is at most three times as large, and stays the same for a small move', () => {
  for (const [west, width] of [
    [-2.6, 0.4],
    [10, 0.001],
    [-179, 90],
  ] as const) {
    const [w, s, e, n] = rounded([west, 51, west + width, 51 + width / 2])
    expect(w).toBeLessThanOrEqual(west)
    expect(e).toBeGreaterThanOrEqual(west + width)
    expect(s).toBeLessThanOrEqual(51)
    expect(n).toBeGreaterThanOrEqual(Math.min(90, 51 + width / 2))
    expect(e - w).toBeLessThanOrEqual(3 * width)
  }
  expect(rounded([-2.6, 51.4, -2.2, 51.6])).toEqual(rounded([-2.59, 51.41, -2.19, 51.61]))
})

it('a view contains a box also after a turn around the world', () => {
  const box = { west: -3, south: 50, east: -2, north: 52 }
  expect(contains([-4, 49, -1, 53], box)).toBe(true)
  expect(contains([356, 49, 359, 53], box)).toBe(true)
  expect(contains([-2.5, 49, -1, 53], box)).toBe(false)
  expect(contains([-4, 51, -1, 53], box)).toBe(false)
})

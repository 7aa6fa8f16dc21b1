import { expect, it } from 'vitest'
import { divide, metresFrom } from './areas.ts'

const at = (id: string, latitude: number, longitude: number) => ({ id, position: { latitude, longitude } })
const ids = (areas: { id: string }[][]) =>
  areas
    .map((area) =>
      area
        .map(({ id }) => id)
        .toSorted()
        .join(' '),
    )
    .toSorted()

it('access points within 200 m of each other are one area, also over others between them', () => {
  const degree = 1 / 111_320
  const row = Array.from({ length: 5 }, (_, n) => at(`a${n}`, 51.45 + n * 150 * degree, -2.6))
  const far = [at('b', 51.46, -2.6), at('c', -33, 151)]
  expect(ids(divide([...row, ...far], 100))).toEqual(['a0 a1 a2 a3 a4', 'b', 'c'])
  expect(divide([], 100)).toEqual([])
})

it('an area with too many is cut, and each access point is in one part', () => {
  const campus = Array.from({ length: 1000 }, (_, n) =>
    at(`a${n}`, 51.45 + (n % 10) / 10_000, -2.6 + Math.floor(n / 10) / 5000),
  )
  const areas = divide(campus, 400)
  expect(areas.every((area) => area.length <= 400)).toBe(true)
  expect(areas.flat().length).toBe(1000)
  expect(new Set(areas.flat()).size).toBe(1000)
})

it('metres are those of the place', () => {
  const { x, y } = metresFrom(at('o', 60, 10), at('p', 60.001, 10.002))
  expect([x, y].map(Math.round)).toEqual([111, 111])
})

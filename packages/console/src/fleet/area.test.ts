import { expect, it } from 'vitest'
import { areaHash, areaOf, isWithin, parseAreaHash } from './area.ts'

const at = (latitude: number, longitude: number) => ({ position: { latitude, longitude } })

it('an area contains all access points that have a position', () => {
  expect(areaOf([at(51, -2.6), { position: null }, at(52, -2.4)])).toEqual([-2.6, 51, -2.4, 52])
  expect(areaOf([{ position: null }])).toBeUndefined()
})

it('an area is read from the address as it was written', () => {
  expect(parseAreaHash(areaHash([-2.6, 51, -2.4, 52]))).toEqual([-2.6, 51, -2.4, 52])
})

it('an address without a valid area is ignored', () => {
  expect(parseAreaHash('area=1,2,3')).toBeUndefined()
  expect(parseAreaHash('area=1,5,3,4')).toBeUndefined()
  expect(parseAreaHash('area=a,b,c,d')).toBeUndefined()
  expect(parseAreaHash('area=1,2,3,89')).toBeUndefined()
  expect(parseAreaHash('token=x')).toBeUndefined()
  expect(parseAreaHash('')).toBeUndefined()
})

it('positions are found in the view of a map that was panned around the world', () => {
  expect(isWithin({ latitude: 51, longitude: -2.5 }, [-3, 50, -2, 52])).toBe(true)
  expect(isWithin({ latitude: 51, longitude: -2.5 }, [357, 50, 358, 52])).toBe(true)
  expect(isWithin({ latitude: 51, longitude: -2.5 }, [-2, 50, 0, 52])).toBe(false)
  expect(isWithin(null, [-3, 50, -2, 52])).toBe(false)
})

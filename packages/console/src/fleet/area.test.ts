import { expect, it } from 'vitest'
import { areaIn, areaOf, hashOf, isWithin } from './area.ts'

const at = (latitude: number, longitude: number) => ({ position: { latitude, longitude } })

it('an area is around all that have a place', () => {
  expect(areaOf([at(51, -2.6), { position: null }, at(52, -2.4)])).toEqual([-2.6, 51, -2.4, 52])
  expect(areaOf([{ position: null }])).toBeUndefined()
})

it('an area is read back from the address as it was written', () => {
  expect(areaIn(hashOf([-2.6, 51, -2.4, 52]))).toEqual([-2.6, 51, -2.4, 52])
})

it('an address that anybody wrote is taken where it is an area', () => {
  expect(areaIn('area=1,2,3')).toBeUndefined()
  expect(areaIn('area=1,5,3,4')).toBeUndefined()
  expect(areaIn('area=a,b,c,d')).toBeUndefined()
  expect(areaIn('area=1,2,3,89')).toBeUndefined()
  expect(areaIn('token=x')).toBeUndefined()
  expect(areaIn('')).toBeUndefined()
})

it('what is in view is found also on a map that was turned around the world', () => {
  expect(isWithin({ latitude: 51, longitude: -2.5 }, [-3, 50, -2, 52])).toBe(true)
  expect(isWithin({ latitude: 51, longitude: -2.5 }, [357, 50, 358, 52])).toBe(true)
  expect(isWithin({ latitude: 51, longitude: -2.5 }, [-2, 50, 0, 52])).toBe(false)
  expect(isWithin(null, [-3, 50, -2, 52])).toBe(false)
})

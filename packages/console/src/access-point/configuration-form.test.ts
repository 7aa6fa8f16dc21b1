import { expect, it } from 'vitest'
import { fieldsOf, valueAt, withValue } from './configuration-form.ts'

const configuration = { technology: 'WiFi', geolocation: { latitude: 1, longitude: 2 }, other: [1] }

it('a value is read by its path', () => {
  expect(valueAt(configuration, 'geolocation.latitude')).toBe(1)
  expect(valueAt(configuration, 'geolocation.altitude')).toBe(undefined)
  expect(valueAt(configuration, 'technology.name')).toBe(undefined)
  expect(valueAt({}, 'toString')).toBe(undefined)
})

it('a change keeps all other values and their order', () => {
  const changed = withValue(configuration, 'geolocation.latitude', 3)
  expect(changed).toEqual({ technology: 'WiFi', geolocation: { latitude: 3, longitude: 2 }, other: [1] })
  expect(Object.keys(changed)).toEqual(Object.keys(configuration))
  expect(configuration.geolocation.latitude).toBe(1)
  expect(withValue({}, 'geolocation.latitude', 3)).toEqual({ geolocation: { latitude: 3 } })
})

it('an empty field removes its value, and an object that is then empty', () => {
  expect(withValue(configuration, 'technology', undefined)).not.toHaveProperty('technology')
  expect(withValue({ geolocation: { latitude: 1 } }, 'geolocation.latitude', undefined)).toEqual({})
})

it('the fields depend on the technology', () => {
  const pathsOf = (value: object) => fieldsOf({ ...value }).map(({ path }) => path)
  expect(pathsOf({ technology: 'WiFi' })).toContain('ssid')
  expect(pathsOf({ technology: 'LiFi' })).not.toContain('ssid')
  expect(pathsOf({ technology: 'none' })).not.toContain('channel')
})

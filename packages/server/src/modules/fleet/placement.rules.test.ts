import { describe, expect, it } from 'vitest'
import { placementOf } from './placement.rules.ts'

describe('the placement of an agent by its configuration', () => {
  it.each([
    [{ technology: 'WiFi' }, 'WiFi'],
    [{ technology: 'wi-fi 6' }, 'WiFi'],
    [{ technology: '802.11ax' }, 'WiFi'],
    [{ technology: '5g' }, '5G'],
    [{ access_technology: '5G NR' }, '5G'],
    [{ technology: 'NR' }, '5G'],
    [{ access_point_type: 'LiFi' }, 'LiFi'],
    [{ type: 'Li-Fi (VLC)' }, 'LiFi'],
    [{ technology: 7, type: 'wlan' }, 'WiFi'],
    [{ technology: 'ethernet' }, 'other'],
    [{}, 'other'],
  ])('of %j has the technology %s', (configuration, technology) => {
    expect(placementOf(configuration).technology).toBe(technology)
  })

  it.each([
    [{ latitude: 51.4545, longitude: -2.5879 }],
    [{ lat: '51.4545', long: '-2.5879' }],
    [{ lat: 51.4545, lng: ' -2.5879 ' }],
    [{ latitude: 51.4545, lon: -2.5879 }],
  ])('with the geolocation %j has a position', (geolocation) => {
    expect(placementOf({ geolocation })).toMatchObject({ latitude: 51.4545, longitude: -2.5879 })
  })

  it.each([
    [undefined],
    [null],
    ['51.4,-2.5'],
    [{ latitude: 51.4 }],
    [{ latitude: 91, longitude: 0 }],
    [{ latitude: 0, longitude: -181 }],
    [{ latitude: '', longitude: '' }],
    [{ latitude: 'north', longitude: 2 }],
    [{ latitude: Number.NaN, longitude: 2 }],
  ])('with the geolocation %j has no position', (geolocation) => {
    expect(placementOf({ geolocation })).toMatchObject({ latitude: null, longitude: null })
  })

  it('has a name without characters that PostgreSQL rejects', () => {
    expect(placementOf({ name: ' Hall\0 1 ' }).name).toBe('Hall 1')
    expect(placementOf({ name: 'x'.repeat(500) }).name).toHaveLength(128)
    expect(placementOf({ name: '\ud800' }).name).toBe('\ufffd')
    expect(placementOf({ name: ' ' }).name).toBeNull()
    expect(placementOf({ name: 5 }).name).toBeNull()
  })

  it('has the version and the place that it names first', () => {
    const configuration = { location: 'Hall', site: 'North', firmware_version: ' 1.10.0 ', version: '2' }
    expect(placementOf(configuration)).toMatchObject({ place: 'Hall', version: '1.10.0' })
    expect(placementOf({ location: { building: 4 }, version: 7 })).toMatchObject({
      place: null,
      version: null,
    })
  })

  it('is ordered by the numbers in its name and version', () => {
    const keyOf = (name: string) => placementOf({ name }).nameKey ?? ''
    expect(keyOf('Hall 2') < keyOf('hall 10')).toBe(true)
    expect(keyOf('HALL 1b') < keyOf('Hall 2')).toBe(true)
    const versionKeyOf = (version: string) => placementOf({ version }).versionKey ?? ''
    expect(versionKeyOf('1.9.0') < versionKeyOf('1.10.0')).toBe(true)
    expect(placementOf({ name: '12345678901' }).nameKey).toBe('12345678901')
  })

  it.each([
    [1, 1],
    ['30', 30],
    [0.5, 0.5],
    [0, 10],
    [-5, 10],
    [1e9, 10],
    ['soon', 10],
    [undefined, 10],
  ])('with the interval %j has an interval of %d s', (telemetry_interval_s, intervalS) => {
    expect(placementOf({ telemetry_interval_s }).intervalS).toBe(intervalS)
  })
})

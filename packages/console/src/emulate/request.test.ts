import { describe, expect, it } from 'vitest'
import { formatPosition, parsePosition, spreadAround } from './locations.ts'
import { defaultRequest, estimateOf, formErrorsIn, repeatedRequest, sketchOf, specsOf } from './request.ts'

const request = {
  ...defaultRequest,
  counts: { '5G': 2, WiFi: 0, LiFi: 3 },
  locations: ['51.4585,-2.603', 'Bath'],
  durationS: 60,
}

describe('an emulation request', () => {
  it('has one specification for each technology, without optional fields that are empty', () => {
    const rest = { locations: request.locations, num_devices: 12, duration: 60, scenario: 'daily' }
    expect(specsOf(request)).toEqual([
      { access_point_type: '5G', num_access_points: 2, ...rest },
      { access_point_type: 'LiFi', num_access_points: 3, ...rest },
    ])
  })

  it('is repeated with the job number as seed if it had none', () => {
    const repeated = repeatedRequest(specsOf(request), 'a-job')
    expect(repeated).toEqual({ ...request, seed: 'a-job' })
    expect(repeatedRequest(specsOf({ ...request, seed: ' mine ', spreadM: 5 }), 'a-job')).toEqual({
      ...request,
      seed: 'mine',
      spreadM: 5,
    })
  })

  it('is estimated in access points, clients and samples', () => {
    expect(estimateOf(request)).toEqual({ accessPoints: 5, clients: 60, samples: 300 })
  })
})

describe('the preview on the map', () => {
  it('puts the first access point exactly at the location, alternates locations and skips names', () => {
    const sketch = sketchOf(request)
    // Of two 5G one is in Bath, of three LiFi one is.
    expect(sketch.map(({ technology }) => technology)).toEqual(['5G', 'LiFi', 'LiFi'])
    expect(sketch[0]).toEqual({ technology: '5G', latitude: 51.4585, longitude: -2.603 })
  })

  it('spreads access points by the given distance', () => {
    const at = { latitude: 0, longitude: 0 }
    const { latitude, longitude } = spreadAround(at, 'WiFi', 4, 100)
    expect(Math.hypot(latitude, longitude) * 111_320).toBeCloseTo(200, 3)
    expect(spreadAround(at, 'LiFi', 4, 0)).toEqual(at)
  })
})

describe('a location', () => {
  it.each(['51.5,-2.6', ' 51.5 , -2.6 ', '51.5 -2.6', 'geo:51.5,-2.6'])(
    '%j is parsed as coordinates',
    (text) => {
      expect(parsePosition(text)).toEqual({ latitude: 51.5, longitude: -2.6 })
    },
  )

  it.each(['Bristol, GB', '91,0', '0,181', ''])('%j is left to the controller', (text) => {
    expect(parsePosition(text)).toBeUndefined()
  })

  it('is written with five digits', () => {
    expect(formatPosition({ latitude: 51.458_512_3, longitude: -2.6 })).toBe('51.45851,-2.60000')
  })
})

it('validation errors of the controller are assigned to their fields', () => {
  const item = (loc: (string | number)[], msg: string) => ({ loc, msg, type: 'value_error' })
  expect(
    formErrorsIn([
      item(['body', 'emulators', 0, 'locations', 1], 'Value error, neither coordinates nor a known place'),
      item(['body', 'emulators', 0, 'duration'], 'Input should be greater than 0'),
      item(['body', 'emulators'], 'Value error, at most 2000 different locations at once'),
    ]),
  ).toEqual({
    locations: { 1: 'Neither coordinates nor a known place.' },
    fields: { duration: 'Input should be greater than 0.' },
    others: ['At most 2000 different locations at once.'],
  })
})

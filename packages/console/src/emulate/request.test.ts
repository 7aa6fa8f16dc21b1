import { describe, expect, it } from 'vitest'
import { parsePosition, spreadAround, textOf } from './locations.ts'
import { defaultRequest, estimateOf, problemsIn, repeatedRequest, sketchOf, specsOf } from './request.ts'

const wish = {
  ...defaultRequest,
  counts: { '5G': 2, WiFi: 0, LiFi: 3 },
  places: ['51.4585,-2.603', 'Bath'],
  durationS: 60,
}

describe('what is asked for', () => {
  it('is one specification for each kind, and says nothing that was left open', () => {
    const rest = { locations: wish.places, num_devices: 12, duration: 60, scenario: 'daily' }
    expect(specsOf(wish)).toEqual([
      { access_point_type: '5G', num_access_points: 2, ...rest },
      { access_point_type: 'LiFi', num_access_points: 3, ...rest },
    ])
  })

  it('is the same once more, with the job as its seed where it had none', () => {
    const again = repeatedRequest(specsOf(wish), 'a-job')
    expect(again).toEqual({ ...wish, seed: 'a-job' })
    expect(repeatedRequest(specsOf({ ...wish, seed: ' mine ', spreadM: 5 }), 'a-job')).toEqual({
      ...wish,
      seed: 'mine',
      spreadM: 5,
    })
  })

  it('comes to so many access points, devices and samples', () => {
    expect(estimateOf(wish)).toEqual({ accessPoints: 5, devices: 60, samples: 300 })
  })
})

describe('the sketch', () => {
  it('has the first of a place exactly there, places in turns, and leaves out names', () => {
    const sketch = sketchOf(wish)
    // Of two 5G one is in Bath, of three LiFi one is.
    expect(sketch.map(({ technology }) => technology)).toEqual(['5G', 'LiFi', 'LiFi'])
    expect(sketch[0]).toEqual({ technology: '5G', latitude: 51.4585, longitude: -2.603 })
  })

  it('spreads by the metres that are said', () => {
    const at = { latitude: 0, longitude: 0 }
    const { latitude, longitude } = spreadAround(at, 'WiFi', 4, 100)
    expect(Math.hypot(latitude, longitude) * 111_320).toBeCloseTo(200, 3)
    expect(spreadAround(at, 'LiFi', 4, 0)).toEqual(at)
  })
})

describe('a place', () => {
  it.each(['51.5,-2.6', ' 51.5 , -2.6 ', '51.5 -2.6', 'geo:51.5,-2.6'])('%s is on the map', (text) => {
    expect(parsePosition(text)).toEqual({ latitude: 51.5, longitude: -2.6 })
  })

  it.each(['Bristol, GB', '91,0', '0,181', ''])('%s is left to the controller', (text) => {
    expect(parsePosition(text)).toBeUndefined()
  })

  it('is written so that it is read again', () => {
    expect(textOf({ latitude: 51.458_512_3, longitude: -2.6 })).toBe('51.45851,-2.60000')
  })
})

it('sorts what the controller finds wrong to the field that it is about', () => {
  const item = (loc: (string | number)[], msg: string) => ({ loc, msg, type: 'value_error' })
  expect(
    problemsIn([
      item(['body', 'emulators', 0, 'locations', 1], 'Value error, neither coordinates nor a known place'),
      item(['body', 'emulators', 0, 'duration'], 'Input should be greater than 0'),
      item(['body', 'emulators'], 'Value error, at most 2000 different locations at once'),
    ]),
  ).toEqual({
    places: { 1: 'Neither coordinates nor a known place.' },
    fields: { duration: 'Input should be greater than 0.' },
    others: ['At most 2000 different locations at once.'],
  })
})

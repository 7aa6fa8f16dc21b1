import { expect, it } from 'vitest'
import { boxAround, distanceM, formatDistance, nearest } from './distance.ts'

const bristol = { latitude: 51.4585, longitude: -2.603 }

it('the distance between two cities is measured over the ground', () => {
  expect(distanceM(bristol, { latitude: 51.5074, longitude: -0.1278 })).toBeCloseTo(171_500, -3)
  expect([formatDistance(12.4), formatDistance(1234), formatDistance(171_500)]).toEqual([
    '12 m',
    '1.2 km',
    '172 km',
  ])
})

it('a box around a position contains the distance, also across the antimeridian', () => {
  const { west, east, south, north } = boxAround(bristol, 1000)
  expect(distanceM(bristol, { latitude: bristol.latitude, longitude: east })).toBeCloseTo(1000, -1)
  expect([west < -2.603, south < 51.4585, north > 51.4585]).toEqual([true, true, true])
  const fiji = boxAround({ latitude: -17, longitude: 179.999 }, 5000)
  expect(fiji.west).toBeGreaterThan(fiji.east)
})

it('the nearest access points are found, without those that have no position', () => {
  const at = (ap_id: string, latitude: number | undefined) => ({
    ap_id,
    name: null,
    technology: 'WiFi' as const,
    state: 'online' as const,
    since: '2026-01-01T00:00:00Z',
    last_seen: null,
    position: latitude === undefined ? null : { latitude, longitude: -2.603 },
    telemetry_interval_s: 1,
    health: 'unknown' as const,
    health_since: '',
    reason: null,
    reasons: [],
  })
  const agents = [at('self', 51.4585), at('far', 51.6), at('near', 51.459), at('unknown', undefined)]
  expect(nearest(agents, 'self', bristol, 5).map(({ agent }) => agent.ap_id)).toEqual(['near', 'far'])
})

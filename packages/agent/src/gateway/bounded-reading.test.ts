import { describe, expect, it } from 'vitest'
import { boundedReading } from './bounded-reading.ts'

describe('a reading', () => {
  it('is sent as it is if the controller accepts it', () => {
    const reading = { readings: { clients: 1, ssid: 'office' }, clients: [{ client: '02:00:00:00:00:01' }] }
    expect(boundedReading(reading)).toEqual({ ...reading, isCut: false })
    expect(boundedReading({ readings: {} })).toEqual({ readings: {}, isCut: false })
  })

  it('of a hostile device is cut to what the controller accepts', () => {
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`m${n}`, n]))
    expect(Object.keys(boundedReading({ readings: many }).readings)).toHaveLength(256)
    const { readings, isCut } = boundedReading({
      readings: {
        ssid: 'x'.repeat(100_000),
        ['n'.repeat(129)]: 1,
        'line\nbreak': 1,
        '': 1,
        load_pct: Number.NaN,
        clients: 7,
      },
    })
    expect(readings).toEqual({ ssid: 'x'.repeat(1000), clients: 7 })
    expect(isCut).toBe(true)
    const clients = Array.from({ length: 5001 }, (_, n) => ({ client: String(n) }))
    const cut = boundedReading({ readings: {}, clients })
    expect(cut.clients).toHaveLength(5000)
    expect(cut.isCut).toBe(true)
  })
})

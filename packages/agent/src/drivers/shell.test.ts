import { describe, expect, it } from 'vitest'
import { parseReadings } from './shell.ts'

describe('the output of a program that reads a device', () => {
  it('is one JSON object', () => {
    expect(parseReadings('{"load_pct": 12.5, "ssid": "office", "nothing": null, "list": [1]}')).toEqual({
      readings: { load_pct: 12.5, ssid: 'office' },
    })
  })

  it('is lines of name=value', () => {
    expect(
      parseReadings('# comment\nload_pct=12.5\n clients = 3 \nssid=my office\nempty=\nno line\n'),
    ).toEqual({
      readings: { load_pct: 12.5, clients: 3, ssid: 'my office' },
    })
  })

  it('may list the clients, which is also their number', () => {
    const clients = [
      'aa:bb',
      { client: 'cc:dd', signal_dbm: -60, rate_mbps: 'fast', since: '2026-01-01T12:00:00Z' },
      { signal_dbm: -60 },
      7,
    ]
    expect(parseReadings(JSON.stringify({ clients }))).toEqual({
      readings: { clients: 2 },
      clients: [{ client: 'aa:bb' }, { client: 'cc:dd', signal_dbm: -60, since: '2026-01-01T12:00:00.000Z' }],
    })
  })

  it.each(['', '{}', 'no readings here'])('is not "%s"', (text) => {
    expect(() => parseReadings(text)).toThrow('printed no readings. Print {"load_pct": 12}')
  })

  it('has at most 256 readings, and valid JSON', () => {
    const many = Object.fromEntries(Array.from({ length: 257 }, (_, n) => [`m${n}`, n]))
    expect(() => parseReadings(JSON.stringify(many))).toThrow('A sample has at most 256')
    expect(() => parseReadings('{"load_pct": ')).toThrow('not valid JSON')
  })
})

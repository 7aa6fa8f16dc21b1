import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { samplesOf } from './data-message.format.ts'
import { fieldsOf, lineOf } from './influx-line.format.ts'
import { MetricNames } from './metric-names.cache.ts'
import { InvalidSample, readSample } from './sample.format.ts'

const nowMs = Date.UTC(2026, 0, 2, 3, 4, 5)
const limits = { retentionMs: 395 * 86_400_000, maxSamples: 10_000 }
const read = (payload: unknown, ts?: unknown) => readSample(payload, ts, nowMs, limits)
const metrics = (payload: unknown) => {
  const { names, values } = read(payload)
  return Object.fromEntries(names.map((name, n) => [name, values[n]]))
}

describe('a sample', () => {
  it('gives numbers and booleans as metrics, nested names joined with _', () => {
    expect(
      metrics({ rssi: -61.5, up: true, down: false, radio: { channel: 6, power: { dbm: 20 } } }),
    ).toEqual({
      rssi: -61.5,
      up: 1,
      down: 0,
      radio_channel: 6,
      radio_power_dbm: 20,
    })
  })

  it('keeps texts, lists and nulls as attributes', () => {
    expect(read({ model: 'x', list: [1], none: null, deep: { name: 'y' } }).attributes).toEqual({
      model: 'x',
      list: [1],
      none: null,
      deep_name: 'y',
    })
  })

  it('may be a JSON text', () => {
    expect(metrics('{"a": 1}')).toEqual({ a: 1 })
  })

  it('turns a comma or a double quote in a name into _', () => {
    expect(metrics({ 'a,b': 1, 'c"d': 2 })).toEqual({ a_b: 1, c_d: 2 })
  })

  it.each([
    ['2026-01-02T03:04:05Z', nowMs],
    ['2026-01-02T03:04:05.678Z', nowMs + 678],
    ['2026-01-02 03:04:05', nowMs],
    ['2026-01-02T04:04:05+01:00', nowMs],
    ['2026-01-02', Date.UTC(2026, 0, 2)],
    [nowMs, nowMs],
    [nowMs / 1000, nowMs],
    [String(nowMs), nowMs],
    [nowMs * 1e3, nowMs],
    [String(nowMs * 1e3 + 400), nowMs],
    [nowMs * 1e6, nowMs],
    [`${nowMs}678901`, nowMs + 1],
    [undefined, nowMs],
    [null, nowMs],
  ])('has the time %s', (ts, expected) => {
    expect(read({ a: 1 }, ts).tsMs).toBe(expected)
  })

  it.each([
    ['no object', 5, undefined],
    ['a list', [], undefined],
    ['a broken text', '{', undefined],
    ['no time', { a: 1 }, 'yesterday'],
    ['a list as time', { a: 1 }, []],
    ['a negative time', { a: 1 }, -1],
    ['a time a year ahead', { a: 1 }, nowMs + 365 * 86_400_000],
    ['a time in nanoseconds a year ahead', { a: 1 }, (nowMs + 365 * 86_400_000) * 1e6],
    ['a time beyond nanoseconds', { a: 1 }, nowMs * 1e9],
    ['a time before the retention', { a: 1 }, '2020-01-01T00:00:00Z'],
    ['a number that is not finite', { a: Number.POSITIVE_INFINITY }, undefined],
    ['an empty name', { '': 1 }, undefined],
    ['a name of 129 characters', { ['x'.repeat(129)]: 1 }, undefined],
    ['a name with a control character', { 'a\nb': 1 }, undefined],
    ['257 metrics', Object.fromEntries(Array.from({ length: 257 }, (_, n) => [`m${n}`, n])), undefined],
  ])('is rejected with %s', (_what, payload, ts) => {
    expect(() => read(payload, ts)).toThrow(InvalidSample)
  })

  it('nested 200 levels deep is rejected', () => {
    let deep: unknown = 1
    for (let n = 0; n < 200; n++) deep = { a: deep }
    expect(() => read(deep)).toThrow('nested too deeply')
  })

  it('is stored or rejected, whatever was sent', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (payload, ts) => {
        expect(() => {
          try {
            const { names, values, tsMs } = read(payload, ts)
            const line = lineOf('ap', fieldsOf(names), values, tsMs)
            expect(line.split('\n'), 'one line').toHaveLength(2)
          } catch (error) {
            if (!(error instanceof InvalidSample)) throw error
          }
        }).not.toThrow()
      }),
    )
  })
})

describe('a data message', () => {
  it.each([
    [{ rssi: 1 }, [{ ts: undefined, payload: { rssi: 1 } }]],
    [{ ap_id: 'x', ts: 5, rssi: 1 }, [{ ts: 5, payload: { rssi: 1 } }]],
    [{ payload: { a: 1 }, timestamp: 7 }, [{ ts: 7, payload: { a: 1 } }]],
    [{ data: '{"a":1}' }, [{ ts: undefined, payload: { a: 1 } }]],
    [{ metrics: { a: 1 }, time: 9 }, [{ ts: 9, payload: { a: 1 } }]],
    [{ data: 5, rssi: 1 }, [{ ts: undefined, payload: { data: 5, rssi: 1 } }]],
    [
      {
        samples: [
          { ts: 1, payload: { a: 1 } },
          { ts: 2, a: 2 },
        ],
      },
      [
        { ts: 1, payload: { a: 1 } },
        { ts: 2, payload: { a: 2 } },
      ],
    ],
    [{ configuration: {} }, []],
    [{ results: [] }, []],
    [{ configuration: {}, payload: { a: 1 } }, [{ ts: undefined, payload: { a: 1 } }]],
    [{}, []],
  ])('%j has its samples', (message, expected) => {
    expect(samplesOf(message as Record<string, unknown>)).toEqual(expected)
  })
})

describe('metric names', () => {
  it('are new once, and at most 1,000 an agent', () => {
    const names = new MetricNames(1000)
    expect(names.find('ap', ['a', 'b'])).toBeUndefined()
    expect(names.add('ap', ['a', 'b'])).toMatchObject({ shape: { fields: ['a=', ',b='] }, hasNewNames: true })
    expect(names.find('ap', ['a', 'b'])?.names).toEqual(['a', 'b'])
    expect(names.find('ap', ['b', 'a'])).toBeUndefined()
    expect(names.find('other', ['a', 'b'])).toBeUndefined()
    expect(names.add('other', ['a', 'b'])?.shape).toBe(names.find('ap', ['a', 'b']))
    expect(names.add('ap', ['b', 'a'])?.hasNewNames).toBe(false)
    const added = Array.from({ length: 10_000 }, (_, n) => names.add('ap', [`name-${n}`]))
    expect(added.filter(Boolean)).toHaveLength(998)
    expect(added.at(-1)).toBeUndefined()
    expect(names.find('other', ['a', 'b'])).toBeDefined()
  })
})

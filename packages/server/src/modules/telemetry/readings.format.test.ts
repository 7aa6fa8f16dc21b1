import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countOf, isoTime, PointWriter, readExport, writePoint } from './readings.format.ts'

const line = (labels: object, values: unknown[], times: number[]) =>
  `{"metric":${JSON.stringify(labels)},"values":[${values.join(',')}],"timestamps":[${times.join(',')}]}\n`

const written = (text: string) => {
  const writer = new PointWriter()
  return readExport(text).map((series) => {
    const { metric, points } = writer.write(series)
    return { metric, points: JSON.parse(points) as unknown }
  })
}

describe('a time', () => {
  it('is written as by toISOString, in any order', () => {
    const last = Date.parse('9999-12-31T23:59:59.999Z')
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: last })), (times) => {
        expect(times.map(isoTime)).toEqual(times.map((ms) => new Date(ms).toISOString()))
      }),
    )
  })

  it('is right around the turns of minutes, days and years', () => {
    for (const turn of ['2023-12-31T23:59:59.999Z', '2024-02-29T00:00:00.000Z', '2026-06-30T12:34:59.999Z'])
      for (const ms of [-60_001, -1, 0, 1, 999, 1000, 60_000])
        expect(isoTime(Date.parse(turn) + ms)).toBe(new Date(Date.parse(turn) + ms).toISOString())
  })
})

describe('an export', () => {
  const at = Date.parse('2026-01-01T00:00:00.000Z')
  const ts = '2026-01-01T00:00:00.000Z'

  it('becomes points with the very numbers that it has', () => {
    const text = line({ __name__: 'a', ap_id: 'x' }, ['-0.1', '1e-9', '12345678901234567890'], [at, at, at])
    const [series] = readExport(text)
    expect(series && new PointWriter().write(series).points).toBe(
      `[{"ts":"${ts}","value":-0.1},{"ts":"${ts}","value":1e-9},{"ts":"${ts}","value":12345678901234567890}]`,
    )
  })

  it('may be empty, or end without a line break', () => {
    expect(written('')).toEqual([])
    expect(written(line({ __name__: 'a' }, [1], [at]).trim())).toEqual([
      { metric: 'a', points: [{ ts, value: 1 }] },
    ])
  })

  it('is taken apart rightly whatever a name holds', () => {
    for (const name of ['"', '\\', '],"timestamps":[', ',"values":[1],"timestamps":[2]}', '\n', '}', '🛰'])
      expect(written(line({ __name__: name, ap_id: 'x' }, [1], [at]))).toEqual([
        { metric: name, points: [{ ts, value: 1 }] },
      ])
  })

  it('loses what is no finite number, however the store writes it', () => {
    for (const odd of ['+Inf', '-Inf', 'NaN', 'null', '"Infinity"', '"-Infinity"', '"NaN"']) {
      const times = [at, at + 1, at + 2]
      expect(written(line({ __name__: 'a' }, [odd, 7, odd], times))).toEqual([
        { metric: 'a', points: [{ ts: '2026-01-01T00:00:00.001Z', value: 7 }] },
      ])
      expect(written(line({ __name__: 'a' }, [odd], [at]))).toEqual([{ metric: 'a', points: [] }])
    }
  })

  it('gives each series its own times, though most share them', () => {
    const text =
      line({ __name__: 'a' }, [1, 2], [at, at + 1000]) +
      line({ __name__: 'b' }, [3, 4], [at, at + 1000]) +
      line({ __name__: 'c' }, [5], [at + 500])
    expect(written(text).map(({ points }) => points)).toEqual([
      [
        { ts, value: 1 },
        { ts: '2026-01-01T00:00:01.000Z', value: 2 },
      ],
      [
        { ts, value: 3 },
        { ts: '2026-01-01T00:00:01.000Z', value: 4 },
      ],
      [{ ts: '2026-01-01T00:00:00.500Z', value: 5 }],
    ])
  })

  it('is counted without being read', () => {
    const counts = [1, 2, 2001].map((count) => {
      const times = Array.from({ length: count }, (_, n) => at + n)
      return readExport(line({ __name__: 'a' }, times, times)).map(countOf)
    })
    expect(counts).toEqual([[1], [2], [2001]])
  })
})

it('one point is written alone', () => {
  expect(JSON.parse(writePoint(1, -2.5))).toEqual({ ts: '1970-01-01T00:00:00.001Z', value: -2.5 })
})

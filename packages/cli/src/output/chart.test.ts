import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { chartLines, sparkline } from './chart.ts'

const second = 1000
const chart = (values: (number | undefined)[], more: object = {}) =>
  chartLines({
    title: 'Latency (ms)',
    points: values.flatMap((value, n) => (value === undefined ? [] : [{ at: n * second, value }])),
    fromMs: 0,
    toMs: (values.length - 1) * second,
    width: 30,
    height: 5,
    ...more,
  }).map(stripVTControlCharacters)

const plotOf = (lines: string[]) => lines.slice(1, -2).map((line) => line.replace(/^.*?[┤│]/, ''))

describe('A chart', () => {
  it('has the title with the last value, round numbers at the axis, and the times of its ends', () => {
    const lines = chart([1, 3, 9, 4, 7])
    expect(lines[0]).toBe('Latency (ms)  7')
    expect(lines[1]).toMatch(/^10 ┤/)
    expect(lines[3]).toMatch(/^ 5 ┤/)
    expect(lines[5]).toMatch(/^ 0 ┤/)
    expect(lines.at(-1)?.trim()).toMatch(/^00:00:00 .* 00:00:04 UTC$/)
  })

  it('rises from the lower left to the upper right', () => {
    const plot = plotOf(chart(Array.from({ length: 60 }, (_, n) => n)))
    expect(plot[0]?.trimEnd().length).toBeGreaterThan(20)
    expect(plot[0]?.search(/\S/)).toBeGreaterThan(15)
    expect(plot[4]?.search(/\S/)).toBe(0)
  })

  it('has no line across a gap in the data', () => {
    const values = Array.from({ length: 60 }, (_, n) => (n > 20 && n < 40 ? undefined : 5))
    const row = plotOf(chart(values)).find((line) => line.trim() !== '')
    expect(row).toMatch(/^\S+ {5,}\S+$/)
  })

  it('of a constant value is a flat line, also of zero', () => {
    for (const value of [0, 5, -61.5]) {
      const drawn = plotOf(chart([value, value, value])).filter((line) => line.trim() !== '')
      expect(drawn).toHaveLength(1)
    }
  })

  it('without points shows a message', () => {
    expect(chart([undefined, undefined])[0]).toContain('no values in this period')
  })

  it('is not wider than its width', () => {
    for (const width of [30, 80, 200])
      for (const line of chart([1000, -2_000_000, 3], { width }))
        expect(line.length).toBeLessThanOrEqual(width)
  })

  it('removes escape sequences from a title', () => {
    const title = 'a\u001B[31mb\u0007'
    const [line = ''] = chartLines({ title, points: [], fromMs: 0, toMs: 1, width: 30, height: 3 })
    for (const escape of ['\u0007', '\u001B[31m']) expect(line).not.toContain(escape)
    expect(line).toContain('ab')
  })
})

describe('A sparkline', () => {
  it('maps the lowest value to the lowest block and the highest to the highest', () => {
    expect(sparkline([0, 1, 2, 3, 4, 5, 6, 7])).toBe('▁▂▃▄▅▆▇█')
    expect(sparkline([5, 5])).toBe('▁▁')
    expect(sparkline([])).toBe('')
  })
})

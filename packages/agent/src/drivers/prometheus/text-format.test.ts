import { describe, expect, it } from 'vitest'
import { parseMetrics } from './text-format.ts'

const parse = (text: string, ...names: string[]) => parseMetrics(text, new Set(names))

describe('the text format of Prometheus', () => {
  it('has samples with and without labels, times and comments', () => {
    const text = `# HELP clients Clients.
# TYPE clients gauge
clients 7
bytes_total{device="wlan0",direction="rx"} 1.5e+09 1700000000000
bytes_total {device = "wlan1" , direction = "rx",} 12
other 1`
    expect(parse(text, 'clients', 'bytes_total')).toEqual([
      { name: 'clients', labels: {}, value: 7 },
      { name: 'bytes_total', labels: { device: 'wlan0', direction: 'rx' }, value: 1.5e9 },
      { name: 'bytes_total', labels: { device: 'wlan1', direction: 'rx' }, value: 12 },
    ])
  })

  it('has label values with escaped characters, braces and commas', () => {
    const text = String.raw`x{a="q\"u\\o\nte",b="}, c=\"d\"",c="é"} 1`
    expect(parse(text, 'x')[0]?.labels).toEqual({ a: 'q"u\\o\nte', b: '}, c="d"', c: 'é' })
  })

  it('leaves out values that are no finite numbers, and names that are not wanted', () => {
    expect(parse('x NaN\nx +Inf\nx -Inf\nx 3\ny{broken', 'x')).toEqual([{ name: 'x', labels: {}, value: 3 }])
  })

  it('does not confuse a label with the prototype of an object', () => {
    const [sample] = parse('x{__proto__="a"} 1', 'x')
    expect(Object.entries(sample?.labels ?? {})).toEqual([['__proto__', 'a']])
  })

  it.each(['<html>', 'x{a="b} 1', 'x{a=b} 1', 'x{a="b" c="d"} 1', 'x', 'x one', '{"clients": 7}'])(
    'is not %s',
    (text) => {
      expect(() => parse(text, 'x')).toThrow('not in the text format of Prometheus')
    },
  )

  it('is not an empty text', () => {
    expect(() => parse('# nothing\n', 'x')).toThrow('Check the URL')
  })

  it('is parsed in a time that grows with its length only', () => {
    const started = performance.now()
    const line = `x{a="${'\\\\'.repeat(100_000)}"} 1\n`
    expect(parse(line.repeat(20), 'x')).toHaveLength(20)
    expect(performance.now() - started).toBeLessThan(20_000)
  })
})

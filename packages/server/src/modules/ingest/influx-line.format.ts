import { measurementOf } from '@manc/contract'

/** The names of a line's fields, escaped, each with its separators: only the values are missing. */
export const fieldsOf = (names: readonly string[]): string[] =>
  names.map((name, n) => `${n === 0 ? '' : ','}${name.replaceAll(/[\\ ,=]/g, String.raw`\$&`)}=`)

/**
 * A sample as an Influx line. Each of its series has the name of the metric and the label `ap_id`, so that all metrics of
 * an agent and one metric of all agents are both one indexed query. This must not change: another label would split the
 * history. The pattern of `ap_id` allows no character that needs escaping.
 */
export function lineOf(apId: string, fields: readonly string[], values: number[], tsMs: number): string {
  let line = `${measurementOf(apId)},ap_id=${apId} `
  for (let n = 0; n < fields.length; n++) line += `${fields[n]}${values[n]}`
  return `${line} ${tsMs}\n`
}

const newline = 0x0a
const space = 0x20
const digitZero = 0x30

/** The minutes since 1970 in which the samples of these lines lie. */
export function minutesOf(lines: Uint8Array): number[] {
  const minutes = new Set<number>()
  for (let end = lines.indexOf(newline); end >= 0; end = lines.indexOf(newline, end + 1)) {
    let tsMs = 0
    for (let at = lines.lastIndexOf(space, end) + 1; at < end; at++)
      tsMs = tsMs * 10 + (lines[at] ?? 0) - digitZero
    minutes.add(Math.floor(tsMs / 60_000))
  }
  return [...minutes]
}

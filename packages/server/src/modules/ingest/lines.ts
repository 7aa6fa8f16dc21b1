import { measurementOf } from '@manc/contract'

/** How each of these metrics begins in a line. */
export const fieldsOf = (names: readonly string[]): string[] =>
  names.map((name, n) => `${n === 0 ? '' : ','}${name.replaceAll(/[\\ ,=]/g, String.raw`\$&`)}=`)

/**
 * A sample as an Influx line. The series that come of it are named after the metric and carry the label `ap_id`: all metrics
 * of one agent and one metric of all agents are both one indexed query. This never changes: another label would split
 * history. An `ap_id` has no character that would need escaping: its pattern sees to that.
 */
export function lineOf(apId: string, fields: readonly string[], values: number[], tsMs: number): string {
  let line = `${measurementOf(apId)},ap_id=${apId} `
  for (let n = 0; n < fields.length; n++) line += `${fields[n]}${values[n]}`
  return `${line} ${tsMs}\n`
}

import type { Sample } from './samples.ts'

/** What every reply calls the key of an agent's series, and the line protocol the measurement. */
export const measurementOf = (apId: string): string => `agent/${apId}/data`

/**
 * Samples as Influx lines. The series that come of them are named after the metric and carry the label `ap_id`:
 * all metrics of one agent and one metric of all agents are both one indexed query. This never changes: another
 * label would split history.
 */
export class LineWriter {
  readonly #escaped = new Map<string, string>()

  /** An `ap_id` has no character that would need escaping: its pattern sees to that. */
  line(apId: string, { names, values, tsMs }: Sample): string {
    let fields = ''
    for (let n = 0; n < names.length; n++)
      fields += `${n === 0 ? '' : ','}${this.#escape(names[n] ?? '')}=${values[n]}`
    return `${measurementOf(apId)},ap_id=${apId} ${fields} ${tsMs}\n`
  }

  #escape(name: string): string {
    const known = this.#escaped.get(name)
    if (known !== undefined) return known
    const escaped = name.replaceAll(/[\\ ,=]/g, String.raw`\$&`)
    // Names repeat from sample to sample; somebody who makes up new ones all the time must not fill the memory.
    if (this.#escaped.size > 10_000) this.#escaped.clear()
    this.#escaped.set(name, escaped)
    return escaped
  }
}

import type { ExpectedEffect, MeasuredEffect } from '@manc/contract'
import { selector, type VictoriaReads } from '../../engines/victoria.reads.ts'

/** Of a value from before the commands: agents that send once a minute have one. */
const beforeMs = 120_000

/** Reads KPIs of access points at two times. */
export class MeasurementStore {
  readonly #victoria: VictoriaReads

  constructor(victoria: VictoriaReads) {
    this.#victoria = victoria
  }

  /** The last values up to the start, and the last ones after it up to the end: the same whenever it is read. */
  async read(
    expected: readonly Pick<ExpectedEffect, 'ap_id' | 'kpi'>[],
    { startMs, endMs }: { startMs: number; endMs: number },
  ): Promise<MeasuredEffect[]> {
    const series = selector({
      __name__: [...new Set(expected.map(({ kpi }) => kpi))],
      ap_id: [...new Set(expected.map(({ ap_id: apId }) => apId))],
    })
    const [before, after] = await Promise.all([
      this.#last(series, startMs, beforeMs),
      this.#last(series, endMs, Math.max(1, endMs - startMs)),
    ])
    const pairs = new Map(expected.map((each) => [keyOf(each.ap_id, each.kpi), each]))
    return Array.from(pairs, ([key, { ap_id: apId, kpi }]) => ({
      ap_id: apId,
      kpi,
      before: before.get(key) ?? null,
      after: after.get(key) ?? null,
    }))
  }

  async #last(series: string, atMs: number, windowMs: number): Promise<Map<string, number>> {
    const expression = `last_over_time(${series}[${Math.round(windowMs)}ms]) keep_metric_names`
    const found = await this.#victoria.queryAt(expression, atMs)
    return new Map(
      found.flatMap(({ metric, value }) => {
        const number = Number(value?.[1])
        const key = keyOf(metric['ap_id'] ?? '', metric['__name__'] ?? '')
        return Number.isFinite(number) ? [[key, number] as const] : []
      }),
    )
  }
}

const keyOf = (apId: string, kpi: string): string => `${kpi} ${apId}`

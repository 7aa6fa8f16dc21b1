import type { Span, VictoriaReads } from '../../engines/victoria.reads.ts'
import type { Condition, OpenAlarm, RuleRow } from './alarms.types.ts'
import { clearExpression, raiseExpression, valueExpression } from './expressions.format.ts'

/** Asks the metrics store about conditions of rules. */
export class ClearanceStore {
  readonly #reads: VictoriaReads
  readonly #lookbackS: number

  constructor(reads: VictoriaReads, lookbackS: number) {
    this.#reads = reads
    this.#lookbackS = lookbackS
  }

  /** Ids of the alarms whose agent had a good value for this long. */
  async recovered(
    rule: RuleRow,
    condition: Condition,
    alarms: readonly OpenAlarm[],
    forS: number,
  ): Promise<string[]> {
    if (alarms.length === 0) return []
    const apIds = alarms.map(({ apId }) => apId)
    const expression = clearExpression(rule, condition, { lookbackS: this.#lookbackS, forS, apIds })
    const series = await this.#reads.queryAt(expression, Date.now())
    const good = new Set(series.map(({ metric }) => metric['ap_id']))
    return alarms.flatMap(({ id, apId }) => (good.has(apId) ? id : []))
  }

  /** When the raise condition held, by agent, at most `limit` agents. Times are in milliseconds. */
  async raised(
    rule: RuleRow,
    condition: Condition,
    { span, stepMs, limit }: { span: Span; stepMs: number; limit: number },
  ): Promise<Map<string, number[]>> {
    const expression = `limitk(${limit}, ${raiseExpression(rule, condition, this.#lookbackS)})`
    const series = await this.#reads.queryRange(expression, span, stepMs)
    return new Map(
      series.map(({ metric, values = [] }) => [
        metric['ap_id'] ?? '',
        values.map(([seconds]) => seconds * 1000),
      ]),
    )
  }

  /** Fails if the store refuses the expression of a rule. */
  async check(rule: Pick<RuleRow, 'metric' | 'expr' | 'apIds'>, condition: Condition): Promise<void> {
    await this.#reads.queryAt(valueExpression(rule, condition, this.#lookbackS), Date.now())
  }
}

import { selector } from '../../engines/victoria.reads.ts'
import type { Condition, RuleRow } from './alarms.types.ts'

/** A flapping alarm is cleared after an hour without a raise. */
export const flappingClearS = 3600
/** The store refuses queries of more than 16 KiB. With more ids than fit, all agents are queried. */
const maxIdsLength = 8000

/** Undefined for a rule without a value. */
export function conditionOf({ raiseOp, raiseThreshold, clearThreshold }: RuleRow): Condition | undefined {
  if (raiseOp === null || raiseThreshold === null) return undefined
  return { op: raiseOp, raise: raiseThreshold, clear: clearThreshold ?? raiseThreshold }
}

/** One value per agent: of several series the worst. Of a KPI it is the newest sample that is not too old. */
export function valueExpression(
  { metric, expr }: Pick<RuleRow, 'metric' | 'expr'>,
  { op }: Condition,
  lookbackS: number,
  apIds?: readonly string[],
): string {
  const isShort = apIds && apIds.join('|').length <= maxIdsLength
  const labels = { __name__: metric, ...(isShort && { ap_id: apIds }) }
  const value =
    metric === 'expression' ? `(${expr ?? ''}\n)` : `last_over_time(${selector(labels)}[${lookbackS}s])`
  return `${op === '>=' ? 'max' : 'min'} by (ap_id) (${value})`
}

export const raiseExpression = (rule: RuleRow, condition: Condition, lookbackS: number): string =>
  `${valueExpression(rule, condition, lookbackS)} ${condition.op} ${condition.raise}`

/**
 * The agents whose value was better than the threshold throughout the last `forS` seconds, with a value at each step:
 * missing data clears nothing.
 */
export function clearExpression(
  rule: RuleRow,
  condition: Condition,
  { lookbackS, forS, apIds }: { lookbackS: number; forS: number; apIds: readonly string[] },
): string {
  const value = valueExpression(rule, condition, lookbackS, apIds)
  const [worst, better] = condition.op === '>=' ? ['max_over_time', '<'] : ['min_over_time', '>']
  if (forS === 0) return `${value} ${better} ${condition.clear}`
  const stepS = Math.max(1, Math.floor(forS / 60))
  const steps = `manc_value[${forS}s:${stepS}s]`
  const isGood = `${worst}(${steps}) ${better} ${condition.clear}`
  return `WITH (manc_value = ${value}) (${isGood}) and (count_over_time(${steps}) >= ${Math.floor(forS / stepS)})`
}

import { type KpiName, kpis } from '@manc/contract/kpis'
import { selector } from '../../engines/victoria.reads.ts'
import type { Condition, RuleRow } from './alarms.types.ts'

/** A flapping alarm is cleared after an hour without a raise. */
export const flappingClearS = 3600
/** The store refuses queries of more than 16 KiB. With more ids than fit, all agents of the rule are queried. */
const maxIdsLength = 8000

/** Undefined for a rule without a value. */
export function conditionOf({ raiseOp, raiseThreshold, clearThreshold }: RuleRow): Condition | undefined {
  if (raiseOp === null || raiseThreshold === null) return undefined
  return { op: raiseOp, raise: raiseThreshold, clear: clearThreshold ?? raiseThreshold }
}

/**
 * One value per agent: of several series the worst. Of a KPI it is the newest sample that is not too old. Only agents that
 * match the patterns of the rule, or that have these ids.
 */
export function valueExpression(
  { metric, expr, apIds: patterns }: Pick<RuleRow, 'metric' | 'expr' | 'apIds'>,
  { op }: Condition,
  lookbackS: number,
  ids?: readonly string[],
): string {
  const worst = op === '>=' ? 'max' : 'min'
  const scope = JSON.stringify(patterns.map((pattern) => pattern.replaceAll('*', '.*')).join('|'))
  if (metric === 'expression' || metric === 'presence') {
    const value = `(${expr ?? ''}\n)`
    return `${worst} by (ap_id) (${patterns.length > 0 ? `label_match(${value}, "ap_id", ${scope})` : value})`
  }
  const isOfClients = kpis[metric].isOfClients === true
  const isShort = ids && ids.join('|').length <= maxIdsLength / (isOfClients ? 2 : 1)
  const agents = isShort ? selector({ ap_id: ids }) : patterns.length > 0 ? `{ap_id=~${scope}}` : ''
  const newest = (name: KpiName) => `last_over_time(${name}${agents}[${lookbackS}s])`
  // A mean over no clients is no value.
  const unless = isOfClients ? ` unless on (ap_id) (${newest('clients')} == 0)` : ''
  return `${worst} by (ap_id) (${newest(metric)}${unless})`
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

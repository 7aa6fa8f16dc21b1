import type { Condition, RuleRow } from './alarms.types.ts'
import { valueExpression } from './expressions.format.ts'

export interface EvaluatedRule {
  rule: RuleRow
  condition: Condition
}

/** At least one. */
export type SharedRules = [EvaluatedRule, ...EvaluatedRule[]]

/** vmalert sends the alerts of all of them in one request. */
const maxShared = 5
/** A change of one rule starts the durations of the others again: those of long durations stay alone. */
const maxSharedForS = 300

/**
 * Rules of the same KPI, duration, direction and id patterns differ in their threshold only: vmalert evaluates their value
 * once. The order of the rules is kept.
 */
export function sharedRules(rules: readonly EvaluatedRule[]): SharedRules[] {
  const groups: SharedRules[] = []
  const open = new Map<string, SharedRules>()
  for (const each of rules) {
    const { metric, raiseForS, apIds } = each.rule
    const isAlone = metric === 'expression' || raiseForS > maxSharedForS
    const key = JSON.stringify([metric, raiseForS, each.condition.op, apIds])
    const group = isAlone ? undefined : open.get(key)
    if (group && group.length < maxShared) group.push(each)
    else {
      const started: SharedRules = [each]
      groups.push(started)
      if (!isAlone) open.set(key, started)
    }
  }
  return groups
}

/**
 * A series for each agent and rule whose condition holds, with the labels of the rule. Of one value all quantiles are the same:
 * `quantiles` copies it for each rule, so that the values of all agents are read once. Agents that are better than all
 * thresholds are left out before.
 */
export function sharedExpression(rules: SharedRules, lookbackS: number): string {
  const [{ rule, condition }] = rules
  const { op } = condition
  const thresholds = rules.map(({ condition: { raise } }) => raise)
  const mildest = op === '>=' ? Math.min(...thresholds) : Math.max(...thresholds)
  // Exact in binary, so that the store writes the same digits.
  const marks = rules.map((_, index) => String(index / 8))
  const value = `${valueExpression(rule, condition, lookbackS)} ${op} ${mildest}`
  const limits = rules.map(
    ({ rule: { id, revision }, condition: { raise } }, index) =>
      `label_set(${raise}, "copy", "${marks[index]}", "rule_id", ${JSON.stringify(id)}, "revision", "${revision}")`,
  )
  return `label_del(quantiles by (ap_id) ("copy", ${marks.join(', ')}, ${value})
 ${op} on (copy) group_left (rule_id, revision) (${limits.join(',\n ')}), "copy")`
}

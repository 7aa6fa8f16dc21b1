import { alarmSeverities } from '@manc/contract'
import type { RuleRow } from './alarms.types.ts'
import { conditionOf, raiseExpression } from './expressions.format.ts'
import { type SharedRules, sharedExpression, sharedRules } from './shared-rules.format.ts'

/**
 * The rules as vmalert reads them. JSON is YAML, and its strings cannot be broken out of. Only the raise side is evaluated
 * there: an alert for every agent whose value is good would be sent again and again.
 */
export function rulesFile(
  rules: readonly RuleRow[],
  { intervalS, lookbackS }: { intervalS: number; lookbackS: number },
): string {
  // The worst first: an alarm that it inhibits is then usually not raised at all.
  const evaluated = rules
    .toSorted((a, b) => rankOf(b) - rankOf(a))
    .flatMap((rule) => {
      const condition = conditionOf(rule)
      return condition && rule.isEnabled ? { rule, condition } : []
    })
  const alerts = sharedRules(evaluated).map((group) => alertOf(group, lookbackS))
  // Some versions of vmalert refuse a group without a rule. This one never fires.
  const none = { alert: 'none', expr: 'vector(0) > 1' }
  const interval = `${intervalS}s`
  const groups = [
    { name: 'manc', interval, concurrency: 4, rules: alerts.length > 0 ? alerts : [none] },
    // Always fires: while it arrives, rules are evaluated in the metrics store. It raises no alarm.
    { name: 'heartbeat', interval, rules: [{ alert: 'heartbeat', expr: 'vector(1)' }] },
  ]
  return `${JSON.stringify({ groups }, null, 1)}\n`
}

/** Alerts have the labels `rule_id`, `revision` and `ap_id`, of whichever form the rule is. */
function alertOf(shared: SharedRules, lookbackS: number): object {
  const [{ rule, condition }] = shared
  const common = { for: `${rule.raiseForS}s`, annotations: { value: '{{ $value }}' } }
  if (shared.length > 1)
    return { alert: `${rule.id} and others`, expr: sharedExpression(shared, lookbackS), ...common }
  return {
    alert: rule.id,
    expr: raiseExpression(rule, condition, lookbackS),
    labels: { rule_id: rule.id, revision: String(rule.revision) },
    ...common,
  }
}

const rankOf = ({ severity }: RuleRow): number => alarmSeverities.indexOf(severity)

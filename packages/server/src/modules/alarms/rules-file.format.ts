import type { RuleRow } from './alarms.types.ts'
import { conditionOf, raiseExpression } from './expressions.format.ts'

/**
 * The rules as vmalert reads them. JSON is YAML, and its strings cannot be broken out of. Only the raise side is evaluated
 * there: an alert for every agent that is well would be sent again and again.
 */
export function rulesFile(
  rules: readonly RuleRow[],
  { intervalS, lookbackS }: { intervalS: number; lookbackS: number },
): string {
  const alerts = rules.flatMap((rule) => {
    const condition = conditionOf(rule)
    if (!condition || !rule.isEnabled) return []
    return {
      alert: rule.id,
      expr: raiseExpression(rule, condition, lookbackS),
      for: `${rule.raiseForS}s`,
      labels: { rule_id: rule.id, revision: String(rule.revision) },
      annotations: { value: '{{ $value }}' },
    }
  })
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

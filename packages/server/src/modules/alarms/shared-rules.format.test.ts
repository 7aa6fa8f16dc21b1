import { expect, it } from 'vitest'
import type { RuleRow } from './alarms.types.ts'
import { type EvaluatedRule, sharedExpression, sharedRules } from './shared-rules.format.ts'

const ruleOf = (id: string, more: Partial<RuleRow> = {}): RuleRow => ({
  id,
  name: id,
  severity: 'warning',
  metric: 'load_pct',
  expr: null,
  raiseOp: '>=',
  raiseThreshold: 1,
  raiseForS: 60,
  clearThreshold: 1,
  clearForS: 60,
  technologies: [],
  apIds: [],
  isEnabled: true,
  isBuiltin: false,
  revision: 3,
  updatedAt: new Date(0),
  updatedBy: null,
  ...more,
})

const evaluated = (rule: RuleRow, raise = 1): EvaluatedRule => ({
  rule,
  condition: { op: rule.raiseOp ?? '>=', raise, clear: raise },
})

const idsOf = (rules: readonly RuleRow[]) =>
  sharedRules(rules.map((rule) => evaluated(rule))).map((group) => group.map(({ rule }) => rule.id))

it('rules share an expression if they differ in threshold, severity, clear side and technology only', () => {
  expect(
    idsOf([
      ruleOf('a'),
      ruleOf('b', { severity: 'critical', clearForS: 0, technologies: ['LiFi'], revision: 9 }),
      ruleOf('other metric', { metric: 'latency_ms' }),
      ruleOf('other direction', { raiseOp: '<=' }),
      ruleOf('other duration', { raiseForS: 61 }),
      ruleOf('other scope', { apIds: ['x*'] }),
      ruleOf('c'),
    ]),
  ).toEqual([['a', 'b', 'c'], ['other metric'], ['other direction'], ['other duration'], ['other scope']])
})

it('rules of expressions and of long durations stay alone, and at most five share one', () => {
  const expression = { metric: 'expression', expr: 'clients' } as const
  expect(idsOf([ruleOf('a', expression), ruleOf('b', expression)])).toEqual([['a'], ['b']])
  expect(idsOf([ruleOf('a', { raiseForS: 301 }), ruleOf('b', { raiseForS: 301 })])).toEqual([['a'], ['b']])
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
  expect(idsOf(names.map((name) => ruleOf(name)))).toEqual([
    ['a', 'b', 'c', 'd', 'e'],
    ['f', 'g'],
  ])
})

it('the values are read once, and those better than all thresholds are left out', () => {
  const expr = sharedExpression([evaluated(ruleOf('a'), 95), evaluated(ruleOf('b'), 80)], 120)
  expect(expr.match(/last_over_time/g)).toHaveLength(1)
  expect(expr).toContain('(last_over_time(load_pct[120s])) >= 80)')
  expect(expr).toContain('label_set(95, "copy", "0", "rule_id", "a", "revision", "3")')
  expect(expr).toContain('label_set(80, "copy", "0.125", "rule_id", "b", "revision", "3")')
  const low = { raiseOp: '<=' } as const
  const other = sharedExpression([evaluated(ruleOf('a', low), 1), evaluated(ruleOf('b', low), 2)], 120)
  expect(other).toContain('min by (ap_id) (last_over_time(load_pct[120s])) <= 2)')
})

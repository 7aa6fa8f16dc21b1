import type { AlarmRuleCreate, ValidationItem } from '@manc/contract'
import type { NewRule } from './alarms.types.ts'

/** Validation has applied the defaults of the contract. */
export function ruleOf(given: AlarmRuleCreate, { id, by }: { id: string; by: string }): NewRule {
  return {
    id,
    name: given.name,
    severity: given.severity,
    metric: given.metric,
    expr: given.expr ?? null,
    raiseOp: given.raise_op ?? null,
    raiseThreshold: given.raise_threshold ?? null,
    raiseForS: given.raise_for_s ?? 0,
    clearThreshold: given.clear_threshold ?? given.raise_threshold ?? null,
    clearForS: given.clear_for_s ?? 0,
    technologies: given.technologies ?? [],
    apIds: given.ap_ids ?? [],
    isEnabled: given.is_enabled ?? true,
    isBuiltin: false,
    updatedBy: by,
  }
}

/** What is wrong with members that depend on each other. */
export function wrongMembers(rule: NewRule): ValidationItem[] {
  const { metric, expr, raiseOp, raiseThreshold: raise, clearThreshold: clear } = rule
  const problems: ValidationItem[] = []
  const wrong = (member: string, msg: string) =>
    problems.push({ loc: ['body', member], msg: `Value error, ${msg}`, type: 'value_error' })
  if (metric === 'expression' && expr === null) wrong('expr', 'a rule of an expression needs one')
  if (metric !== 'expression' && expr !== null) wrong('expr', 'only a rule of an expression has one')
  // vmalert replaces these by variables of its environment.
  if (expr?.includes('%{')) wrong('expr', 'it should not contain %{')
  if (metric === 'presence') {
    if (raiseOp !== null) wrong('raise_op', 'a rule of presence has none')
    if (raise !== null) wrong('raise_threshold', 'a rule of presence has none')
    if (clear !== null) wrong('clear_threshold', 'a rule of presence has none')
    return problems
  }
  if (raiseOp === null) wrong('raise_op', 'the rule needs one')
  if (raise === null) wrong('raise_threshold', 'the rule needs one')
  if (raise !== null && clear !== null && (raiseOp === '<=' ? clear < raise : clear > raise))
    wrong('clear_threshold', 'it should not be worse than raise_threshold')
  return problems
}

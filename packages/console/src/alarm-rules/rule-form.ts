import { isKpi, kpis } from '@manc/contract/kpis'
import type { AlarmRule, AlarmRuleCreate, Technology } from '@manc/sdk'

/** Members of a rule as the fields of the form have them; an empty number is a text. */
export interface RuleForm {
  name: string
  severity: AlarmRule['severity']
  metric: AlarmRule['metric']
  expr: string
  raise_op: '>=' | '<='
  raise_threshold: number | string
  raise_for_s: number | string
  clear_threshold: number | string
  clear_for_s: number | string
  technologies: Technology[]
  ap_ids: string[]
  is_enabled: boolean
}

export type RuleErrors = Partial<Record<keyof RuleForm, string>>

const newForm: RuleForm = {
  name: '',
  severity: 'warning',
  metric: 'load_pct',
  expr: '',
  raise_op: '>=',
  raise_threshold: '',
  raise_for_s: 60,
  clear_threshold: '',
  clear_for_s: 60,
  technologies: [],
  ap_ids: [],
  is_enabled: true,
}

/** A new rule, or the values of one. */
export function formOf(rule?: AlarmRule): RuleForm {
  if (!rule) return newForm
  return {
    ...newForm,
    name: rule.name,
    severity: rule.severity,
    metric: rule.metric,
    expr: rule.expr ?? '',
    raise_op: rule.raise_op ?? '>=',
    raise_threshold: rule.raise_threshold ?? '',
    raise_for_s: rule.raise_for_s,
    clear_threshold: rule.clear_threshold ?? '',
    clear_for_s: rule.clear_for_s,
    technologies: rule.technologies,
    ap_ids: rule.ap_ids,
    is_enabled: rule.is_enabled,
  }
}

/** Values that do not fit the new metric are dropped. */
export function withMetric(form: RuleForm, metric: RuleForm['metric']): RuleForm {
  const isMoreBetter = isKpi(metric) && kpis[metric].better === 'more'
  const { bad } = (isKpi(metric) && kpis[metric].thresholds) || {}
  return {
    ...form,
    metric,
    raise_op: isMoreBetter ? '<=' : '>=',
    raise_threshold: bad ?? '',
    clear_threshold: '',
  }
}

/** As the controller expects it, without the fields that the metric does not have. */
export function bodyOf(form: RuleForm): AlarmRuleCreate {
  const { name, severity, metric, technologies, is_enabled } = form
  const numberOf = (value: number | string) => (typeof value === 'number' ? value : null)
  return {
    name: name.trim(),
    severity,
    metric,
    ...(metric === 'expression' && { expr: form.expr.trim() }),
    ...(metric !== 'presence' && {
      raise_op: form.raise_op,
      raise_threshold: numberOf(form.raise_threshold),
      clear_threshold: numberOf(form.clear_threshold),
    }),
    raise_for_s: numberOf(form.raise_for_s) ?? 0,
    clear_for_s: numberOf(form.clear_for_s) ?? 0,
    technologies,
    ap_ids: form.ap_ids.map((pattern) => pattern.trim()).filter((pattern) => pattern !== ''),
    is_enabled,
  }
}

/** What can be said without the controller. */
export function problemsOf(form: RuleForm): RuleErrors {
  return {
    ...(form.name.trim() === '' && { name: 'Enter a name.' }),
    ...(form.metric === 'expression' && form.expr.trim() === '' && { expr: 'Enter an expression.' }),
    ...(form.metric !== 'presence' &&
      typeof form.raise_threshold !== 'number' && { raise_threshold: 'Enter a number.' }),
  }
}

/** Members of the body and their fields. */
export const ruleFields = Object.fromEntries(
  (Object.keys(newForm) as (keyof RuleForm)[]).map((name) => [name, name]),
) as Record<string, keyof RuleForm>

import { type AlarmAdvice, adviceOf } from '../../packages/contract/src/alarm-advice.ts'
import { type BuiltinRule, builtinRules } from '../../packages/contract/src/alarm-rules.ts'
import { isKpi, kpis } from '../../packages/contract/src/kpis.ts'

/** docs/operations/alarm-rules.md: the built-in rules of alarms and what to do about their alarms. */
export function alarmRulesPage(): string {
  const byAdvice = Map.groupBy(builtinRules, ({ id, metric }) => adviceOf(id, metric))
  return [
    '# Built-in rules of alarms',
    '',
    'Each condition holds for a minute before its [alarm](alarms.md) is raised, and for a minute before it is cleared. This page is',
    'generated from `alarm-rules.ts`, `kpis.ts` and `alarm-advice.ts` in `packages/contract/src` by `npm run docs`; the console shows the',
    'same advice on the page of an alarm.',
    ...[...byAdvice].flatMap(([advice, rules]) => sectionOf(advice, rules)),
    '',
  ].join('\n')
}

function sectionOf(advice: AlarmAdvice | undefined, rules: readonly BuiltinRule[]): string[] {
  if (!advice) throw new Error(`The built-in rule ${rules[0]?.id} has no advice: add it to alarm-advice.ts.`)
  return [
    '',
    `## ${rules.map(({ id }) => `\`${id}\``).join(', ')}`,
    '',
    ...thresholdsOf(rules),
    advice.meaning,
    '',
    ...advice.steps.map((step) => `- ${step}`),
  ]
}

function thresholdsOf(rules: readonly BuiltinRule[]): string[] {
  const [first] = rules
  if (first?.expr !== undefined) return [`From \`${first.expr} ${first.op} ${first.threshold}\`.`]
  if (!first || first.op === null || !isKpi(first.metric)) return []
  const { unit } = kpis[first.metric]
  const values = (of: (rule: BuiltinRule) => number | null) =>
    rules.map((rule) => `${of(rule)}${unit && ` ${unit}`}`).join(' and ')
  const isUpper = first.op === '>='
  return [
    `${isUpper ? 'From' : 'Down to'} ${values(({ threshold }) => threshold)}, cleared ${isUpper ? 'below' : 'above'} ${values(({ clearThreshold }) => clearThreshold)}.`,
  ]
}

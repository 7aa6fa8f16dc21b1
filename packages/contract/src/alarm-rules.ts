import Type, { type Static } from 'typebox'
import { agentScope } from './agent-scope.ts'
import { type EventSeverity, eventSeverities } from './events.ts'
import { type KpiName, kpiNames, kpis } from './kpis.ts'
import { operation } from './operation.ts'
import { Done, Nullable, oneOf, storable } from './schema.ts'
import { technologies } from './technologies.ts'

export const alarmSeverities = eventSeverities
export type AlarmSeverity = EventSeverity

/** What a rule compares: a KPI, the value of its own expression, or whether the agent is offline. */
export const alarmMetrics = [...kpiNames, 'expression', 'presence'] as const
export type AlarmMetric = (typeof alarmMetrics)[number]

export const alarmOperators = ['>=', '<='] as const
export type AlarmOperator = (typeof alarmOperators)[number]

/** A day: longer conditions are no alarms. */
const maxForS = 86_400
const Duration = (byDefault: number, description: string) =>
  Type.Optional(Type.Integer({ default: byDefault, minimum: 0, maximum: maxForS, description }))

const ruleFields = {
  name: Type.String({ minLength: 1, maxLength: 100, pattern: storable }),
  severity: oneOf(alarmSeverities),
  metric: oneOf(
    alarmMetrics,
    'A KPI, `expression` for the value of `expr`, or `presence` for agents that are offline.',
  ),
  expr: Type.Optional(
    Nullable(
      Type.String({
        minLength: 1,
        maxLength: 1000,
        pattern: storable,
        description:
          'MetricsQL expression of the value, for `metric: expression` only. Its series have the label `ap_id`; of several series of one agent the worst counts.',
      }),
    ),
  ),
  raise_op: Type.Optional(
    Nullable(oneOf(alarmOperators, 'How the value is compared with `raise_threshold`. None for `presence`.')),
  ),
  raise_threshold: Type.Optional(Nullable(Type.Number({ description: 'None for `presence`.' }))),
  raise_for_s: Duration(60, 'Seconds for which the condition holds before the alarm is raised.'),
  clear_threshold: Type.Optional(
    Nullable(
      Type.Number({
        description:
          'The alarm is cleared when the value is better than this. The default is `raise_threshold`; none for `presence`.',
      }),
    ),
  ),
  clear_for_s: Duration(60, 'Seconds for which the value is better before the alarm is cleared.'),
  ...agentScope,
  is_enabled: Type.Optional(Type.Boolean({ default: true })),
}

export const AlarmRuleCreate = Type.Object(ruleFields, { title: 'AlarmRuleCreate' })
export type AlarmRuleCreate = Static<typeof AlarmRuleCreate>

export const AlarmRule = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    severity: oneOf(alarmSeverities),
    metric: oneOf(alarmMetrics),
    expr: Nullable(Type.String()),
    raise_op: Nullable(oneOf(alarmOperators)),
    raise_threshold: Nullable(Type.Number()),
    raise_for_s: Type.Integer(),
    clear_threshold: Nullable(Type.Number()),
    clear_for_s: Type.Integer(),
    technologies: Type.Array(oneOf(technologies)),
    ap_ids: Type.Array(Type.String()),
    is_enabled: Type.Boolean(),
    is_builtin: Type.Boolean({
      description:
        'Of a built-in rule only `is_enabled` can be changed. Create a rule from it to change more.',
    }),
    updated_at: Type.String({ format: 'date-time' }),
    updated_by: Nullable(Type.String()),
  },
  { title: 'AlarmRule' },
)
export type AlarmRule = Static<typeof AlarmRule>

export interface BuiltinRule {
  id: string
  name: string
  severity: AlarmSeverity
  metric: AlarmMetric
  /** Of a rule with the metric `expression`. */
  expr?: string
  /** Of all technologies if missing. */
  technology?: string
  op: AlarmOperator | null
  threshold: number | null
  clearThreshold: number | null
}

/** A value near the threshold does not raise and clear an alarm again and again. */
const hysteresis = 0.1

function ofKpi(metric: KpiName): BuiltinRule[] {
  const { label, better, thresholds } = kpis[metric]
  if (!thresholds) return []
  const op = better === 'more' ? '<=' : '>='
  const rule = (level: 'degraded' | 'bad', severity: AlarmSeverity): BuiltinRule => ({
    id: `${metric}.${level}`,
    name: `${label} is ${level}`,
    severity,
    metric,
    op,
    threshold: thresholds[level],
    clearThreshold: Number(
      (thresholds[level] * (1 + (op === '<=' ? hysteresis : -hysteresis))).toPrecision(6),
    ),
  })
  return [rule('degraded', 'warning'), rule('bad', 'critical')]
}

/**
 * Two rules for each KPI with thresholds, one for blocked beams, and one for agents that are offline. Their
 * advice is in alarm-advice.ts.
 */
export const builtinRules: readonly BuiltinRule[] = [
  ...kpiNames.flatMap(ofKpi),
  {
    // All clients leave a lamp whose beam is blocked, and without clients no KPI of it is bad.
    id: 'lifi.blocked',
    name: 'LiFi beam is blocked',
    severity: 'warning',
    metric: 'expression',
    expr: 'last_over_time(blockage[2m])',
    technology: 'LiFi',
    op: '>=',
    threshold: 1,
    clearThreshold: 1,
  },
  {
    id: 'presence.offline',
    name: 'Access point is offline',
    severity: 'critical',
    metric: 'presence',
    op: null,
    threshold: null,
    clearThreshold: null,
  },
]

export const AlarmPreview = Type.Object(
  {
    from: Type.String({ format: 'date-time' }),
    to: Type.String({ format: 'date-time' }),
    alarms: Type.Integer({ description: 'How often the raise condition would have held for its duration.' }),
    agents: Type.Array(
      Type.Object({
        ap_id: Type.String(),
        alarms: Type.Integer(),
        minutes: Type.Integer({ description: 'For how long the condition held in these times.' }),
      }),
      { description: 'Agents with at least one alarm, those with most first. At most 100.' },
    ),
    is_complete: Type.Boolean({
      description: 'False if too many agents that match `ap_ids` fulfil the condition: some are not counted.',
    }),
  },
  { title: 'AlarmPreview' },
)
export type AlarmPreview = Static<typeof AlarmPreview>

const RulePath = Type.Object({ id: Type.String({ maxLength: 64 }) })

export const alarmRuleOperations = {
  listAlarmRules: operation({
    id: 'listAlarmRules',
    method: 'GET',
    path: '/api/v1/alarm_rules',
    tag: 'Alarms',
    summary: 'List the rules of alarms',
    auth: 'bearer',
    response: Type.Array(AlarmRule),
    refusals: [401, 403, 429, 503],
    sdk: 'alarms.rules',
  }),
  createAlarmRule: operation({
    id: 'createAlarmRule',
    method: 'POST',
    path: '/api/v1/alarm_rules',
    tag: 'Alarms',
    summary: 'Create a rule',
    description: 'An expression is checked by the metrics store before the rule is stored.',
    auth: 'bearer',
    body: AlarmRuleCreate,
    response: AlarmRule,
    refusals: [401, 403, 409, 429, 503],
    sdk: 'alarms.createRule',
  }),
  previewAlarmRule: operation({
    id: 'previewAlarmRule',
    method: 'POST',
    path: '/api/v1/alarm_rules/preview',
    tag: 'Alarms',
    summary: 'Count the alarms that a rule would have raised in the last 24 hours',
    description:
      'Nothing is stored. The values of each minute are compared; the clear condition and whether agents were offline are left out. Not for `presence`.',
    auth: 'bearer',
    body: AlarmRuleCreate,
    response: AlarmPreview,
    refusals: [401, 403, 429, 503],
    sdk: 'alarms.previewRule',
  }),
  updateAlarmRule: operation({
    id: 'updateAlarmRule',
    method: 'PUT',
    path: '/api/v1/alarm_rules/{id}',
    tag: 'Alarms',
    summary: 'Replace a rule',
    description:
      'Clears its alarms if it is disabled or has another metric, and those of agents that are out of its scope. Of a built-in rule only `is_enabled` can be changed.',
    auth: 'bearer',
    params: RulePath,
    body: AlarmRuleCreate,
    response: AlarmRule,
    refusals: [401, 403, 404, 409, 429, 503],
    sdk: 'alarms.updateRule',
  }),
  deleteAlarmRule: operation({
    id: 'deleteAlarmRule',
    method: 'DELETE',
    path: '/api/v1/alarm_rules/{id}',
    tag: 'Alarms',
    summary: 'Delete a rule that is not built in, and clear its alarms',
    auth: 'bearer',
    params: RulePath,
    response: Done,
    refusals: [401, 403, 404, 409, 429, 503],
    sdk: 'alarms.removeRule',
  }),
}

import { isKpi, kpis } from '@manc/contract/kpis'
import type { Alarm, AlarmRule } from '@manc/sdk'
import { formatValue } from '../format/number.ts'
import { formatDuration } from '../format/time.ts'

/** `Load`, `Value of the expression` or `Presence` */
export const metricLabel = (metric: AlarmRule['metric']): string =>
  isKpi(metric) ? kpis[metric].label : metric === 'presence' ? 'Presence' : 'Value of the expression'

export const unitOf = (metric: AlarmRule['metric']): string => (isKpi(metric) ? kpis[metric].unit : '')

/** `98 %`, also small values of expressions. */
export function valueText(metric: AlarmRule['metric'], value: number): string {
  const unit = unitOf(metric)
  const text =
    Math.abs(value) < 0.01 && value !== 0 ? String(Number(value.toPrecision(2))) : formatValue(value)
  return `${text}${unit && ` ${unit}`}`
}

/** `Load is bad (98 %)`. That a beam is blocked has no other value. */
export const alarmTitle = ({ rule, rule_id: ruleId, metric, value }: Alarm): string =>
  value === null || ruleId === 'lifi.blocked' ? rule : `${rule} (${valueText(metric, value)})`

/** `Load ≥ 95 % for 1 min` */
export function raisedText(rule: AlarmRule): string {
  const { metric, raise_op: op, raise_threshold: threshold, raise_for_s: forS } = rule
  const duration = forS > 0 ? ` for ${formatDuration(forS * 1000)}` : ''
  if (metric === 'presence') return `Offline${duration}`
  return `${metricLabel(metric)} ${op === '<=' ? '≤' : '≥'} ${valueText(metric, threshold ?? 0)}${duration}`
}

/** `Load < 85.5 % for 1 min` */
export function clearedText(rule: AlarmRule): string {
  const { metric, raise_op: op, clear_threshold: threshold, clear_for_s: forS } = rule
  const duration = forS > 0 ? ` for ${formatDuration(forS * 1000)}` : ''
  if (metric === 'presence') return `Online${duration}`
  return `${metricLabel(metric)} ${op === '<=' ? '>' : '<'} ${valueText(metric, threshold ?? 0)}${duration}`
}

/** `5G, WiFi; lab-*` */
export function scopeText({
  technologies,
  ap_ids: apIds,
}: Pick<AlarmRule, 'technologies' | 'ap_ids'>): string {
  const parts = [technologies.join(', '), apIds.slice(0, 3).join(', ')].filter((part) => part !== '')
  const more = apIds.length > 3 ? ` and ${apIds.length - 3} more` : ''
  return parts.length === 0 ? 'All access points' : `${parts.join('; ')}${more}`
}

const clearReasons: Record<string, string> = {
  recovered: 'recovered',
  agent_removed: 'access point removed',
  rule_disabled: 'rule disabled or changed',
  rule_deleted: 'rule deleted',
}

export const clearReasonText = ({ clear_reason: reason }: Alarm): string =>
  reason === null ? '' : (clearReasons[reason] ?? reason)

/** How long it is open, or was. */
export const durationMs = ({ raised_at: from, cleared_at: to }: Alarm, nowMs: number): number =>
  (to === null ? nowMs : Date.parse(to)) - Date.parse(from)

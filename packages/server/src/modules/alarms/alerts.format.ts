import type { FiringAlert } from './alarms.types.ts'

/**
 * The alerts of a post in the format of Alertmanager that are firing now. Others are ignored: an alert that has ended says
 * nothing about the value, which may be missing. Undefined if the body has another format.
 */
export function firingAlerts(body: unknown, nowMs: number): FiringAlert[] | undefined {
  if (!Array.isArray(body)) return undefined
  const alerts = new Map<string, FiringAlert>()
  for (const each of body as unknown[]) {
    const { labels, annotations, endsAt } = recordOf(each)
    const { rule_id: ruleId, ap_id: apId, revision } = recordOf(labels)
    if (typeof ruleId !== 'string' || typeof apId !== 'string') continue
    if (typeof endsAt === 'string' && Date.parse(endsAt) <= nowMs) continue
    const value = Number.parseFloat(String(recordOf(annotations)['value']))
    alerts.set(`${ruleId} ${apId}`, {
      ruleId,
      revision: Number.parseInt(String(revision), 10) || 0,
      apId,
      value: Number.isFinite(value) ? value : null,
    })
  }
  return [...alerts.values()]
}

const recordOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

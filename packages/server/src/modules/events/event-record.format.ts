import {
  type DecisionState,
  type EmulationPhase,
  type EventKind,
  eventIdOf,
  type HealthReason,
  type MeasuredEffect,
  type NetworkEvent,
  reasonText,
} from '@manc/contract'
import { isKpi, kpis } from '@manc/contract/kpis'
import { type EventRow, positionOf } from './events.types.ts'

type Facts = Pick<EventRow, 'apId' | 'subject' | 'data'>

const outcomes: Record<string, string> = {
  succeeded: 'succeeded',
  failed: 'failed',
  timed_out: 'got no result in time',
  expired: 'expired before it could be delivered',
  superseded: 'was superseded by one of another caller',
  skipped: 'was cancelled',
}

/** One sentence for each kind. */
const sentences: Record<EventKind, (facts: Facts) => string> = {
  online: ({ apId }) => `${apId} is online.`,
  stale: ({ apId }) => `${apId} has missed two intervals.`,
  offline: ({ apId }) => `${apId} is offline.`,
  health: ({ apId, data }) =>
    `The health of ${apId} changed from ${text(data['from'])} to ${text(data['to'])}${because(data['reasons'])}.`,
  onboarded: ({ apId }) => `${apId} has sent its first message.`,
  configured: ({ apId, subject }) => `The configuration of ${apId} was changed by ${subject}.`,
  version_changed: ({ apId, data }) =>
    `The ${text(data['name']).replaceAll('_', ' ')} of ${apId} changed from ${text(data['from'])} to ${text(data['to'])}.`,
  command: ({ apId, data }) =>
    `The command ${text(data['command'])} to ${apId} ${outcomes[text(data['outcome'])] ?? text(data['outcome'])}.`,
  emulation_started: ({ subject, data }) =>
    `The emulation ${subject} started with ${agents(data['agents'])}.`,
  emulation_phase: ({ subject, data }) =>
    `In the emulation ${subject} ${phases[text(data['phase'])] ?? `the phase ${text(data['phase'])} begins`}.`,
  emulation_ended: ({ subject, data }) =>
    `The emulation ${subject} of ${agents(data['agents'])} ${ended[text(data['outcome'])] ?? 'ended'}.`,
  admin_login: ({ subject, data }) =>
    `The administrator ${subject} logged in${data['address'] === undefined ? '' : ` from ${text(data['address'])}`}.`,
  alarm_raised: ({ apId, data }) => `Alarm of ${apId}: ${text(data['rule'])}${valueIn(data)}.`,
  alarm_flapping: ({ apId, data }) =>
    `The alarm of ${apId} is flapping: ${text(data['rule'])}. It stays open until it is good for an hour.`,
  alarm_acknowledged: ({ apId, subject, data }) =>
    `The alarm of ${apId} was acknowledged by ${subject}: ${text(data['rule'])}.`,
  alarm_cleared: ({ apId, data }) => `The alarm of ${apId} is cleared: ${text(data['rule'])}.`,
  handover: ({ apId, subject, data }) =>
    `The client ${subject} was handed over from ${text(data['from'])} (${text(data['from_technology'])}) to ${apId} (${text(data['technology'])}).`,
  roamed: ({ apId, subject, data }) => `The client ${subject} roamed from ${text(data['from'])} to ${apId}.`,
  dropped: ({ apId, subject }) => `The client ${subject} lost its connection to ${apId}.`,
  decision: ({ apId, subject, data }) =>
    `${decidedText(text(data['state']), subject ?? '?', apId ?? '?')}: ${text(data['policy'])}${measuredText(data['measured'])}.`,
  suppressed: ({ apId, data }) =>
    `${apId} has more than ${text(data['limit'])} events in this hour; ${text(data['count'])} more were only counted.`,
}

/** By the state of the decision. */
const decided = {
  recorded: (owner, apId) => `${owner} has recorded a decision about ${apId}`,
  proposed: (owner, apId) => `${owner} proposes a change of ${apId}`,
  rejected: (owner, apId) => `The proposal of ${owner} for ${apId} was rejected`,
  expired: (owner, apId) => `The proposal of ${owner} for ${apId} has expired`,
  refused: (owner, apId) => `The arbiter has refused the decision of ${owner} about ${apId}`,
  executed: (owner, apId) => `The decision of ${owner} about ${apId} is executed`,
  measured: (owner, apId) => `The effect of the decision of ${owner} on ${apId} is measured`,
  reverted: (owner, apId) => `The decision of ${owner} about ${apId} is reverted`,
} satisfies Record<DecisionState, (owner: string, apId: string) => string>

/** A state of a later version has no sentence here. */
const decidedText = (state: string, owner: string, apId: string): string =>
  (decided as Partial<Record<string, (owner: string, apId: string) => string>>)[state]?.(owner, apId) ??
  `The decision of ${owner} about ${apId} is ${state}`

const maxShown = 3

function measuredText(measured: unknown): string {
  if (!Array.isArray(measured) || measured.length === 0) return ''
  const shown = (measured as Pick<MeasuredEffect, 'kpi' | 'before' | 'after'>[])
    .slice(0, maxShown)
    .map(({ kpi, before, after }) =>
      `${kpis[kpi].label} ${rounded(before)} → ${rounded(after)} ${kpis[kpi].unit}`.trimEnd(),
    )
  return ` (${shown.join(', ')})`
}

const rounded = (value: number | null): string =>
  value === null ? '?' : String(Number(value.toPrecision(4)))

const phases: Partial<Record<string, string>> = {
  rush_hour: 'the rush hour begins',
  rush_hour_over: 'the rush hour is over',
  beam_blockages: 'LiFi beams are blocked from time to time',
  backhaul_cut: 'the backhaul is cut',
  backhaul_restored: 'the backhaul works again',
  failures: 'access points begin to fail, each for a while',
  failures_over: 'all access points work again',
} satisfies Record<EmulationPhase, string>

const ended: Record<string, string> = {
  finished: 'has finished',
  stopped: 'was stopped',
  failed: 'has failed',
}

const text = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '?'
/** ` (98 %)`; the metric of a built-in rule is in its id. That a beam is blocked has no other value. */
function valueIn({ value, rule_id: ruleId }: Facts['data']): string {
  if (typeof value !== 'number' || ruleId === 'lifi.blocked') return ''
  const [metric = ''] = text(ruleId).split('.')
  const unit = isKpi(metric) ? kpis[metric].unit : ''
  return ` (${value}${unit && ` ${unit}`})`
}

/** Without durations: at the time of the event, most have just begun. */
function because(reasons: unknown): string {
  const known = Array.isArray(reasons) ? reasonText(reasons as HealthReason[], 0) : null
  return known === null ? '' : `: ${known}`
}
const agents = (count: unknown) => (count === 1 ? '1 access point' : `${text(count)} access points`)

/** As the API and the stream send it. A kind of a later version, which runs at the same time, has no sentence here. */
export function toRecord(row: EventRow): NetworkEvent {
  const sentence = (sentences as Partial<typeof sentences>)[row.kind]
  return {
    id: eventIdOf(positionOf(row)),
    at: row.at.toISOString(),
    kind: row.kind,
    severity: row.severity,
    ap_id: row.apId,
    subject: row.subject,
    text: sentence?.(row) ?? `${row.apId ?? row.subject ?? 'The network'}: ${row.kind}.`,
    data: row.data,
  }
}

import {
  type EmulationPhase,
  type EventKind,
  eventIdOf,
  type HealthReason,
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
  suppressed: ({ apId, data }) =>
    `${apId} has more than ${text(data['limit'])} events in this hour; ${text(data['count'])} more were only counted.`,
}

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

import { type EventKind, eventIdOf, eventKinds, eventPositionOf } from '@manc/contract'
import { describe, expect, it } from 'vitest'
import { toRecord } from './event-record.format.ts'
import type { NewEvent } from './events.types.ts'
import {
  adminLoginEvent,
  clientDroppedEvent,
  clientMovedEvent,
  commandEvent,
  configuredEvent,
  decisionEvent,
  emulationEndedEvent,
  emulationPhaseEvent,
  emulationStartedEvent,
  healthEvent,
  onboardedEvent,
  presenceEvent,
  suppressedEvent,
  versionChangedEvent,
} from './new-events.format.ts'

const stored = (event: NewEvent) =>
  toRecord({ at: new Date(0), transaction: '7', seq: '8', emulatedBy: null, ...event })
const command = { apId: 'ap-1', jobNumber: 'j', command: 'set_key secret', state: 'failed' as const }

/** As the module of alarms appends them. */
const ofAlarm = (kind: EventKind, { data, ...more }: Partial<NewEvent> = {}): NewEvent => ({
  kind,
  severity: 'info',
  apId: 'ap-1',
  subject: null,
  data: { rule: 'Load is bad', ...data },
  ...more,
})

const cases: [NewEvent, string, string][] = [
  [presenceEvent('ap-1', 'online'), 'info', 'ap-1 is online.'],
  [presenceEvent('ap-1', 'stale'), 'warning', 'ap-1 has missed two intervals.'],
  [presenceEvent('ap-1', 'offline'), 'critical', 'ap-1 is offline.'],
  [
    healthEvent('ap-1', {
      from: 'good',
      to: 'bad',
      reasons: [{ kpi: 'load_pct', level: 'bad', value: 98, since: '2026-03-01T12:00:00Z' }],
    }),
    'critical',
    'The health of ap-1 changed from good to bad: load 98 %.',
  ],
  [onboardedEvent('ap-1'), 'info', 'ap-1 has sent its first message.'],
  [configuredEvent('ap-1', 'ann'), 'info', 'The configuration of ap-1 was changed by ann.'],
  [
    versionChangedEvent('ap-1', { name: 'firmware_version', from: '1.0', to: '1.1' }),
    'info',
    'The firmware version of ap-1 changed from 1.0 to 1.1.',
  ],
  [
    emulationPhaseEvent({ jobNumber: 'j', owner: 'o', phase: 'rush_hour', scenario: 'rush_hour' }),
    'info',
    'In the emulation j the rush hour begins.',
  ],
  [commandEvent(command), 'warning', 'The command set_key to ap-1 failed.'],
  [
    emulationStartedEvent({ jobNumber: 'j', owner: 'o', agents: 2 }),
    'info',
    'The emulation j started with 2 access points.',
  ],
  [
    emulationEndedEvent({ jobNumber: 'j', owner: 'o', agents: 1, outcome: 'stopped' }),
    'info',
    'The emulation j of 1 access point was stopped.',
  ],
  [adminLoginEvent('ann', '::1'), 'info', 'The administrator ann logged in from ::1.'],
  [
    ofAlarm('alarm_raised', { severity: 'critical', data: { value: 98 } }),
    'critical',
    'Alarm of ap-1: Load is bad (98).',
  ],
  [
    ofAlarm('alarm_raised', { data: { value: 98, rule_id: 'load_pct.bad' } }),
    'info',
    'Alarm of ap-1: Load is bad (98 %).',
  ],
  [
    ofAlarm('alarm_raised', { data: { value: 1, rule: 'LiFi beam is blocked', rule_id: 'lifi.blocked' } }),
    'info',
    'Alarm of ap-1: LiFi beam is blocked.',
  ],
  [ofAlarm('alarm_raised'), 'info', 'Alarm of ap-1: Load is bad.'],
  [
    ofAlarm('alarm_flapping'),
    'info',
    'The alarm of ap-1 is flapping: Load is bad. It stays open until it is good for an hour.',
  ],
  [
    ofAlarm('alarm_acknowledged', { subject: 'ann' }),
    'info',
    'The alarm of ap-1 was acknowledged by ann: Load is bad.',
  ],
  [ofAlarm('alarm_cleared'), 'info', 'The alarm of ap-1 is cleared: Load is bad.'],
  [
    clientMovedEvent('ap-1', { client: 'c1', from: 'ap-2', fromTechnology: 'LiFi', technology: 'WiFi' }),
    'info',
    'The client c1 was handed over from ap-2 (LiFi) to ap-1 (WiFi).',
  ],
  [
    clientMovedEvent('ap-1', { client: 'c1', from: 'ap-2', fromTechnology: 'WiFi', technology: 'WiFi' }),
    'info',
    'The client c1 roamed from ap-2 to ap-1.',
  ],
  [clientDroppedEvent('ap-1', 'c1'), 'warning', 'The client c1 lost its connection to ap-1.'],
  [
    decisionEvent('ap-1', { id: 'd', owner: 'advisor', policy: 'balance', state: 'proposed', measured: [] }),
    'info',
    'advisor proposes a change of ap-1: balance.',
  ],
  [
    decisionEvent('ap-1', {
      id: 'd',
      owner: 'advisor',
      policy: 'balance',
      state: 'measured',
      measured: [{ ap_id: 'ap-1', kpi: 'load_pct', before: 91.23456, after: null }],
    }),
    'info',
    'The effect of the decision of advisor on ap-1 is measured: balance (Load 91.23 → ? %).',
  ],
  [
    suppressedEvent('ap-1', 120),
    'warning',
    'ap-1 has more than 120 events in this hour; 1 more were only counted.',
  ],
]

describe('the record of an event', () => {
  it.each(cases)('%j has the severity %s and the text: %s', (event, severity, text) => {
    expect(stored(event)).toMatchObject({ kind: event.kind, severity, text })
  })

  it('has a sentence for every kind', () => {
    expect(new Set(cases.map(([{ kind }]) => kind))).toEqual(new Set(eventKinds))
  })

  it('does not contain the arguments of a command', () => {
    expect(JSON.stringify(stored(commandEvent(command)))).not.toContain('secret')
  })

  it('has a text for a kind of a later version', () => {
    expect(stored({ ...onboardedEvent('ap-1'), kind: 'later' as never }).text).toBe('ap-1: later.')
  })

  it('has an id that is its position', () => {
    const position = { atMs: 1_794_000_000_123, transaction: 2n ** 63n, seq: 2n ** 62n }
    expect(eventPositionOf(eventIdOf(position))).toEqual(position)
    for (const text of ['', '1-2', '1-2-3-4', 'A-1-1', `1-${'z'.repeat(13)}-1`, '1-1-zzzzzzzzzzzzz'])
      expect(eventPositionOf(text)).toBeUndefined()
  })
})

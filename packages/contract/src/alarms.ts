import Type, { type Static } from 'typebox'
import { alarmMetrics, alarmSeverities } from './alarm-rules.ts'
import { EmulatedAgents } from './fleet.ts'
import { operation } from './operation.ts'
import { MomentWith, Nullable, oneOf, pageFields, storable } from './schema.ts'
import { technologies } from './technologies.ts'

export const alarmStates = ['open', 'cleared'] as const

/** Why an open alarm is inhibited. */
export const inhibitions = ['offline', 'worse_alarm'] as const
export type InhibitedBy = (typeof inhibitions)[number]

export const Alarm = Type.Object(
  {
    id: Type.String(),
    rule_id: Type.String(),
    rule: Type.String({ description: 'Name of the rule when the alarm was raised.' }),
    severity: oneOf(alarmSeverities),
    metric: oneOf(alarmMetrics),
    ap_id: Type.String(),
    technology: oneOf(technologies),
    state: oneOf(alarmStates),
    value: Nullable(Type.Number({ description: 'When it was raised.' })),
    raised_at: Type.String({ format: 'date-time' }),
    cleared_at: Nullable(Type.String({ format: 'date-time' })),
    clear_reason: Nullable(
      Type.String({
        description:
          '`recovered`, `agent_removed`, `rule_deleted`, or `rule_disabled`, also if the rule got another metric or scope.',
      }),
    ),
    is_flapping: Type.Boolean({
      description: 'It was raised too often within an hour. It stays open until it is good for an hour.',
    }),
    is_inhibited: Type.Boolean({
      description:
        'It is not notified now, because another condition of the agent says more: `inhibited_by`.',
    }),
    inhibited_by: Nullable(
      oneOf(
        inhibitions,
        '`offline`: the agent is offline, its value is not known. `worse_alarm`: an alarm of the same KPI with a higher severity is open.',
      ),
    ),
    is_silenced: Type.Boolean({ description: 'It is not notified now, because of a silence.' }),
    silenced_until: Nullable(
      Type.String({
        format: 'date-time',
        description: 'When the last of the silences and windows that are active now ends.',
      }),
    ),
    acknowledged_by: Nullable(Type.String()),
    acknowledged_at: Nullable(Type.String({ format: 'date-time' })),
    comment: Nullable(Type.String()),
    assignee: Nullable(Type.String({ description: 'Name of the user who works on it.' })),
  },
  { title: 'Alarm' },
)
export type Alarm = Static<typeof Alarm>

const severityCounts = Type.Object({
  acknowledged: Type.Integer({ description: 'Without silenced and inhibited alarms.' }),
  unacknowledged: Type.Integer({ description: 'Without silenced and inhibited alarms.' }),
  silenced: Type.Integer({ description: 'Alarms of an active silence, acknowledged or not.' }),
  inhibited: Type.Integer({ description: 'Inhibited alarms that are not silenced, acknowledged or not.' }),
})

export const AlarmSummary = Type.Object(
  { info: severityCounts, warning: severityCounts, critical: severityCounts },
  { title: 'AlarmSummary' },
)
export type AlarmSummary = Static<typeof AlarmSummary>

export const AlarmsAcknowledged = Type.Object(
  {
    acknowledged: Type.Integer({ description: 'How many alarms were acknowledged.' }),
    not_acknowledged: Type.Array(Type.String(), {
      description: 'Ids of the others: cleared in the meantime, or no alarm that the caller may see.',
    }),
  },
  { title: 'AlarmsAcknowledged' },
)
export type AlarmsAcknowledged = Static<typeof AlarmsAcknowledged>

const Comment = Type.Optional(
  Type.String({
    maxLength: 1000,
    pattern: storable,
    description: 'Without it, the stored comment stays. An empty one removes it.',
  }),
)
/** Alarms that one request acknowledges at most. */
export const maxAcknowledged = 500

const AlarmPath = Type.Object({ id: Type.String({ maxLength: 64 }) })
const visibility = 'An app gets alarms of agents that its permissions cover.'
const choiceFields = {
  severity: Type.Optional(
    Type.Array(oneOf(alarmSeverities), { description: 'Only these severities. Can be repeated.' }),
  ),
  ap_id: Type.Optional(Type.String({ maxLength: 320, description: 'Only alarms of this access point.' })),
  rule: Type.Optional(Type.String({ maxLength: 64, description: 'Only alarms of the rule with this id.' })),
  technology: Type.Optional(
    Type.Array(oneOf(technologies), { description: 'Only these technologies. Can be repeated.' }),
  ),
  acknowledged: Type.Optional(
    oneOf(['true', 'false'], 'Only alarms that are acknowledged, or that are not.'),
  ),
  silenced: Type.Optional(oneOf(['true', 'false'], 'Only alarms that are silenced now, or that are not.')),
  inhibited: Type.Optional(oneOf(['true', 'false'], 'Only alarms that are inhibited now, or that are not.')),
  emulated: Type.Optional(EmulatedAgents('The default is `own`.')),
}

export const alarmOperations = {
  listAlarms: operation({
    id: 'listAlarms',
    method: 'GET',
    path: '/api/v1/alarms',
    tag: 'Alarms',
    summary: 'List alarms, newest first',
    description: `A \`Link\` header points to the next page. ${visibility}`,
    auth: 'bearer',
    query: Type.Object({
      state: Type.Optional(oneOf([...alarmStates, 'all'], 'The default is `open`.')),
      ...choiceFields,
      from: Type.Optional(MomentWith('Only alarms that were open at this time or later.')),
      to: Type.Optional(MomentWith('Only alarms that were raised up to this time.')),
      ...pageFields,
    }),
    response: Type.Array(Alarm),
    refusals: [401, 403, 429, 503],
    sdk: 'alarms.list',
    cli: { columns: ['id', 'severity', 'ap_id', 'rule', 'state', 'raised_at', 'acknowledged_by'] },
  }),
  getAlarm: operation({
    id: 'getAlarm',
    method: 'GET',
    path: '/api/v1/alarms/{id}',
    tag: 'Alarms',
    summary: 'Read an alarm',
    description: visibility,
    auth: 'bearer',
    params: AlarmPath,
    response: Alarm,
    refusals: [401, 403, 404, 429, 503],
    sdk: 'alarms.get',
  }),
  getAlarmSummary: operation({
    id: 'getAlarmSummary',
    method: 'GET',
    path: '/api/v1/alarms/summary',
    tag: 'Alarms',
    summary: 'Count open alarms by severity',
    description: visibility,
    auth: 'bearer',
    query: Type.Object({ emulated: Type.Optional(EmulatedAgents('The default is `own`.')) }),
    response: AlarmSummary,
    refusals: [401, 403, 429, 503],
    sdk: 'alarms.summary',
  }),
  acknowledgeAlarm: operation({
    id: 'acknowledgeAlarm',
    method: 'POST',
    path: '/api/v1/alarms/{id}/acknowledge',
    tag: 'Alarms',
    summary: 'Acknowledge an open alarm',
    description:
      'Done again, it can replace the comment. `acknowledged_by` and `acknowledged_at` are those of the first time.',
    auth: 'bearer',
    params: AlarmPath,
    body: Type.Object({ comment: Comment }),
    response: Alarm,
    refusals: [401, 403, 404, 409, 429, 503],
    sdk: 'alarms.acknowledge',
  }),
  acknowledgeAlarms: operation({
    id: 'acknowledgeAlarms',
    method: 'POST',
    path: '/api/v1/alarms/acknowledge',
    tag: 'Alarms',
    summary: 'Acknowledge several open alarms',
    description:
      'With one comment. Those that are not open any more are left out. Done again as for one alarm.',
    auth: 'bearer',
    body: Type.Object({
      ids: Type.Array(Type.String({ pattern: '^[1-9][0-9]{0,17}$' }), {
        minItems: 1,
        maxItems: maxAcknowledged,
      }),
      comment: Comment,
    }),
    response: AlarmsAcknowledged,
    refusals: [401, 403, 429, 503],
    sdk: 'alarms.acknowledgeAll',
  }),
  assignAlarm: operation({
    id: 'assignAlarm',
    method: 'POST',
    path: '/api/v1/alarms/{id}/assign',
    tag: 'Alarms',
    summary: 'Assign an open alarm to a user',
    auth: 'bearer',
    params: AlarmPath,
    body: Type.Object({
      username: Nullable(
        Type.String({ maxLength: 320, pattern: storable, description: 'Null removes the assignment.' }),
      ),
    }),
    response: Alarm,
    refusals: [401, 403, 404, 409, 429, 503],
    sdk: 'alarms.assign',
  }),
}

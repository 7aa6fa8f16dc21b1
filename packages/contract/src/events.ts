import Type, { type Static } from 'typebox'
import { EmulatedAgents } from './fleet.ts'
import { operation } from './operation.ts'
import { MomentWith, Nullable, oneOf, Parsed } from './schema.ts'

/** What can happen. A new kind also needs its severity and its sentence, in the events module of the server. */
export const eventKinds = [
  'online',
  'stale',
  'offline',
  'health',
  'onboarded',
  'configured',
  'command',
  'version_changed',
  'emulation_started',
  'emulation_phase',
  'emulation_ended',
  'admin_login',
  'alarm_raised',
  'alarm_flapping',
  'alarm_acknowledged',
  'alarm_cleared',
  'handover',
  'roamed',
  'dropped',
  'decision',
  'suppressed',
] as const
export type EventKind = (typeof eventKinds)[number]

export const eventSeverities = ['info', 'warning', 'critical'] as const
export type EventSeverity = (typeof eventSeverities)[number]

export const NetworkEvent = Type.Object(
  {
    id: Type.String({
      description: 'Value of `after` for earlier events in lists, and for later ones in the stream.',
    }),
    at: Type.String({ format: 'date-time' }),
    kind: Type.String({
      description: 'For example `online` or `command`. Later versions have further kinds.',
    }),
    severity: oneOf(eventSeverities),
    ap_id: Nullable(Type.String({ description: 'The access point that it is about.' })),
    subject: Nullable(
      Type.String({ description: 'Name of the caller who caused it, or the number of its job.' }),
    ),
    text: Type.String({ description: 'One sentence.' }),
    data: Type.Record(Type.String(), Type.Unknown(), { description: 'Details, by kind.' }),
  },
  { title: 'NetworkEvent' },
)
export type NetworkEvent = Static<typeof NetworkEvent>

/** Where a reader of events is. Parts of an event's id. */
export interface EventPosition {
  atMs: number
  /** Transaction id of the database: the only counter in commit order. */
  transaction: bigint
  /** 0: before all events of this transaction. */
  seq: bigint
}

export const eventIdOf = ({ atMs, transaction, seq }: EventPosition): string =>
  `${atMs.toString(36)}-${transaction.toString(36)}-${seq.toString(36)}`

const maxTransaction = 2n ** 64n
const maxSeq = 2n ** 63n

/** Undefined if the text is no id of an event. */
export function eventPositionOf(id: string): EventPosition | undefined {
  const [, at = '', transaction = '', seq = ''] =
    /^([0-9a-z]{1,9})-([0-9a-z]{1,13})-([0-9a-z]{1,13})$/.exec(id) ?? []
  if (at === '') return undefined
  const position = { atMs: Number.parseInt(at, 36), transaction: bigIntOf(transaction), seq: bigIntOf(seq) }
  return position.transaction < maxTransaction && position.seq < maxSeq ? position : undefined
}

const bigIntOf = (text: string): bigint =>
  Array.from(text).reduce((sum, digit) => sum * 36n + BigInt(Number.parseInt(digit, 36)), 0n)

const Position = (description: string) =>
  Parsed<EventPosition>(Type.String({ description }), (value) => {
    const position = eventPositionOf(String(value))
    return position
      ? { value: position }
      : { type: 'value_error', msg: 'Value error, after should be the id of an event' }
  })

const choiceFields = {
  ap_id: Type.Optional(Type.String({ maxLength: 320, description: 'Only events of this access point.' })),
  kind: Type.Optional(Type.Array(oneOf(eventKinds), { description: 'Only these kinds. Can be repeated.' })),
  severity: Type.Optional(
    Type.Array(oneOf(eventSeverities), { description: 'Only these severities. Can be repeated.' }),
  ),
  emulated: Type.Optional(EmulatedAgents('The default is `own`.')),
}

const filterFields = {
  ...choiceFields,
  from: Type.Optional(MomentWith('Events from this time on.')),
  to: Type.Optional(MomentWith('Events up to this time.')),
}

/** Query of the stream of events, a WebSocket at `eventStreamPath`. */
export const EventStreamQuery = Type.Object({
  ...choiceFields,
  after: Type.Optional(Position('The last `after` that was received. Without it, the stream starts now.')),
})

/** A message of the stream of events. */
export const EventFrame = Type.Union([
  Type.Object({
    type: Type.Literal('start'),
    after: Type.String({ description: 'Where the stream starts.' }),
    is_complete: Type.Boolean({
      description: 'False if events after the requested one are missing: read the list of events.',
    }),
  }),
  Type.Object({
    type: Type.Literal('events'),
    events: Type.Array(NetworkEvent, {
      description: 'In the order in which they were committed. May be empty.',
    }),
    after: Type.String({ description: 'Value of `after` to continue with.' }),
  }),
])
export type EventFrame = Static<typeof EventFrame>

const visibility =
  'An app gets events of agents that its permissions cover, those of alarms with the scope `alarms:read`, and those of clients with the scope `clients:read`. Logins of administrators are for administrators.'

export const eventOperations = {
  listEvents: operation({
    id: 'listEvents',
    method: 'GET',
    path: '/api/v1/events',
    tag: 'Events',
    summary: 'List events, newest first',
    description: `A \`Link\` header points to the next page. ${visibility} New events are sent over a WebSocket at \`/api/v1/events/stream\`, with the same filters except \`from\` and \`to\`.`,
    auth: 'bearer',
    query: Type.Object({
      ...filterFields,
      limit: Type.Optional(
        Type.Integer({ default: 100, minimum: 1, maximum: 1000, description: 'Maximum number of items.' }),
      ),
      after: Type.Optional(Position('The last id of the previous page, from its `Link` header.')),
    }),
    response: Type.Array(NetworkEvent),
    refusals: [401, 403, 429, 503],
    sdk: 'events.list',
  }),
  exportEvents: operation({
    id: 'exportEvents',
    method: 'GET',
    path: '/api/v1/events/export',
    tag: 'Events',
    summary: 'Export events as JSON lines, newest first',
    description: visibility,
    auth: 'bearer',
    query: Type.Object(filterFields),
    response: Type.String({ description: 'One NetworkEvent as JSON per line.' }),
    isJsonLines: true,
    refusals: [401, 403, 429, 503],
  }),
}

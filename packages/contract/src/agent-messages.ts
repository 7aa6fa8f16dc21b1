import Type, { type Static } from 'typebox'
import { oneOf } from './schema.ts'
import { maxHeardAccessPoints, maxReportedClients } from './topics.ts'

/** On `agent/<ap_id>/status`, also as the last will of a connection. */
export const AgentStatusMessage = Type.Object({
  status: oneOf(['online', 'offline']),
  connected_at: Type.String({
    format: 'date-time',
    description: 'The start of the connection: the late last will of an older one is ignored.',
  }),
})
export type AgentStatusMessage = Static<typeof AgentStatusMessage>

/** On `agent/<ap_id>/result`, or in `results` of an update over HTTP. */
export const CommandResultMessage = Type.Object({
  id: Type.String(),
  state: oneOf(['delivered', 'succeeded', 'failed']),
  result: Type.Optional(Type.Unknown()),
  detail: Type.Optional(Type.String()),
})
export type CommandResultMessage = Static<typeof CommandResultMessage>

const ClientName = Type.String({
  minLength: 1,
  maxLength: 128,
  description:
    'Name of the client at this access point, such as its MAC address. The same at all access points that it can reach. With `MANC_CLIENT_IDS=pseudonymous` the controller stores a keyed hash of it.',
})

export const AttachedClient = Type.Object({
  client: ClientName,
  since: Type.Optional(
    Type.String({ format: 'date-time', description: 'When it attached. Without it, now.' }),
  ),
  signal_dbm: Type.Optional(Type.Number({ description: 'RSRP (5G) or RSSI (WiFi).' })),
  snr_db: Type.Optional(Type.Number({ description: 'Of LiFi.' })),
  rate_mbps: Type.Optional(Type.Number({ description: 'Rate of its link.' })),
  throughput_mbps: Type.Optional(
    Type.Number({ description: 'Data that is delivered to and from it, mean of the last seconds.' }),
  ),
  heard: Type.Optional(
    Type.Record(Type.String(), Type.Number(), {
      maxProperties: maxHeardAccessPoints,
      description:
        'Access points that it hears, of any technology, with their signals: RSRP of 5G and RSSI of WiFi in dBm, SNR of LiFi in dB. From 802.11k beacon reports and measurement reports of 5G. In snapshots; of more than 8, the ones that it could use best.',
    }),
  ),
})
export type AttachedClient = Static<typeof AttachedClient>

/** Why a client is no longer attached, as agents report it. */
export const clientLeaveReasons = ['left', 'moved', 'dropped'] as const
export type ClientLeaveReason = (typeof clientLeaveReasons)[number]

/**
 * On `agent/<ap_id>/clients`. A snapshot has all clients that are attached; other messages have changes only. Agents send a
 * snapshot with each connection, and one every 20 s.
 */
export const AgentClientsMessage = Type.Object({
  snapshot: Type.Optional(
    Type.Boolean({ description: '`joined` has all clients that are attached. The default is false.' }),
  ),
  joined: Type.Optional(Type.Array(AttachedClient, { maxItems: maxReportedClients })),
  left: Type.Optional(
    Type.Array(
      Type.Object({
        client: ClientName,
        at: Type.Optional(Type.String({ format: 'date-time' })),
        reason: Type.Optional(
          oneOf(
            clientLeaveReasons,
            '`left`: it went away by itself. `moved`: to another access point. `dropped`: the connection was lost.',
          ),
        ),
      }),
      { maxItems: maxReportedClients },
    ),
  ),
})
export type AgentClientsMessage = Static<typeof AgentClientsMessage>

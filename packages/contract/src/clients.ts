import Type, { type Static } from 'typebox'
import { EmulatedAgents } from './fleet.ts'
import { operation } from './operation.ts'
import { MomentWith, Nullable, oneOf, pageFields } from './schema.ts'
import { technologies } from './technologies.ts'

/** Why an attachment ended. */
export const attachmentEnds = [
  'left',
  'moved',
  'dropped',
  'missing',
  'offline',
  'silent',
  'agent_removed',
] as const
export type AttachmentEnd = (typeof attachmentEnds)[number]

const endDescription =
  '`left`: it went away. `moved`: to another access point. `dropped`: the connection was lost. `missing`: the access point stopped listing it. `offline`: the access point went offline. `silent`: the access point reported no clients for 90 s. `agent_removed`: the access point was removed.'

/** Clients in a list: attached ones, those that are not, or both. */
export const clientStates = ['attached', 'detached', 'all'] as const
export type ClientState = (typeof clientStates)[number]

/** Orders of the list of clients. */
export const clientOrders = ['id', 'since'] as const
export type ClientOrder = (typeof clientOrders)[number]

const linkFields = {
  signal_dbm: Nullable(Type.Number({ description: 'RSRP of 5G, RSSI of WiFi.' })),
  snr_db: Nullable(Type.Number({ description: 'Of LiFi.' })),
  rate_mbps: Nullable(Type.Number({ description: 'Rate of its link.' })),
}

const fromField = Nullable(
  Type.String({
    description: 'Access point that it moved from. Null if it did not move, or if the caller may not see it.',
  }),
)

const clientFields = {
  id: Type.String({
    description:
      'Pseudonym: a keyed hash of the name at the access point. The name itself with `MANC_CLIENT_IDS=clear`.',
  }),
  is_attached: Type.Boolean(),
  ap_id: Type.String({ description: 'Access point that it is attached to, or was attached to last.' }),
  technology: oneOf(technologies),
  since: Type.String({
    format: 'date-time',
    description: 'Start of the attachment. Of a client that is not attached: when it ended.',
  }),
  from_ap_id: fromField,
  ...linkFields,
  ended: Nullable(oneOf(attachmentEnds, `Of a client that is not attached. ${endDescription}`)),
}

export const ClientMeasurement = Type.Object(
  {
    at: Type.String({ format: 'date-time', description: 'When the controller received it.' }),
    throughput_mbps: Nullable(Type.Number({ description: 'Data that is delivered to and from the client.' })),
    heard: Type.Record(Type.String(), Type.Number(), {
      description:
        'Signals of access points that the client hears, by `ap_id`: RSRP of 5G and RSSI of WiFi in dBm, SNR of LiFi in dB. An app gets access points that its permissions cover.',
    }),
  },
  { title: 'ClientMeasurement', description: 'The last one that was stored. There is no history of it.' },
)
export type ClientMeasurement = Static<typeof ClientMeasurement>

const measurementField = Nullable(ClientMeasurement)

export const Client = Type.Object(
  {
    ...clientFields,
    measurement: Type.Optional(measurementField),
  },
  { title: 'Client', description: '`measurement` is there only with `measurements=true`.' },
)
export type Client = Static<typeof Client>

export const Attachment = Type.Object(
  {
    ap_id: Type.String(),
    technology: oneOf(technologies),
    since: Type.String({ format: 'date-time' }),
    until: Type.String({ format: 'date-time' }),
    from_ap_id: fromField,
    ended: oneOf(attachmentEnds, endDescription),
    ...linkFields,
  },
  { title: 'Attachment', description: 'An attachment that has ended, with the last values of its link.' },
)
export type Attachment = Static<typeof Attachment>

export const ClientDetails = Type.Object(
  {
    ...clientFields,
    measurement: measurementField,
    history: Type.Array(Attachment, { description: 'Attachments that have ended, newest first.' }),
    next: Nullable(
      Type.String({ description: 'Value of `before` for earlier attachments. Null if there are none.' }),
    ),
  },
  { title: 'ClientDetails' },
)
export type ClientDetails = Static<typeof ClientDetails>

const visibility = 'An app gets clients of agents that its permissions cover.'
const ClientPath = Type.Object({ id: Type.String({ maxLength: 256 }) })

export const clientOperations = {
  listClients: operation({
    id: 'listClients',
    method: 'GET',
    path: '/api/v1/clients',
    tag: 'Clients',
    summary: 'List clients and the access points that they are attached to',
    description: `Ordered by id, or with \`sort=since\` by the start of the attachment, newest first. A \`Link\` header points to the next page. ${visibility}`,
    auth: 'bearer',
    query: Type.Object({
      state: Type.Optional(oneOf(clientStates, 'The default is `attached`.')),
      ap_id: Type.Optional(
        Type.String({ maxLength: 320, description: 'Only clients of this access point.' }),
      ),
      technology: Type.Optional(
        Type.Array(oneOf(technologies), { description: 'Only these technologies. Can be repeated.' }),
      ),
      place: Type.Optional(
        Type.String({ maxLength: 128, description: 'Only clients of access points at this place.' }),
      ),
      q: Type.Optional(Type.String({ maxLength: 128, description: 'Begin of the id of the client.' })),
      emulated: Type.Optional(EmulatedAgents('The default is `own`.')),
      sort: Type.Optional(oneOf(clientOrders, 'The default is `id`.')),
      measurements: Type.Optional(
        Type.Boolean({
          description:
            'Include the last measurement of each client, which access points may report: its throughput and the access points that it hears. The default is false.',
        }),
      ),
      ...pageFields,
    }),
    response: Type.Array(Client),
    refusals: [401, 403, 429, 503],
    sdk: 'clients.list',
    cli: {
      columns: ['id', 'ap_id', 'technology', 'since', 'signal_dbm', 'snr_db', 'rate_mbps', 'from_ap_id'],
    },
  }),
  getClient: operation({
    id: 'getClient',
    method: 'GET',
    path: '/api/v1/clients/{id}',
    tag: 'Clients',
    summary: 'Read a client with the history of its attachments',
    description: `${visibility} The history has attachments to those agents only.`,
    auth: 'bearer',
    params: ClientPath,
    query: Type.Object({
      from: Type.Optional(MomentWith('Attachments that ended at this time or later.')),
      to: Type.Optional(MomentWith('Attachments that ended up to this time.')),
      history_limit: Type.Optional(
        Type.Integer({
          default: 100,
          minimum: 1,
          maximum: 1000,
          description: 'Maximum number of attachments in the history.',
        }),
      ),
      before: Type.Optional(
        Type.String({ maxLength: 64, description: 'The `next` of the previous response.' }),
      ),
    }),
    response: ClientDetails,
    refusals: [401, 403, 404, 429, 503],
    sdk: 'clients.get',
  }),
  listAgentClients: operation({
    id: 'listAgentClients',
    method: 'GET',
    path: '/api/v1/agents/{ap_id}/clients',
    tag: 'Clients',
    summary: 'List the clients that are attached to an access point',
    description: 'Ordered by id. A `Link` header points to the next page.',
    auth: 'bearer',
    params: Type.Object({ ap_id: Type.String({ maxLength: 320 }) }),
    query: Type.Object({ ...pageFields }),
    response: Type.Array(Client),
    refusals: [401, 403, 404, 429, 503],
    sdk: 'clients.ofAgent',
  }),
}

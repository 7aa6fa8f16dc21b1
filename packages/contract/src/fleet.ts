import Type, { type Static } from 'typebox'
import { operation } from './operation.ts'
import { Nullable, oneOf, Parsed } from './schema.ts'

export const technologies = ['5G', 'WiFi', 'LiFi', 'other'] as const
export type Technology = (typeof technologies)[number]

/** Fresh samples, none for two intervals, none for three (or a farewell). */
export const agentStates = ['online', 'stale', 'offline'] as const
export type AgentState = (typeof agentStates)[number]

const TechnologyName = oneOf(technologies)
const StateName = oneOf(agentStates)

const counts = {
  total: Type.Integer(),
  online: Type.Integer(),
  stale: Type.Integer(),
  offline: Type.Integer(),
}

export const FleetSummary = Type.Object(
  {
    ...counts,
    technologies: Type.Array(
      Type.Object({ technology: TechnologyName, ...counts }, { title: 'TechnologyCounts' }),
      { description: 'One entry for each technology, also for those without agents.' },
    ),
    as_of: Nullable(
      Type.String({
        format: 'date-time',
        description:
          'Up to when agents have been judged: it stands still while telemetry is being caught up with. Null where no ingester has run yet.',
      }),
    ),
  },
  { title: 'FleetSummary' },
)
export type FleetSummary = Static<typeof FleetSummary>

const figures = {
  agents: Type.Integer({ description: 'How many sent any of these within the last 30 s.' }),
  clients: Nullable(Type.Number({ description: 'In all. Null, as each of these, where no agent sent any.' })),
  throughput_mbps: Nullable(Type.Number({ description: 'In all.' })),
  power_w: Nullable(Type.Number({ description: 'In all.' })),
  load_pct: Nullable(Type.Number({ description: 'On average.' })),
  latency_ms: Nullable(Type.Number({ description: 'On average.' })),
  signal_quality: Nullable(Type.Number({ description: 'On average.' })),
  busiest: Type.Array(
    Type.Object(
      { ap_id: Type.String(), load_pct: Type.Number(), clients: Nullable(Type.Number()) },
      { title: 'BusyAgent' },
    ),
    { description: 'Those with the highest load, the highest first; at most ten.' },
  ),
}

export const FleetFigures = Type.Object(
  {
    ...figures,
    technologies: Type.Array(
      Type.Object({ technology: TechnologyName, ...figures }, { title: 'TechnologyFigures' }),
      { description: 'One entry for each technology, also for those without agents.' },
    ),
    as_of: Type.String({ format: 'date-time', description: 'When they were read.' }),
  },
  { title: 'FleetFigures' },
)
export type FleetFigures = Static<typeof FleetFigures>

export const FleetAgent = Type.Object(
  {
    ap_id: Type.String(),
    name: Nullable(Type.String({ description: 'Out of `configuration.name`.' })),
    technology: TechnologyName,
    state: StateName,
    since: Type.String({ format: 'date-time', description: 'Since when it has been in this state.' }),
    last_seen: Nullable(
      Type.String({
        format: 'date-time',
        description: 'When it was last heard of. Null while it is online, and where it never was.',
      }),
    ),
    position: Nullable(
      Type.Object(
        { latitude: Type.Number(), longitude: Type.Number() },
        { title: 'Position', description: 'Out of `configuration.geolocation`.' },
      ),
    ),
    telemetry_interval_s: Type.Number({
      description: 'How often it means to send, out of `configuration.telemetry_interval_s`.',
    }),
  },
  { title: 'FleetAgent' },
)
export type FleetAgent = Static<typeof FleetAgent>

export const FleetChanges = Type.Object(
  {
    agents: Type.Array(FleetAgent, {
      description:
        'Those that are new, or whose state, place or name has changed. Some may be as they were, or have been told before.',
    }),
    removed: Type.Array(Type.String(), { description: 'The ids of those that are gone.' }),
    is_complete: Type.Boolean({
      description: 'False where this is not all: read the whole list again, and go on from `next`.',
    }),
    next: Type.String({ description: 'The `after` of what changes from now on.' }),
  },
  { title: 'FleetChanges' },
)
export type FleetChanges = Static<typeof FleetChanges>

/** Up to where changes have been told. */
export interface FleetMark {
  /** Of the database: nothing else counts changes in the order in which they are seen. */
  transaction: string
  atS: number
  /** The table that it speaks of: another one where a database was restored. */
  table: string
  /** Which agents the caller saw then. */
  view: string
}

const Mark = Parsed<FleetMark>(
  Type.String({ description: 'The `next` of the answer before. Without it, only where to begin is told.' }),
  (value) => {
    const [, transaction = '', at, table = '', view = ''] =
      /^(\d{1,20})\.(\d{1,11})\.(\d{1,10})\.([\w-]{1,16})$/.exec(String(value)) ?? []
    if (transaction !== '' && BigInt(transaction) < 2n ** 64n)
      return { value: { transaction, atS: Number(at), table, view } }
    return { type: 'value_error', msg: 'Value error, after should be the next of an earlier answer' }
  },
)

/** In degrees. `west` beyond `east` crosses the antimeridian. */
export interface Box {
  west: number
  south: number
  east: number
  north: number
}

const Box = Parsed<Box>(
  Type.String({ description: '`west,south,east,north` in degrees, for example `-2.62,51.44,-2.55,51.47`.' }),
  (value) => {
    const words = String(value).split(',')
    const [west = 0, south = 0, east = 0, north = 0] = words.map((word) =>
      /^\s*[+-]?\d+(\.\d+)?\s*$/.test(word) ? Number(word) : Number.NaN,
    )
    const fits =
      words.length === 4 && Math.abs(west) <= 180 && Math.abs(east) <= 180 && south >= -90 && north <= 90
    if (fits && south <= north) return { value: { west, south, east, north } }
    return {
      type: 'value_error',
      msg: 'Value error, bbox should be west,south,east,north in degrees, with south at or below north',
    }
  },
)

export const fleetOperations = {
  getFleetSummary: operation({
    id: 'getFleetSummary',
    method: 'GET',
    path: '/api/v1/fleet/summary',
    tag: 'Fleet',
    summary: 'Count the agents by technology and state',
    description: 'An app counts the agents that it sees. Meant to be asked once a second.',
    auth: 'bearer',
    response: FleetSummary,
    refusals: [401, 403, 429, 503],
    sdk: 'fleet.summary',
  }),
  getFleetFigures: operation({
    id: 'getFleetFigures',
    method: 'GET',
    path: '/api/v1/fleet/figures',
    tag: 'Fleet',
    summary: 'Add up what the agents measure, by technology',
    description:
      'Over the newest value of each agent that sent within the last 30 s. Read at most every 5 s, for everybody together. An app gets the figures of the agents that it sees.',
    auth: 'bearer',
    response: FleetFigures,
    refusals: [401, 403, 429, 503],
    sdk: 'fleet.figures',
  }),
  listFleetAgents: operation({
    id: 'listFleetAgents',
    method: 'GET',
    path: '/api/v1/fleet/agents',
    tag: 'Fleet',
    summary: 'List agents with place and state, for maps and tables',
    description:
      'In the order of their ids. A `Link` header leads to the next page; an app gets the agents that it sees.',
    auth: 'bearer',
    query: Type.Object({
      bbox: Type.Optional(Box),
      technology: Type.Optional(
        Type.Array(TechnologyName, { description: 'One or several of these, repeated.' }),
      ),
      state: Type.Optional(Type.Array(StateName, { description: 'One or several of these, repeated.' })),
      q: Type.Optional(Type.String({ maxLength: 128, description: 'Part of the id or name, in any case.' })),
      limit: Type.Optional(
        Type.Integer({ default: 100, minimum: 1, maximum: 5000, description: 'At most this many.' }),
      ),
      after: Type.Optional(
        Type.String({ description: 'The last id of the page before, as its `Link` header gave it.' }),
      ),
    }),
    response: Type.Array(FleetAgent),
    refusals: [401, 403, 429, 503],
  }),
  getFleetChanges: operation({
    id: 'getFleetChanges',
    method: 'GET',
    path: '/api/v1/fleet/changes',
    tag: 'Fleet',
    summary: 'Follow the list of agents without reading it again',
    description:
      'Ask without `after`, then read the whole list, then ask every few seconds with the `next` of the answer before. Where `is_complete` is false, read the list again: after half an hour, after more than 5,000 changes, and where other agents may be seen than before. An app gets the agents that it sees.',
    auth: 'bearer',
    query: Type.Object({ after: Type.Optional(Mark) }),
    response: FleetChanges,
    refusals: [401, 403, 429, 503],
  }),
}

import Type, { type Static } from 'typebox'
import { healthDefaults, healths, reasonLevels } from './health.ts'
import { kpiNames } from './kpis.ts'
import { operation } from './operation.ts'
import { Nullable, oneOf, Parsed } from './schema.ts'
import { technologies } from './technologies.ts'

export { type Technology, technologies } from './technologies.ts'

/** Recent samples; no sample for two intervals; no sample for three, or a clean disconnect. */
export const agentStates = ['online', 'stale', 'offline'] as const
export type AgentState = (typeof agentStates)[number]

const TechnologyName = oneOf(technologies)
const StateName = oneOf(agentStates)
const HealthName = oneOf(healths)

/** Orders of the list of agents. */
export const fleetOrders = ['id', 'health'] as const
export type FleetOrder = (typeof fleetOrders)[number]

/** Which emulated agents a caller sees: those of its own emulations, also those of others, or none. */
export const emulatedChoices = ['own', 'all', 'none'] as const
export type EmulatedChoice = (typeof emulatedChoices)[number]

/** For fleet operations and commands to many agents; lists of the numbered interface contain all agents. */
export const EmulatedAgents = (byDefault: string) =>
  oneOf(
    emulatedChoices,
    `Emulated agents to include: \`own\` are those of your emulations, \`all\` also those of other callers. ${byDefault}`,
  )

const emulatedQuery = { emulated: Type.Optional(EmulatedAgents('The default is `own`.')) }

const counts = {
  total: Type.Integer(),
  online: Type.Integer(),
  stale: Type.Integer(),
  offline: Type.Integer(),
  health: Type.Object(
    {
      good: Type.Integer(),
      degraded: Type.Integer(),
      bad: Type.Integer(),
      unknown: Type.Integer(),
      offline: Type.Integer(),
    },
    { title: 'HealthCounts', description: 'Number of agents by health. Their sum is `total`.' },
  ),
}

export const FleetSummary = Type.Object(
  {
    ...counts,
    technologies: Type.Array(
      Type.Object({ technology: TechnologyName, ...counts }, { title: 'TechnologyCounts' }),
      { description: 'One entry for each technology, including those without agents.' },
    ),
    hidden_emulated: Type.Integer({ description: 'Number of emulated agents that `emulated` leaves out.' }),
    as_of: Nullable(
      Type.String({
        format: 'date-time',
        description:
          'Time up to which agent states are known. It does not advance while the ingester works off a backlog. Null if no ingester has run yet.',
      }),
    ),
  },
  { title: 'FleetSummary' },
)
export type FleetSummary = Static<typeof FleetSummary>

const figures = {
  agents: Type.Integer({
    description:
      'Number of agents that sent any of these values within the last 30 s, or three of their intervals if these are longer.',
  }),
  clients: Nullable(
    Type.Number({ description: 'Total. Null, like each of these values, if no agent sent it.' }),
  ),
  throughput_mbps: Nullable(Type.Number({ description: 'Total.' })),
  power_w: Nullable(Type.Number({ description: 'Total.' })),
  load_pct: Nullable(Type.Number({ description: 'Average.' })),
  latency_ms: Nullable(Type.Number({ description: 'Average.' })),
  signal_quality: Nullable(Type.Number({ description: 'Average.' })),
  busiest: Type.Array(
    Type.Object(
      { ap_id: Type.String(), load_pct: Type.Number(), clients: Nullable(Type.Number()) },
      { title: 'BusyAgent' },
    ),
    { description: 'Agents with the highest load, highest first; at most ten.' },
  ),
}

export const FleetFigures = Type.Object(
  {
    ...figures,
    technologies: Type.Array(
      Type.Object({ technology: TechnologyName, ...figures }, { title: 'TechnologyFigures' }),
      { description: 'One entry for each technology, including those without agents.' },
    ),
    loads: Type.Optional(
      Type.Record(Type.String(), Type.Number(), {
        description: '`load_pct` of each agent that sent it, by `ap_id`. Only with `loads=true`.',
      }),
    ),
    as_of: Type.String({ format: 'date-time', description: 'Time of the read.' }),
  },
  { title: 'FleetFigures' },
)
export type FleetFigures = Static<typeof FleetFigures>

const Reason = Type.Object(
  {
    kpi: oneOf(kpiNames),
    level: oneOf(reasonLevels),
    value: Type.Number({ description: 'When the KPI reached this level, in the unit of the KPI.' }),
    since: Type.String({
      format: 'date-time',
      description: 'Time of the first sample at this level, by the clock of the agent.',
    }),
  },
  { title: 'HealthReason' },
)

export const FleetAgent = Type.Object(
  {
    ap_id: Type.String(),
    name: Nullable(Type.String({ description: 'From `configuration.name`.' })),
    technology: TechnologyName,
    state: StateName,
    since: Type.String({ format: 'date-time', description: 'Start of the current state.' }),
    last_seen: Nullable(
      Type.String({
        format: 'date-time',
        description: 'Time of its last sample. Null while it is online, and if it was never online.',
      }),
    ),
    position: Nullable(
      Type.Object(
        { latitude: Type.Number(), longitude: Type.Number() },
        { title: 'Position', description: 'From `configuration.geolocation`.' },
      ),
    ),
    telemetry_interval_s: Type.Number({
      description: 'Expected interval between samples, from `configuration.telemetry_interval_s`.',
    }),
    health: oneOf(
      healths,
      `Its worst KPI. \`unknown\` until one is received that has thresholds; \`offline\` if its state is. A level counts after ${healthDefaults.seconds} s (\`MANC_HEALTH_SECONDS\`). Missing samples do not change it.`,
    ),
    health_since: Type.String({ format: 'date-time', description: 'Start of the current health.' }),
    reason: Nullable(
      Type.String({
        description:
          '`reasons` in words, for example `load 98 % for 4 min; packet loss 9 %`. Null if there are none.',
      }),
    ),
    reasons: Type.Array(Reason, {
      description: 'KPIs that are degraded or bad, the worst first. Empty unless the health is one of these.',
    }),
  },
  { title: 'FleetAgent' },
)
export type FleetAgent = Static<typeof FleetAgent>

export const FleetChanges = Type.Object(
  {
    agents: Type.Array(FleetAgent, {
      description:
        'Agents that are new, or whose state, health, place or name changed. May include agents that did not change, or that an earlier response included.',
    }),
    removed: Type.Array(Type.String(), { description: 'Ids of removed agents.' }),
    is_complete: Type.Boolean({
      description: 'False if changes are missing: read the whole list again, and continue from `next`.',
    }),
    next: Type.String({ description: 'Value of `after` for later changes.' }),
  },
  { title: 'FleetChanges' },
)
export type FleetChanges = Static<typeof FleetChanges>

/** Position in the stream of changes. */
export interface FleetMark {
  /** Transaction id of the database: the only counter in commit order. */
  transaction: string
  atS: number
  /** Identity of the table: it changes with a failover of the database, and when one is restored. */
  table: string
  /** Which agents were visible to the caller. */
  view: string
}

const Mark = Parsed<FleetMark>(
  Type.String({
    description: 'The `next` of the previous response. Without it, only the starting point is returned.',
  }),
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
    const texts = String(value).split(',')
    const [west = 0, south = 0, east = 0, north = 0] = texts.map((text) =>
      /^\s*[+-]?\d+(\.\d+)?\s*$/.test(text) ? Number(text) : Number.NaN,
    )
    const fits =
      texts.length === 4 && Math.abs(west) <= 180 && Math.abs(east) <= 180 && south >= -90 && north <= 90
    if (fits && south <= north) return { value: { west, south, east, north } }
    return {
      type: 'value_error',
      msg: 'Value error, bbox should be west,south,east,north in degrees, with south at or below north',
    }
  },
)

/** Query parameters that choose agents. */
export const fleetFilter = {
  ap_id: Type.Optional(
    Type.Array(Type.String({ maxLength: 64 }), { maxItems: 100, description: 'Ids. Can be repeated.' }),
  ),
  bbox: Type.Optional(Box),
  unplaced: Type.Optional(
    Type.Boolean({ description: 'With `bbox`: also agents without a position. The default is false.' }),
  ),
  technology: Type.Optional(Type.Array(TechnologyName, { description: 'Can be repeated.' })),
  state: Type.Optional(Type.Array(StateName, { description: 'Can be repeated.' })),
  health: Type.Optional(Type.Array(HealthName, { description: 'Can be repeated.' })),
  q: Type.Optional(Type.String({ maxLength: 128, description: 'Part of the id or name; case is ignored.' })),
  ...emulatedQuery,
}

export const fleetOperations = {
  getFleetSummary: operation({
    id: 'getFleetSummary',
    method: 'GET',
    path: '/api/v1/fleet/summary',
    tag: 'Fleet',
    summary: 'Count the agents by technology, state and health',
    description: 'An app counts only agents that its permissions cover. Can be polled once a second.',
    auth: 'bearer',
    query: Type.Object({ ...emulatedQuery }),
    response: FleetSummary,
    refusals: [401, 403, 429, 503],
  }),
  getFleetFigures: operation({
    id: 'getFleetFigures',
    method: 'GET',
    path: '/api/v1/fleet/figures',
    tag: 'Fleet',
    summary: 'Aggregate the current metrics of the agents by technology',
    description:
      'Uses the newest value of each agent that sent within the last 30 s, or three of its intervals if these are longer. Computed at most every 5 s, shared by all callers. An app gets the figures of agents that its permissions cover.',
    auth: 'bearer',
    query: Type.Object({
      ...emulatedQuery,
      loads: Type.Optional(
        Type.Boolean({ description: 'Include the load of each agent, for maps. The default is false.' }),
      ),
    }),
    response: FleetFigures,
    refusals: [401, 403, 429, 503],
  }),
  listFleetAgents: operation({
    id: 'listFleetAgents',
    method: 'GET',
    path: '/api/v1/fleet/agents',
    tag: 'Fleet',
    summary: 'List agents with position, state and health, for maps and tables',
    description:
      'Ordered by id, or with `sort=health` by health and id, the worst first: `bad`, `degraded`, `offline`, `unknown`, `good`. A `Link` header points to the next page. An app gets agents that its permissions cover.',
    auth: 'bearer',
    query: Type.Object({
      ...fleetFilter,
      sort: Type.Optional(oneOf(fleetOrders, 'The default is `id`.')),
      limit: Type.Optional(
        Type.Integer({ default: 100, minimum: 1, maximum: 5000, description: 'Maximum number of items.' }),
      ),
      after: Type.Optional(
        Type.String({
          description:
            'The last id of the previous page, with `sort=health` its health, a colon and its id; from its `Link` header.',
        }),
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
    summary: 'Get changes of the list of agents',
    description:
      'Send the first request without `after`, read the whole list, then poll every few seconds with the `next` of the previous response. If `is_complete` is false, read the list again: after half an hour, after more than 5,000 changes, after a change of permissions, and with another `emulated`. An app gets agents that its permissions cover.',
    auth: 'bearer',
    query: Type.Object({ after: Type.Optional(Mark), ...emulatedQuery }),
    response: FleetChanges,
    refusals: [401, 403, 429, 503],
  }),
}

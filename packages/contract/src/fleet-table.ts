import Type, { type Static } from 'typebox'
import { FleetAgent, fleetFilter } from './fleet.ts'
import { operation } from './operation.ts'
import { Nullable, oneOf } from './schema.ts'
import { sortOrders, tableSorts } from './table-columns.ts'

export * from './table-columns.ts'

/** Pages beyond this row are not read. More than the largest supported fleet. */
const maxOffset = 2_000_000

const metric = Nullable(Type.Number())

export const FleetTableRow = Type.Object(
  {
    ...FleetAgent.properties,
    place: Nullable(
      Type.String({ description: 'From `configuration.place`, `location` or `site`, if it is a text.' }),
    ),
    version: Nullable(
      Type.String({
        description: 'From `configuration.software_version`, `firmware_version` or `version`.',
      }),
    ),
    is_emulated: Type.Boolean(),
    clients: metric,
    load_pct: metric,
    throughput_mbps: metric,
    throughput_down_mbps: metric,
    throughput_up_mbps: metric,
    packet_loss_pct: metric,
    latency_ms: metric,
    signal_quality: metric,
    power_w: metric,
  },
  { title: 'FleetTableRow' },
)
export type FleetTableRow = Static<typeof FleetTableRow>

export const FleetTable = Type.Object(
  {
    total: Type.Integer({ description: 'Number of agents that match the filters.' }),
    rows: Type.Array(FleetTableRow),
    as_of: Type.String({ format: 'date-time', description: 'Time of the read.' }),
    has_metrics: Type.Boolean({
      description:
        'False if the metrics store did not answer in time: then all metrics of the rows are null.',
    }),
  },
  { title: 'FleetTable' },
)
export type FleetTable = Static<typeof FleetTable>

export const fleetTableOperations = {
  getFleetTable: operation({
    id: 'getFleetTable',
    method: 'GET',
    path: '/api/v1/fleet/table',
    tag: 'Fleet',
    summary: 'Get rows of the table of agents, with current metrics, sorted by any column',
    description:
      'Metrics are the newest values of the last 30 s, or of three intervals of the agent if these are longer, and null without one. Rows without a value of the column come last in both orders; rows with the same value are ordered by id. The order by a metric is computed at most every 5 s and shared by all callers. An app gets agents that its permissions cover, and needs `metrics:read` as well as `agents:read`.',
    auth: 'bearer',
    query: Type.Object({
      ...fleetFilter,
      sort: Type.Optional(oneOf(tableSorts, 'The default is `health`, the worst first.')),
      order: Type.Optional(
        oneOf(sortOrders, 'The default is `desc` for metrics and `last_seen`, and `asc` for other columns.'),
      ),
      offset: Type.Optional(
        Type.Integer({ default: 0, minimum: 0, maximum: maxOffset, description: 'Number of rows to skip.' }),
      ),
      limit: Type.Optional(
        Type.Integer({ default: 100, minimum: 1, maximum: 5000, description: 'Maximum number of rows.' }),
      ),
    }),
    response: FleetTable,
    refusals: [401, 403, 429, 503],
  }),
}

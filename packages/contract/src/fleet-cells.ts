import Type, { type Static } from 'typebox'
import { agentStates, FleetAgent, fleetFilter } from './fleet.ts'
import { healths } from './health.ts'
import { operation } from './operation.ts'
import { Nullable } from './schema.ts'
import { technologies } from './technologies.ts'

/** More agents are grouped in cells. */
export const maxSingleAgents = 2000
/** Cells in each direction. */
export const cellsAcross = 64
/** Steps of the load that a cell counts, each of 20 %. */
export const loadSteps = 5

const counts = (of: string, length: number) =>
  Type.Array(Type.Integer(), { minItems: length, maxItems: length, description: of })

const Area = Type.Object(
  { west: Type.Number(), south: Type.Number(), east: Type.Number(), north: Type.Number() },
  { title: 'Area', description: 'In degrees.' },
)

const Cell = Type.Object(
  {
    latitude: Type.Number({ description: 'Average of its agents.' }),
    longitude: Type.Number({ description: 'Average of its agents.' }),
    agents: Type.Integer({ description: 'Number of agents.' }),
    technologies: counts(`Number of agents by technology: ${technologies.join(', ')}.`, technologies.length),
    states: counts(`Number of agents by state: ${agentStates.join(', ')}.`, agentStates.length),
    healths: counts(`Number of agents by health: ${healths.join(', ')}.`, healths.length),
    loads: Type.Optional(
      counts(
        'Number of agents by load, in steps of 20 %; the last is of those without a value. Only with `loads=true`.',
        loadSteps + 1,
      ),
    ),
  },
  { title: 'FleetCell' },
)

const { ap_id, name, technology, state, health, position } = FleetAgent.properties

const CellAgent = Type.Object(
  {
    ap_id,
    name,
    technology,
    state,
    health,
    position,
    load_pct: Type.Optional(Nullable(Type.Number({ description: 'Only with `loads=true`.' }))),
  },
  { title: 'FleetCellAgent' },
)

export const FleetCells = Type.Object(
  {
    total: Type.Integer({ description: 'Number of agents that match, with or without a position.' }),
    area: Nullable(Area),
    agents: Type.Array(CellAgent, {
      description: `Agents that match and have a position, if they are at most ${maxSingleAgents}.`,
    }),
    cells: Type.Array(Cell, { description: 'Where there are more agents: their cells.' }),
    as_of: Type.String({ format: 'date-time', description: 'Time of the read.' }),
  },
  { title: 'FleetCells', description: '`area` has all of them; it is null if none has a position.' },
)
export type FleetCells = Static<typeof FleetCells>

export const fleetCellOperations = {
  getFleetCells: operation({
    id: 'getFleetCells',
    method: 'GET',
    path: '/api/v1/fleet/cells',
    tag: 'Fleet',
    summary: 'Get agents for a map, grouped by place if there are many',
    description: `At most ${maxSingleAgents} agents are returned one by one. More are grouped in a grid of ${cellsAcross} by ${cellsAcross} cells over the area \`bbox\`, or over all that match without it: zoom in with a smaller area. Cells are computed at most every 2 s, and less often if that takes long, and are shared by callers that see the same agents. An app gets agents that its permissions cover.`,
    auth: 'bearer',
    query: Type.Object({
      ...fleetFilter,
      loads: Type.Optional(
        Type.Boolean({ description: 'Include the load of agents and cells. The default is false.' }),
      ),
    }),
    response: FleetCells,
    refusals: [401, 403, 429, 503],
  }),
}

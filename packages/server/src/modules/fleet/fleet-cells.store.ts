import { agentStates, type Box, healths, loadSteps, technologies } from '@manc/contract'
import { type Postgres, sql } from '../../engines/postgres.ts'
import { agentColumns, type FleetAgent, type FleetFilter, healthRank, matches } from './fleet-list.store.ts'

export interface Cell {
  latitude: number
  longitude: number
  agents: number
  /** In the order of the names in the contract. */
  technologies: number[]
  states: number[]
  healths: number[]
  /** By step; the last is of agents without a value. */
  loads: number[]
}

/** Steps of the loads of agents, by id. */
export type LoadSteps = ReadonlyMap<string, number>

interface Grid {
  area: Box
  /** Width and height of a cell in degrees. */
  cell: number
}

const isPlaced = sql<boolean>`point(longitude, latitude) is not null`

/** Reads the table `fleet` for maps. */
export class FleetCellsStore {
  readonly #postgres: Postgres

  constructor(postgres: Postgres) {
    this.#postgres = postgres
  }

  /** How many match, but at most `max`. */
  async countUpTo(filter: FleetFilter, max: number): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from (select from fleet where ${matches(filter)} limit ${max}) as found
    `.execute(this.#postgres.db)
    return rows[0]?.count ?? 0
  }

  /** All that match and have a position. */
  async agents(filter: FleetFilter): Promise<FleetAgent[]> {
    const { rows } = await sql<FleetAgent>`
      select ${agentColumns} from fleet where ${matches(filter)} and ${isPlaced} order by ap_id
    `.execute(this.#postgres.db)
    return rows
  }

  /** The area of all that match; undefined if none has a position. */
  async area(filter: FleetFilter): Promise<Box | undefined> {
    const { rows } = await sql<Box | Record<keyof Box, null>>`
      select min(longitude) as west, min(latitude) as south, max(longitude) as east, max(latitude) as north
      from fleet where ${matches(filter)} and ${isPlaced}
    `.execute(this.#postgres.db)
    const [area] = rows
    return area && area.west !== null ? area : undefined
  }

  async cells(filter: FleetFilter, { area, cell }: Grid, loads: LoadSteps | undefined): Promise<Cell[]> {
    // An area whose west is east of its east crosses the antimeridian.
    const east = sql`(case when longitude < ${area.west}::float8 then longitude + 360 else longitude end)`
    const { rows } = await sql<Cell>`
      select avg(longitude) as longitude, avg(latitude) as latitude, count(*)::int as agents,
        ${countsOf(sql`technology`, technologies)} as technologies,
        ${countsOf(sql`state`, agentStates)} as states,
        ${countsOf(healthRank, [...healths.keys()])} as healths,
        ${loads ? countsOf(sql`coalesce(step, ${loadSteps}::int)`, [...Array(loadSteps + 1).keys()]) : sql`'{}'::int[]`} as loads
      from fleet ${loads ? joinOf(loads) : sql``}
      where ${matches(filter)} and ${isPlaced}
      group by floor((${east} - ${area.west}::float8) / ${cell}::float8),
        floor((latitude - ${area.south}::float8) / ${cell}::float8)
    `.execute(this.#postgres.db)
    return rows
  }
}

/** An array with the number of rows for each value of an expression. */
function countsOf(expression: ReturnType<typeof sql>, values: readonly (string | number)[]) {
  const counts = values.map((value) => sql`(count(*) filter (where ${expression} = ${sql.lit(value)}))::int`)
  return sql`array[${sql.join(counts)}]`
}

const joinOf = (loads: LoadSteps) =>
  sql`left join unnest(${[...loads.keys()]}::text[], ${[...loads.values()]}::int[]) as load (ap_id, step) using (ap_id)`

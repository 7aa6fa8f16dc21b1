import {
  type AgentState,
  type Box,
  type EmulatedChoice,
  type Health,
  type HealthReason,
  healths,
  type KpiHealth,
  type Technology,
} from '@manc/contract'
import { chunksOf } from '../../chunks.ts'
import { type Postgres, sql } from '../../engines/postgres.ts'
import { escapeLike, likeOfGlob } from '../../globs.ts'

export interface FleetAgent {
  apId: string
  name: string | null
  technology: Technology
  state: AgentState
  since: Date
  lastSeen: Date | null
  latitude: number | null
  longitude: number | null
  intervalS: number
  kpiHealth: KpiHealth
  kpiHealthSince: Date
  kpiReasons: HealthReason[]
}

export interface Count {
  technology: Technology
  state: AgentState
  health: Health
  agents: number
  /** Emulated agents that the view leaves out. */
  hidden: number
}

/** The agents that a caller sees. */
export interface FleetView {
  /** Id patterns of the agents that the caller may see; undefined: all agents. */
  patterns: readonly string[] | undefined
  emulated: EmulatedChoice
  /** Id of the caller, who owns some of the emulated agents. */
  owner: string
}

/** What figures need of an agent. */
export interface AgentKind {
  technology: Technology
  /** Owner of its emulation; null for an agent that is not emulated. */
  emulatedBy: string | null
}

/** Agents with similar intervals. */
export interface SlowGroup {
  shortestS: number
  longestS: number
  agents: number
}

/** Whether an agent works: `well` is neither offline nor bad. */
export type Condition = 'well' | 'offline' | 'bad'

export interface FleetFilter {
  ids?: readonly string[]
  view: FleetView
  box?: Box
  /** Beside those in the box, also agents without a position. */
  hasUnplaced?: true
  technologies?: readonly Technology[]
  states?: readonly AgentState[]
  healths?: readonly Health[]
  /** Part of the id or name. */
  text?: string
}

interface SampledAgent {
  apId: string
  intervalS: number
}

export interface FleetSample {
  /** How many agents match. */
  total: number
  agents: SampledAgent[]
}

/** An agent in the list by health. */
export interface HealthPosition {
  health: Health
  apId: string
}

/** The columns of an agent. */
export const agentColumns = sql`ap_id as "apId", name, technology, state, since, last_seen as "lastSeen", latitude,
  longitude, interval_s as "intervalS", kpi_health as "kpiHealth", health_since as "kpiHealthSince",
  reasons as "kpiReasons"`
export const agentColumnCount = 12

/** The position in `healths`. The text is that of the index `fleet_by_health`, which is not used otherwise. */
export const healthRank = sql<number>`(case when state = 'offline' then 2 when kpi_health = 'bad' then 0
  when kpi_health = 'degraded' then 1 when kpi_health = 'unknown' then 3 else 4 end)`
const rankOf = (health: Health) => healths.indexOf(health)

/** So that each query ends within the timeout. */
const idsPerQuery = 5000

/** Reads the table `fleet` for lists, maps and counts. */
export class FleetListStore {
  readonly #postgres: Postgres

  constructor(postgres: Postgres) {
    this.#postgres = postgres
  }

  async counts(view: FleetView): Promise<Count[]> {
    return view.patterns ? this.#countRows(view) : this.#sumCounts(view)
  }

  /** Of the whole fleet: costs the same for any number of agents. */
  async #sumCounts(view: FleetView): Promise<Count[]> {
    const isShown = isShownEmulated(view)
    return this.#postgres.db
      .selectFrom('fleet_counts')
      .select(['technology', 'state', 'health'])
      .select(sql<number>`(coalesce(sum(agents) filter (where ${isShown}), 0))::int`.as('agents'))
      .select(sql<number>`(coalesce(sum(agents) filter (where not ${isShown}), 0))::int`.as('hidden'))
      .groupBy(['technology', 'state', 'health'])
      .execute()
  }

  async #countRows(view: FleetView): Promise<Count[]> {
    const isShown = isShownEmulated(view)
    return this.#postgres.db
      .selectFrom('fleet')
      .select(['technology', 'state'])
      .select(sql<Health>`case when state = 'offline' then state else kpi_health end`.as('health'))
      .select(sql<number>`(count(*) filter (where ${isShown}))::int`.as('agents'))
      .select(sql<number>`(count(*) filter (where not ${isShown}))::int`.as('hidden'))
      .where(matchesPatterns(view))
      .groupBy(['technology', 'state', 'health'])
      .execute()
  }

  /** Of these agents, without those that are not registered; the same object for all of one kind. */
  async kinds(apIds: readonly string[]): Promise<Map<string, AgentKind>> {
    const kinds = new Map<string, AgentKind>()
    const known = new Map<string, AgentKind>()
    for (const some of chunksOf(apIds, idsPerQuery)) {
      const { rows } = await sql<AgentKind & { ids: string }>`
        select technology, emulated_by as "emulatedBy", string_agg(ap_id, E'\n') as ids
        from fleet where ap_id = any(${some}::text[]) group by technology, emulated_by
      `.execute(this.#postgres.db)
      for (const { technology, emulatedBy, ids } of rows) {
        const key = JSON.stringify([technology, emulatedBy])
        const kind = known.get(key) ?? { technology, emulatedBy }
        known.set(key, kind)
        for (const apId of ids.split('\n')) kinds.set(apId, kind)
      }
    }
    return kinds
  }

  /** The agents that send less often than this. The longest interval of a group is at most twice its shortest one. */
  async slowGroups(intervalS: number): Promise<SlowGroup[]> {
    const { rows } = await sql<SlowGroup>`
      select min(interval_s) as "shortestS", max(interval_s) as "longestS", count(*)::int as agents
      from fleet where interval_s > ${intervalS} group by ceil(ln(interval_s) / ln(2::float8))
    `.execute(this.#postgres.db)
    return rows
  }

  async idsOf({ shortestS, longestS }: SlowGroup): Promise<string[]> {
    const { rows } = await sql<{ apId: string }>`
      select ap_id as "apId" from fleet where interval_s between ${shortestS} and ${longestS}
    `.execute(this.#postgres.db)
    return rows.map(({ apId }) => apId)
  }

  /** Without agents that are not registered. */
  async intervals(apIds: readonly string[]): Promise<Map<string, number>> {
    const intervals = new Map<string, number>()
    for (const some of chunksOf(apIds, idsPerQuery)) {
      const { rows } = await sql<SampledAgent>`
        select ap_id as "apId", interval_s as "intervalS" from fleet where ap_id = any(${some}::text[])
      `.execute(this.#postgres.db)
      for (const row of rows) intervals.set(row.apId, row.intervalS)
    }
    return intervals
  }

  /** Without agents that are not registered. */
  async conditions(apIds: readonly string[]): Promise<Map<string, Condition>> {
    const conditions = new Map<string, Condition>()
    for (const some of chunksOf(apIds, idsPerQuery)) {
      const { rows } = await sql<{ apId: string; condition: Condition }>`
        select ap_id as "apId", case when state = 'offline' then 'offline' when kpi_health = 'bad' then 'bad'
          else 'well' end as condition
        from fleet where ap_id = any(${some}::text[])
      `.execute(this.#postgres.db)
      for (const { apId, condition } of rows) conditions.set(apId, condition)
    }
    return conditions
  }

  /** Ordered by id. */
  async page(filter: FleetFilter, after: string, limit: number): Promise<FleetAgent[]> {
    const { rows } = await sql<FleetAgent>`
      select ${agentColumns} from fleet where ap_id > ${after} and ${matches(filter)} order by ap_id limit ${limit}
    `.execute(this.#postgres.db)
    return rows
  }

  /** Ordered by health, the worst first, and by id. */
  async pageByHealth(
    filter: FleetFilter,
    after: HealthPosition | undefined,
    limit: number,
  ): Promise<FleetAgent[]> {
    const isLater = after
      ? sql`(${healthRank}, ap_id) > (${rankOf(after.health)}::int, ${after.apId})`
      : sql`true`
    const { rows } = await sql<FleetAgent>`
      select ${agentColumns} from fleet where ${isLater} and ${matches(filter)}
      order by ${healthRank}, ap_id limit ${limit}
    `.execute(this.#postgres.db)
    return rows
  }

  /** Some of the agents that match, chosen evenly, and how many match. The same ones for the same agents. */
  async sample(filter: FleetFilter, limit: number): Promise<FleetSample> {
    const { rows } = await sql<SampledAgent & { total: number }>`
      select ap_id as "apId", interval_s as "intervalS", (count(*) over ())::int as total from fleet
      where ${matches(filter)} order by hashtextextended(ap_id, 0), ap_id limit ${limit}
    `.execute(this.#postgres.db)
    return { total: rows[0]?.total ?? 0, agents: rows.map(({ apId, intervalS }) => ({ apId, intervalS })) }
  }

  /** Ordered by id, with their configurations. */
  async choose(filter: FleetFilter, limit: number): Promise<{ apId: string; configuration: string }[]> {
    const { rows } = await sql<{ apId: string; configuration: string }>`
      select ap_id as "apId", configuration from agents left join fleet using (ap_id)
      where ${matches(filter)} order by ap_id limit ${limit}
    `.execute(this.#postgres.db)
    return rows
  }

  /** Ordered by id. */
  async ids(filter: FleetFilter, limit: number): Promise<string[]> {
    const { rows } = await sql<{ apId: string }>`
      select ap_id as "apId" from agents left join fleet using (ap_id)
      where ${matches(filter)} order by ap_id limit ${limit}
    `.execute(this.#postgres.db)
    return rows.map(({ apId }) => apId)
  }
}

export const isVisible = (view: FleetView) =>
  sql<boolean>`(${matchesPatterns(view)} and ${isShownEmulated(view)})`

const matchesPatterns = ({ patterns }: FleetView) =>
  patterns ? sql<boolean>`ap_id like any(${patterns.map(likeOfGlob)}::text[])` : sql<boolean>`true`

/** By columns of the row, so that the check costs the same for any number of emulations. */
export function isShownEmulated({ emulated, owner }: FleetView) {
  if (emulated === 'all') return sql<boolean>`true`
  if (emulated === 'none') return sql<boolean>`(emulated_by is null)`
  return sql<boolean>`(emulated_by is null or emulated_by = ${owner}::uuid)`
}

/** The condition of a filter on rows of `fleet`. */
export function matches(filter: FleetFilter) {
  const { ids, view, box, hasUnplaced, technologies, states, healths: wanted, text } = filter
  const like = `%${escapeLike(text ?? '')}%`
  return sql<boolean>`(${isVisible(view)}
    and ${ids ? sql`ap_id = any(${ids}::text[])` : sql`true`}
    and ${box ? (hasUnplaced ? sql`(${isIn(box)} or ${isUnplaced})` : isIn(box)) : sql`true`}
    and ${technologies ? sql`technology = any(${technologies}::text[])` : sql`true`}
    and ${states ? sql`state = any(${states}::text[])` : sql`true`}
    and ${wanted ? sql`${healthRank} = any(${wanted.map(rankOf)}::int[])` : sql`true`}
    and ${text === undefined ? sql`true` : sql`(ap_id ilike ${like} or name ilike ${like})`})`
}

/** With the expression of the index `fleet_places`. */
const isUnplaced = sql<boolean>`point(longitude, latitude) is null`

/** A box whose west is east of its east crosses the antimeridian. */
function isIn({ west, south, east, north }: Box) {
  const within = (from: number, to: number) =>
    sql<boolean>`point(longitude, latitude) <@ box(point(${from}, ${south}), point(${to}, ${north}))`
  return west <= east ? within(west, east) : sql<boolean>`(${within(west, 180)} or ${within(-180, east)})`
}

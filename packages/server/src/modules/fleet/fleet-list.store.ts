import type { AgentState, Box, EmulatedChoice, Technology } from '@manc/contract'
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
}

export interface Count {
  technology: Technology
  state: AgentState
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

export interface FleetFilter {
  ids?: readonly string[]
  view: FleetView
  box?: Box
  technologies?: readonly Technology[]
  states?: readonly AgentState[]
  /** Part of the id or name. */
  text?: string
}

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
      .select(['technology', 'state'])
      .select(sql<number>`(coalesce(sum(agents) filter (where ${isShown}), 0))::int`.as('agents'))
      .select(sql<number>`(coalesce(sum(agents) filter (where not ${isShown}), 0))::int`.as('hidden'))
      .groupBy(['technology', 'state'])
      .execute()
  }

  async #countRows(view: FleetView): Promise<Count[]> {
    const isShown = isShownEmulated(view)
    return this.#postgres.db
      .selectFrom('fleet')
      .select(['technology', 'state'])
      .select(sql<number>`(count(*) filter (where ${isShown}))::int`.as('agents'))
      .select(sql<number>`(count(*) filter (where not ${isShown}))::int`.as('hidden'))
      .where(matchesPatterns(view))
      .groupBy(['technology', 'state'])
      .execute()
  }

  /** Without agents that are not registered. */
  async kinds(apIds: readonly string[]): Promise<Map<string, AgentKind>> {
    const kinds = new Map<string, AgentKind>()
    for (let start = 0; start < apIds.length; start += idsPerQuery) {
      const rows = await this.#postgres.db
        .selectFrom('fleet')
        .select(['ap_id', 'technology', 'emulated_by as emulatedBy'])
        .where(sql<boolean>`ap_id = any(${apIds.slice(start, start + idsPerQuery)}::text[])`)
        .execute()
      for (const { ap_id: apId, ...kind } of rows) kinds.set(apId, kind)
    }
    return kinds
  }

  async page(filter: FleetFilter, after: string, limit: number): Promise<FleetAgent[]> {
    return this.#postgres.db
      .selectFrom('fleet')
      .select(['ap_id as apId', 'name', 'technology', 'state', 'since', 'last_seen as lastSeen'])
      .select(['latitude', 'longitude', 'interval_s as intervalS'])
      .where('ap_id', '>', after)
      .where(matches(filter))
      .orderBy('ap_id')
      .limit(limit)
      .execute()
  }

  /** Ordered by id, with their configurations. */
  async choose(filter: FleetFilter, limit: number): Promise<{ apId: string; configuration: string }[]> {
    const { rows } = await sql<{ apId: string; configuration: string }>`
      select ap_id as "apId", configuration from agents left join fleet using (ap_id)
      where ${matches(filter)} order by ap_id limit ${limit}
    `.execute(this.#postgres.db)
    return rows
  }
}

export const isVisible = (view: FleetView) =>
  sql<boolean>`(${matchesPatterns(view)} and ${isShownEmulated(view)})`

const matchesPatterns = ({ patterns }: FleetView) =>
  patterns ? sql<boolean>`ap_id like any(${patterns.map(likeOfGlob)}::text[])` : sql<boolean>`true`

/** By columns of the row, so that the check costs the same for any number of emulations. */
function isShownEmulated({ emulated, owner }: FleetView) {
  if (emulated === 'all') return sql<boolean>`true`
  if (emulated === 'none') return sql<boolean>`(emulated_by is null)`
  return sql<boolean>`(emulated_by is null or emulated_by = ${owner}::uuid)`
}

function matches({ ids, view, box, technologies, states, text }: FleetFilter) {
  const like = `%${escapeLike(text ?? '')}%`
  return sql<boolean>`(${isVisible(view)}
    and ${ids ? sql`ap_id = any(${ids}::text[])` : sql`true`}
    and ${box ? isIn(box) : sql`true`}
    and ${technologies ? sql`technology = any(${technologies}::text[])` : sql`true`}
    and ${states ? sql`state = any(${states}::text[])` : sql`true`}
    and ${text === undefined ? sql`true` : sql`(ap_id ilike ${like} or name ilike ${like})`})`
}

/** A box whose west is east of its east crosses the antimeridian. */
function isIn({ west, south, east, north }: Box) {
  const within = (from: number, to: number) =>
    sql<boolean>`point(longitude, latitude) <@ box(point(${from}, ${south}), point(${to}, ${north}))`
  return west <= east ? within(west, east) : sql<boolean>`(${within(west, 180)} or ${within(-180, east)})`
}

import { Batcher } from '../../engines/batcher.ts'
import { type Postgres, sql } from '../../engines/postgres.ts'
import { likeOfGlob } from '../../globs.ts'
import type { Agent } from './agents.store.ts'

export interface AgentDetails extends Agent {
  onboard: boolean
}

export interface PageText {
  /** JSON objects, separated by commas, without the brackets of an array. */
  items: string
  /** The last id in it. */
  last: string | null
  /** How many agents were read, and how many of them fit. */
  found: number
  taken: number
}

export class DetailsStore {
  readonly #postgres: Postgres
  readonly #createdAt: Batcher<string, Date>

  constructor(postgres: Postgres) {
    this.#postgres = postgres
    this.#createdAt = new Batcher((apIds) => this.#createdAtOf(apIds))
  }

  /** Ordered by id. `visible`: patterns of ids; undefined: all agents. */
  async page(visible: readonly string[] | undefined, after: string, limit: number): Promise<AgentDetails[]> {
    const agents = this.#postgres.db
      .selectFrom('agents')
      .select(['id', 'ap_id as apId', 'configuration', 'onboard'])
      .where('ap_id', '>', after)
      .orderBy('ap_id')
      .limit(limit)
    return (visible ? agents.where(isOneOf(visible)) : agents).execute()
  }

  /**
   * Agents after an id, with their state, as JSON text: as many as fit into `maxBytes`, but at least one.
   * The database formats it: for 100,000 rows that is cheaper than objects in this process.
   */
  async pageAsText(
    after: string,
    { visible, limit, maxBytes }: { visible: readonly string[] | undefined; limit: number; maxBytes: number },
  ): Promise<PageText> {
    const [page] = await this.#postgres.read<PageText>(
      'details text',
      `select coalesce(string_agg(item, ',' order by ap_id) filter (where fits), '') as items,
         max(ap_id) filter (where fits) as last, count(*)::int as found, (count(*) filter (where fits))::int as taken
       from (
         select ap_id, item, n = 1 or sum(octet_length(item) + 1) over (order by ap_id) <= $4 as fits
         from (
           select ap_id, row_number() over (order by ap_id) as n,
             '{"id":"' || id || '","ap_id":' || to_json(ap_id) || ',"configuration":' || configuration ||
             ',"onboard":' || onboard || ',"online":' || coalesce(fleet.state = 'online', false) || '}' as item
           from agents left join fleet using (ap_id)
           where ap_id > $1 and ($2::text[] is null or ap_id like any($2))
           order by ap_id limit $3
         ) as page
       ) as measured`,
      [after, visible?.map(likeOfGlob) ?? null, limit, maxBytes],
    )
    return page ?? { items: '', last: null, found: 0, taken: 0 }
  }

  /** When the agent was created; undefined if there is none. */
  createdAt(apId: string): Promise<Date | undefined> {
    return this.#createdAt.find(apId)
  }

  async #createdAtOf(apIds: string[]): Promise<Map<string, Date>> {
    const rows = await this.#postgres.read<{ apId: string; createdAt: Date }>(
      'agents created at',
      'select ap_id as "apId", created_at as "createdAt" from agents where ap_id = any($1)',
      [apIds],
    )
    return new Map(rows.map(({ apId, createdAt }) => [apId, createdAt]))
  }
}

/** Ids are compared without patterns if they are none: then the rows of other agents are not read. */
function isOneOf(patterns: readonly string[]) {
  return patterns.some((pattern) => pattern.includes('*'))
    ? sql<boolean>`ap_id like any(${patterns.map(likeOfGlob)}::text[])`
    : sql<boolean>`ap_id = any(${patterns}::text[])`
}

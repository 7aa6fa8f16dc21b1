import { Batcher } from '../../engines/batcher.ts'
import type { Postgres } from '../../engines/postgres.ts'
import { likeOfGlob } from '../../globs.ts'
import type { Agent } from './agents.store.ts'

export interface AgentDetails extends Agent {
  onboard: boolean
}

/** Items without their brackets. */
export interface Piece {
  items: string
  /** The last id in it. */
  last: string | null
  /** How many were looked at, and how many of those are in it. */
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

  /** A page in the order of ids; with it the whole list is read piece by piece. */
  async page(after: string, limit: number): Promise<AgentDetails[]> {
    return this.#postgres.db
      .selectFrom('agents')
      .select(['id', 'ap_id as apId', 'configuration', 'onboard'])
      .where('ap_id', '>', after)
      .orderBy('ap_id')
      .limit(limit)
      .execute()
  }

  /**
   * Of the agents after an id, as JSON that the database has put together: as many as fit into the bytes, at least one
   * where there is any. A hundred thousand rows would cost us more as objects than they do here as text.
   */
  async textWithState(
    after: string,
    { seen, most, bytes }: { seen: readonly string[] | undefined; most: number; bytes: number },
  ): Promise<Piece> {
    const [piece] = await this.#postgres.read<Piece>(
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
      [after, seen?.map(likeOfGlob) ?? null, most, bytes],
    )
    return piece ?? { items: '', last: null, found: 0, taken: 0 }
  }

  /** Since when there has been this agent; undefined where there is none. */
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

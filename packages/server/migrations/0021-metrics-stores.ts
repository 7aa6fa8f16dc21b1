import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- The metrics stores in use, by host, port and path of their URLs.
    create table metrics_stores (
      name text primary key,
      -- One process at a time repairs a store.
      repairer uuid,
      leased_until timestamptz not null default now()
    );

    -- Ranges of sample times in which a store misses samples that another one has.
    create table metrics_gaps (
      id bigint generated always as identity primary key,
      store text not null,
      source text not null,
      from_ms bigint not null,
      to_ms bigint not null,
      -- Incremented when more samples of the range are missed, so that a repair in progress is repeated.
      revision bigint not null default 1,
      repair_after timestamptz not null default now(),
      unique (store, source, from_ms, to_ms)
    );
  `.execute(db)
}

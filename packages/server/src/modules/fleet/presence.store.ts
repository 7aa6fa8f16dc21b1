import { type Postgres, sql } from '../../engines/postgres.ts'

/** An agent that an ingester has begun to keep. */
export interface Kept {
  apId: string
  state: 'online' | 'stale'
  intervalS: number
}

export interface Verdict {
  apId: string
  state: 'stale' | 'offline'
  /** For how long nothing has been heard of it. */
  quietS: number
}

/** At most one an agent. */
export interface Status {
  apId: string
  isFarewell: boolean
  /** When the connection began that it tells of, by the agent's clock. */
  connectedAt: Date | undefined
}

/** Above every transaction: for the first time, when there is nothing to lose yet. */
const lastHorizon = '18446744073709551615'
/** A keeper that has not said so for this long is gone. */
const goneAfterS = 10

/** Changes of state, many in a statement. */
export class PresenceStore {
  readonly #postgres: Postgres

  constructor(postgres: Postgres) {
    this.#postgres = postgres
  }

  /** Those that are heard of are online, and kept by whoever hears them. What no longer exists is left out. */
  async claim(keeper: string, apIds: string[]): Promise<Kept[]> {
    await sql`update agents set onboard = true where ap_id = any(${apIds}) and not onboard`.execute(
      this.#postgres.db,
    )
    // In one order, so that two keepers with the same agents wait for each other at most.
    const { rows } = await sql<Kept>`
      insert into fleet (ap_id, state, keeper)
      select ap_id, 'online', ${keeper}::uuid from agents where ap_id = any(${apIds}) order by ap_id
      on conflict (ap_id) do update set
        since = case when fleet.state = 'online' then fleet.since else now() end,
        state = 'online', last_seen = null, keeper = excluded.keeper, transaction_id = pg_current_xact_id()
      returning ap_id as "apId", state, interval_s as "intervalS"
    `.execute(this.#postgres.db)
    return rows
  }

  /** Only its own: an agent that somebody else has heard of since is theirs to judge. */
  async judge(keeper: string, verdicts: Verdict[]): Promise<void> {
    const apIds = verdicts.map(({ apId }) => apId)
    // First by id, then by keeper: how many agents a keeper has is nothing that the planner could know.
    await sql`
      with judged as materialized (
        select ap_id, keeper from fleet where ap_id = any(${apIds}) order by ap_id for update
      )
      update fleet set
        state = verdict.state, since = now(), last_seen = now() - make_interval(secs => verdict.quiet_s),
        keeper = case when verdict.state <> 'offline' then fleet.keeper end,
        transaction_id = pg_current_xact_id()
      from judged join unnest(
        ${apIds}::text[],
        ${verdicts.map(({ state }) => state)}::text[],
        ${verdicts.map(({ quietS }) => quietS)}::double precision[]) as verdict (ap_id, state, quiet_s)
        on judged.ap_id = verdict.ap_id and judged.keeper = ${keeper}
      where fleet.ap_id = judged.ap_id
    `.execute(this.#postgres.db)
  }

  /** What was taken out of this keeper's hands since the horizon, and the horizon for the next time. */
  async lost(keeper: string, horizon = lastHorizon): Promise<{ apIds: string[]; horizon: string }> {
    const { rows } = await sql<{ horizon: string; apId: string | null }>`
      select now.horizon, fleet.ap_id as "apId"
      from (select pg_snapshot_xmin(pg_current_snapshot())::text as horizon) as now
      left join fleet on fleet.transaction_id >= ${horizon}::xid8 and fleet.keeper is distinct from ${keeper}
    `.execute(this.#postgres.db)
    return {
      apIds: rows.flatMap(({ apId }) => apId ?? []),
      horizon: rows[0]?.horizon ?? horizon,
    }
  }

  /** Takes over agents that nobody keeps, and if asked to those whose keeper is gone. */
  async adopt(keeper: string, most: number, alsoOfGone: boolean): Promise<Kept[]> {
    const orOfGone = alsoOfGone ? sql`or keeper = any(array(${this.#gone()}))` : sql``
    const { rows } = await sql<Kept>`
      update fleet set keeper = ${keeper}, transaction_id = pg_current_xact_id()
      where ap_id in (
        select ap_id from fleet
        where state <> 'offline' and (keeper is null ${orOfGone})
        limit ${most} for update skip locked)
      returning ap_id as "apId", state, interval_s as "intervalS"
    `.execute(this.#postgres.db)
    return rows
  }

  /** The keepers that are gone and have left nobody behind. */
  async forgetGone(): Promise<void> {
    await sql`
      delete from fleet_keepers where id in (${this.#gone()})
      and not exists (select from fleet where keeper = fleet_keepers.id and state <> 'offline')
    `.execute(this.#postgres.db)
  }

  async beat(keeper: string, isCurrent: boolean): Promise<void> {
    await sql`
      insert into fleet_keepers as known (id, alive_at, judged_at) values (${keeper}, now(), now())
      on conflict (id) do update set
        alive_at = now(), judged_at = case when ${isCurrent} then now() else known.judged_at end
    `.execute(this.#postgres.db)
  }

  /** Leaves its agents to the others at once. */
  async retire(keeper: string): Promise<void> {
    await sql`update fleet_keepers set alive_at = '-infinity' where id = ${keeper}`.execute(this.#postgres.db)
  }

  /**
   * What agents say of themselves, or the broker in their name. Who has arrived is online until its samples, or their
   * absence, tell more. A last will may come late, when the agent has long connected anew: where it names its
   * connection the newer one wins, where it does not the next sample decides.
   */
  async said(statuses: Status[]): Promise<void> {
    await sql`
      update fleet set
        state = case when not said.farewell then 'online' when said.connected_at is null then 'stale' else 'offline' end,
        since = case when fleet.state = 'online' and not said.farewell then fleet.since else now() end,
        last_seen = case when said.farewell then now() end,
        connected_at = coalesce(said.connected_at, fleet.connected_at),
        keeper = null, transaction_id = pg_current_xact_id()
      from unnest(
        ${statuses.map(({ apId }) => apId)}::text[],
        ${statuses.map(({ isFarewell }) => isFarewell)}::boolean[],
        ${statuses.map(({ connectedAt }) => connectedAt ?? null)}::timestamptz[])
        as said (ap_id, farewell, connected_at)
      where fleet.ap_id = said.ap_id
        and (said.connected_at is null or fleet.connected_at is null or fleet.connected_at <= said.connected_at)
        and (not said.farewell or fleet.state = 'online' or fleet.state = 'stale' and said.connected_at is not null)
    `.execute(this.#postgres.db)
  }

  #gone() {
    return sql<string>`
      select id from fleet_keepers where alive_at < now() - make_interval(secs => ${goneAfterS})
    `
  }
}

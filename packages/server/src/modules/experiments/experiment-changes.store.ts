import { experimentLeaseS } from '@manc/contract'
import { deleteInBatches } from '../../engines/postgres.batches.ts'
import { type Postgres, sql, type Tx } from '../../engines/postgres.ts'
import type { ExperimentRow, LockedRun, NewExperiment, OfferedRun } from './experiments.types.ts'

/** As the database has it: JSON texts. */
interface StoredOffer extends Pick<OfferedRun, 'id' | 'policy' | 'seed' | 'durationS'> {
  world: string
  documents: string
  places: string | null
  command: string | null
}

interface Usage {
  active: number
  kept: number
}

/** A run that is claimed by a process that crashes before it has published it is offered by another one after this time. */
const claimS = 10
/** A message may have been lost with the data of the broker: a run that no emulator has taken by then is offered again. */
const offerAgainS = 900

/**
 * The only writer of the tables `experiments`, `experiment_runs` and `experiment_starts`. An experiment is locked before its
 * runs, so that changes of the same experiment wait for each other and none for two.
 */
export class ExperimentChangeStore {
  readonly #postgres: Postgres

  constructor(postgres: Postgres) {
    this.#postgres = postgres
  }

  /**
   * The number of experiments that the owner has started recently, including this one: it decays by `perHour` an hour.
   * Locks the row, so that requests of one owner run one after the other. The transaction that had the lock before may have
   * begun later: then no time has passed.
   */
  async countStart(tx: Tx, owner: string, perHour: number): Promise<number> {
    const { rows } = await sql<{ recent: number }>`
      insert into experiment_starts as known (owner, recent) values (${owner}::uuid, 1)
      on conflict (owner) do update set counted_at = greatest(now(), known.counted_at),
        recent = 1 + greatest(0, known.recent
          - greatest(0, extract(epoch from now() - known.counted_at)) * ${perHour}::float8 / 3600)
      returning recent
    `.execute(tx)
    return rows[0]?.recent ?? 0
  }

  /** The limit of stored experiments bounds the number of rows that are read. */
  async usage(tx: Tx, owner: string): Promise<Usage> {
    const { rows } = await sql<Usage>`
      select count(*)::int as kept, count(*) filter (where state in ('waiting', 'running'))::int as active
      from experiments where owner = ${owner}::uuid
    `.execute(tx)
    return rows[0] ?? { active: 0, kept: 0 }
  }

  /** Runs of all experiments that have not ended. Other requests that ask wait until the transaction ends. */
  async openRuns(tx: Tx): Promise<number> {
    await sql`select pg_advisory_xact_lock(hashtext('runs of experiments of all'))`.execute(tx)
    const { rows } = await sql<{ open: number }>`
      select coalesce(sum(runs - finished - failed), 0)::int as open
      from experiments where state in ('waiting', 'running')
    `.execute(tx)
    return rows[0]?.open ?? 0
  }

  async insert(tx: Tx, experiment: NewExperiment, withinS: number): Promise<void> {
    const { id, owner, key, runs } = experiment
    // A key may be used again after 24 hours.
    if (key !== undefined)
      await sql`
        update experiments set request_key = null where owner = ${owner}::uuid and request_key = ${key}
      `.execute(tx)
    await tx
      .insertInto('experiments')
      .values({
        id,
        owner,
        owner_kind: experiment.ownerKind,
        owner_name: experiment.ownerName,
        request_key: key ?? null,
        name: experiment.name,
        kind: experiment.kind,
        world: JSON.stringify(experiment.world),
        places: experiment.places && JSON.stringify(experiment.places),
        command: experiment.command && JSON.stringify(experiment.command),
        policies: JSON.stringify(experiment.policies),
        documents: JSON.stringify(experiment.documents),
        seed: experiment.seed,
        repetitions: experiment.repetitions,
        duration_s: experiment.durationS,
        runs: runs.length,
        expires_at: sql<Date>`now() + make_interval(secs => ${withinS})`,
      })
      .execute()
    await sql`
      insert into experiment_runs (id, experiment_id, run, policy, seed)
      select new.id, ${id}::uuid, new.run, new.policy, new.seed
      from unnest(${runs.map((run) => run.id)}::uuid[], ${runs.map(({ policy }) => policy)}::text[],
        ${runs.map(({ seed }) => seed)}::text[]) with ordinality as new (id, policy, seed, run)
    `.execute(tx)
  }

  /**
   * Claims runs that wait, as long as few are in the queue: `min`, and two more for each run that is executed, since these show
   * how many emulators there are. Owners take turns: the one with the fewest runs in the queue or executed comes first. The
   * experiments of one owner take turns as well, run by run.
   */
  async claimWaiting({ min, max }: { min: number; max: number }): Promise<OfferedRun[]> {
    const { rows } = await sql<StoredOffer>`
      with claimed as (
        update experiment_runs set due_at = now() + make_interval(secs => ${claimS})
        where id = any(array(
          select due.id from experiment_runs due join (
            select r.id, row_number() over (partition by e.owner
              order by (r.is_offered and r.due_at > now()) desc, r.run, r.experiment_id) as turn
            from experiment_runs r join experiments e on e.id = r.experiment_id
            where r.due_at is not null) turns on turns.id = due.id
          where due.state = 'waiting' and due.due_at <= now()
          order by turns.turn, due.run, due.experiment_id
          limit greatest(0, (
            select least(${max}::int, ${min}::int + 2 * count(*) filter (where state = 'running'))
              - count(*) filter (where state = 'waiting' and is_offered)
            from experiment_runs where due_at > now()))
          for update of due skip locked))
        returning id, experiment_id, run, policy, seed)
      select claimed.id, claimed.policy, claimed.seed, world, places, command, documents, duration_s as "durationS"
      from claimed join experiments on experiments.id = claimed.experiment_id
      order by claimed.run, claimed.experiment_id
    `.execute(this.#postgres.db)
    return rows.map(({ world, places, command, documents, ...run }) => ({
      ...run,
      places: places === null ? null : (JSON.parse(places) as OfferedRun['places']),
      command: command === null ? null : (JSON.parse(command) as OfferedRun['command']),
      world: JSON.parse(world) as OfferedRun['world'],
      documents: JSON.parse(documents) as OfferedRun['documents'],
    }))
  }

  /** Unless an emulator has taken it meanwhile. */
  async setOffered(id: string): Promise<void> {
    await sql`
      update experiment_runs set is_offered = true, due_at = now() + make_interval(secs => ${offerAgainS})
      where id = ${id}::uuid and state = 'waiting'
    `.execute(this.#postgres.db)
  }

  /** Runs whose emulator has not reported in time. */
  async lapsedRuns(limit: number): Promise<string[]> {
    const { rows } = await sql<{ id: string }>`
      select id from experiment_runs where state = 'running' and due_at < now() order by due_at limit ${limit}
    `.execute(this.#postgres.db)
    return rows.map(({ id }) => id)
  }

  /** Undefined where it was deleted. */
  async lockRun(tx: Tx, id: string): Promise<LockedRun | undefined> {
    await sql`
      select 1 from experiments
      where id = (select experiment_id from experiment_runs where id = ${id}::uuid) for update
    `.execute(tx)
    const { rows } = await sql<LockedRun>`
      select id, experiment_id as "experimentId", state, attempts, emulator, digest,
        state = 'running' and due_at > now() as "isLeased"
      from experiment_runs where id = ${id}::uuid for update
    `.execute(tx)
    return rows[0]
  }

  /** Takes the lease. A repeated report of the same emulator is the same attempt. */
  async setStarted(tx: Tx, { id, experimentId }: LockedRun, emulator: string): Promise<void> {
    await sql`
      update experiment_runs set state = 'running', emulator = ${emulator}::uuid, progress_pct = 0, is_offered = true,
        attempts = attempts + (state = 'waiting' or emulator is distinct from ${emulator}::uuid)::int,
        due_at = now() + make_interval(secs => ${experimentLeaseS})
      where id = ${id}::uuid
    `.execute(tx)
    await sql`
      update experiments set state = 'running' where id = ${experimentId}::uuid and state = 'waiting'
    `.execute(tx)
  }

  /** False where another emulator has the lease, or the run has ended. */
  async renew(id: string, emulator: string, progressPct: number): Promise<boolean> {
    const { numAffectedRows = 0n } = await sql`
      update experiment_runs set progress_pct = ${progressPct},
        due_at = now() + make_interval(secs => ${experimentLeaseS})
      where id = ${id}::uuid and state = 'running' and emulator = ${emulator}::uuid
    `.execute(this.#postgres.db)
    return numAffectedRows > 0n
  }

  /** It is offered to other emulators. */
  async setWaiting(tx: Tx, { id }: LockedRun): Promise<void> {
    await sql`
      update experiment_runs set state = 'waiting', emulator = null, progress_pct = 0, is_offered = false, due_at = now()
      where id = ${id}::uuid
    `.execute(tx)
  }

  async setFinished(
    tx: Tx,
    { id, experimentId }: LockedRun,
    { figures, series, digest }: { figures: string; series: string; digest: string },
  ): Promise<void> {
    await sql`
      update experiment_runs set state = 'finished', progress_pct = 100, is_offered = false, due_at = null,
        figures = ${figures}, series = ${series}, digest = ${digest}, detail = null
      where id = ${id}::uuid
    `.execute(tx)
    await this.#countEnded(tx, experimentId, { finished: 1, failed: 0 })
  }

  async setFailed(tx: Tx, { id, experimentId }: LockedRun, detail: string): Promise<void> {
    await sql`
      update experiment_runs set state = 'failed', is_offered = false, due_at = null, detail = ${detail}
      where id = ${id}::uuid
    `.execute(tx)
    await this.#countEnded(tx, experimentId, { finished: 0, failed: 1 })
  }

  /** False where it has ended before. Results stay. */
  async cancel(tx: Tx, id: string): Promise<boolean> {
    const { numAffectedRows = 0n } = await sql`
      update experiments set state = 'cancelled', ended_at = now()
      where id = ${id}::uuid and state in ('waiting', 'running')
    `.execute(tx)
    await this.#endOpenRuns(tx, id, 'cancelled', null)
    return numAffectedRows > 0n
  }

  async delete(tx: Tx, id: string): Promise<void> {
    // As for the other changes: before the runs, which are deleted with it.
    await sql`select 1 from experiments where id = ${id}::uuid for update`.execute(tx)
    await sql`delete from experiments where id = ${id}::uuid`.execute(tx)
  }

  /** False if the owner has none that has ended. */
  async deleteOldestWhatIf(tx: Tx, owner: string): Promise<boolean> {
    const { rows } = await sql`
      delete from experiments where id = (
        select id from experiments where owner = ${owner}::uuid and kind = 'what_if' and ended_at is not null
        order by created_at, id limit 1 for update)
      returning id
    `.execute(tx)
    return rows.length > 0
  }

  async expired(limit: number): Promise<Pick<ExperimentRow, 'id'>[]> {
    const { rows } = await sql<{ id: string }>`
      select id from experiments where state in ('waiting', 'running') and expires_at < now()
      order by expires_at limit ${limit}
    `.execute(this.#postgres.db)
    return rows
  }

  /** Number of runs that had no result; undefined where it has ended meanwhile. */
  async expire(tx: Tx, id: string, detail: string): Promise<number | undefined> {
    const { rows } = await sql`
      select 1 from experiments where id = ${id}::uuid and state in ('waiting', 'running') for update
    `.execute(tx)
    if (rows.length === 0) return undefined
    const failed = await this.#endOpenRuns(tx, id, 'failed', detail)
    await sql`
      update experiments set state = 'failed', failed = failed + ${failed}, ended_at = now() where id = ${id}::uuid
    `.execute(tx)
    return failed
  }

  /** At most `max` old ones that have ended. */
  async deleteOld(keepDays: number, max: number): Promise<void> {
    await sql`
      delete from experiments where id = any(array(
        select id from experiments
        where created_at < now() - make_interval(days => ${keepDays}) and ended_at is not null
        order by created_at limit ${max} for update skip locked))
    `.execute(this.#postgres.db)
    await deleteInBatches(this.#postgres.db, 'experiment_starts', sql`counted_at < now() - interval '1 h'`)
  }

  async #endOpenRuns(
    tx: Tx,
    id: string,
    state: 'cancelled' | 'failed',
    detail: string | null,
  ): Promise<number> {
    const { numAffectedRows = 0n } = await sql`
      update experiment_runs set state = ${state}, is_offered = false, due_at = null, detail = ${detail}
      where experiment_id = ${id}::uuid and state in ('waiting', 'running')
    `.execute(tx)
    return Number(numAffectedRows)
  }

  /** The experiment ends with its last run. */
  async #countEnded(
    tx: Tx,
    id: string,
    { finished, failed }: { finished: number; failed: number },
  ): Promise<void> {
    await sql`
      update experiments set finished = finished + ${finished}, failed = failed + ${failed},
        state = case when finished + failed + 1 < runs then 'running'
          when failed + ${failed} > 0 then 'failed' else 'finished' end,
        ended_at = case when finished + failed + 1 < runs then null else now() end
      where id = ${id}::uuid
    `.execute(tx)
  }
}

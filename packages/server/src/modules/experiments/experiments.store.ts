import { type Executor, type Postgres, sql } from '../../engines/postgres.ts'
import type {
  ExperimentFilter,
  ExperimentRow,
  ExperimentView,
  RunRow,
  RunSeriesRow,
} from './experiments.types.ts'

/** As the database has it: JSON texts. */
type Stored<Row, Names extends keyof Row> = Omit<Row, Names> & Record<Names, string>
type StoredExperiment = Stored<Omit<ExperimentRow, 'command'>, 'world' | 'policies' | 'documents'> & {
  command: string | null
}
type StoredRun = Omit<RunSeriesRow, 'figures' | 'series'> & { figures: string | null; series: string | null }

const columns = sql`id, owner, owner_kind as "ownerKind", owner_name as "ownerName", name, kind, world, command, policies, documents, seed,
  repetitions, duration_s as "durationS", state, runs, finished, failed, created_at as "createdAt", ended_at as "endedAt",
  expires_at as "expiresAt"`

const runColumns = sql`run, policy, seed, state, progress_pct as "progressPct", attempts, detail, figures`

/** Reads experiments. */
export class ExperimentStore {
  readonly #postgres: Postgres

  constructor(postgres: Postgres) {
    this.#postgres = postgres
  }

  /** The newest first. */
  async page(filter: ExperimentFilter, after: string | undefined, limit: number): Promise<ExperimentRow[]> {
    const { view, ownerName, states } = filter
    const { rows } = await sql<StoredExperiment>`
      select ${columns} from experiments
      where ${isVisible(view)} and ${after === undefined ? sql`true` : sql`id < ${after}::uuid`}
        and ${ownerName === undefined ? sql`true` : sql`owner_name = ${ownerName}`}
        and ${states ? sql`state = any(${[...states]}::text[])` : sql`true`}
      order by id desc limit ${limit}
    `.execute(this.#postgres.db)
    return rows.map(toExperiment)
  }

  async find(db: Executor, view: ExperimentView, id: string): Promise<ExperimentRow | undefined> {
    const { rows } = await sql<StoredExperiment>`
      select ${columns} from experiments where id = ${id}::uuid and ${isVisible(view)}
    `.execute(db)
    return rows[0] && toExperiment(rows[0])
  }

  /** The experiment that was created by a request with this key within 24 hours. */
  async ofKey(db: Executor, owner: string, key: string): Promise<string | undefined> {
    const { rows } = await sql<{ id: string }>`
      select id from experiments
      where owner = ${owner}::uuid and request_key = ${key} and created_at > now() - interval '24 hours'
    `.execute(db)
    return rows[0]?.id
  }

  /** All of an experiment. Their number is limited. */
  async runs(id: string): Promise<RunRow[]> {
    const { rows } = await sql<StoredRun>`
      select ${runColumns}, null as series from experiment_runs where experiment_id = ${id}::uuid order by run
    `.execute(this.#postgres.db)
    return rows.map(toRun)
  }

  async run(id: string, run: number): Promise<RunSeriesRow | undefined> {
    const { rows } = await sql<StoredRun>`
      select ${runColumns}, series from experiment_runs where experiment_id = ${id}::uuid and run = ${run}
    `.execute(this.#postgres.db)
    return rows[0] && toRun(rows[0])
  }

  /** Some runs with their series, after a number. */
  async runsAfter(id: string, after: number, limit: number): Promise<RunSeriesRow[]> {
    const { rows } = await sql<StoredRun>`
      select ${runColumns}, series from experiment_runs
      where experiment_id = ${id}::uuid and run > ${after} order by run limit ${limit}
    `.execute(this.#postgres.db)
    return rows.map(toRun)
  }

  /** Number of runs that wait and that are executed. */
  async openRuns(): Promise<{ waiting: number; running: number }> {
    const { rows } = await sql<{ waiting: number; running: number }>`
      select count(*) filter (where state = 'waiting')::int as waiting,
        count(*) filter (where state = 'running')::int as running
      from experiment_runs where due_at is not null
    `.execute(this.#postgres.db)
    return rows[0] ?? { waiting: 0, running: 0 }
  }
}

const isVisible = ({ owner }: ExperimentView) =>
  owner === undefined ? sql`true` : sql`owner = ${owner}::uuid`

const toExperiment = (row: StoredExperiment): ExperimentRow => ({
  ...row,
  world: JSON.parse(row.world) as ExperimentRow['world'],
  command: row.command === null ? null : (JSON.parse(row.command) as ExperimentRow['command']),
  policies: JSON.parse(row.policies) as ExperimentRow['policies'],
  documents: JSON.parse(row.documents) as ExperimentRow['documents'],
})

const toRun = (row: StoredRun): RunSeriesRow => ({
  ...row,
  figures: row.figures === null ? null : (JSON.parse(row.figures) as RunSeriesRow['figures']),
  series: row.series === null ? null : (JSON.parse(row.series) as RunSeriesRow['series']),
})

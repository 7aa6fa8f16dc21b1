import {
  type Experiment,
  type ExperimentRun,
  type ExperimentRunDetails,
  experimentFigures,
  experimentSeriesColumns,
} from '@manc/contract'
import { csvField } from '@manc/contract/csv-field'
import type { ExperimentRow, RunRow, RunSeriesRow } from './experiments.types.ts'

export const toRecord = (row: ExperimentRow): Experiment => ({
  id: row.id,
  name: row.name,
  kind: row.kind,
  state: row.state,
  world: row.world,
  command: row.command,
  policies: row.policies,
  documents: row.documents,
  seed: row.seed,
  repetitions: row.repetitions,
  duration_s: row.durationS,
  runs: row.runs,
  finished: row.finished,
  failed: row.failed,
  owner: row.ownerName,
  owner_kind: row.ownerKind,
  created_at: row.createdAt.toISOString(),
  ended_at: row.endedAt?.toISOString() ?? null,
  expires_at: row.expiresAt.toISOString(),
})

export const toRunRecord = ({ progressPct, ...row }: RunRow): ExperimentRun => ({
  run: row.run,
  policy: row.policy,
  seed: row.seed,
  state: row.state,
  progress_pct: progressPct,
  attempts: row.attempts,
  detail: row.detail,
  figures: row.figures,
})

export const toRunDetails = (row: RunSeriesRow): ExperimentRunDetails => ({
  ...toRunRecord(row),
  series: row.series,
})

/** One line for each run, with a header. */
export const runsCsv = {
  header: lineOf(['run', 'policy', 'seed', 'state', ...experimentFigures]),
  linesOf: ({ run, policy, seed, state, figures }: RunSeriesRow): string =>
    lineOf([run, policy, seed, state, ...experimentFigures.map((name) => figures?.[name] ?? null)]),
}

/** One line for each point in time of each run, with a header. */
export const seriesCsv = {
  header: lineOf(['run', 'policy', 'seed', ...experimentSeriesColumns]),
  linesOf: ({ run, policy, seed, series }: RunSeriesRow): string =>
    (series?.s ?? [])
      .map((_, n) =>
        lineOf([run, policy, seed, ...experimentSeriesColumns.map((name) => series?.[name][n] ?? null)]),
      )
      .join(''),
}

export type ExperimentCsv = typeof runsCsv

function lineOf(values: readonly (string | number | null)[]): string {
  return `${values.map(csvField).join(',')}\r\n`
}

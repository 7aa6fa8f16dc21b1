import { isPassed, type Verdict } from './checker.ts'

const columns: [title: string, value: (verdict: Verdict) => string | number][] = [
  ['configuration', ({ name }) => name],
  ['seed', ({ seed }) => seed],
  ['samples', ({ acknowledged }) => acknowledged['samples'] ?? 0],
  ['lost', ({ violations }) => violations['samples_lost'] ?? 0],
  ['dup.', ({ violations }) => violations['samples_repeated'] ?? 0],
  ['unexp.', ({ violations }) => violations['samples_unexpected'] ?? 0],
  ['jobs', ({ acknowledged }) => acknowledged['jobs'] ?? 0],
  ['no end', ({ violations }) => violations['jobs_without_end'] ?? 0],
  ['commands', ({ acknowledged }) => acknowledged['commands'] ?? 0],
  ['twice', ({ violations }) => violations['commands_twice'] ?? 0],
  ['revoked', ({ acknowledged }) => acknowledged['revocations'] ?? 0],
  ['accepted', ({ violations }) => violations['revoked_accepted'] ?? 0],
  ['missed', ({ violations }) => violations['changes_missed'] ?? 0],
  ['recovery s', ({ recoveryS }) => (Number.isFinite(recoveryS) ? recoveryS : 'never')],
  ['result', (verdict) => (isPassed(verdict) ? 'ok' : `VIOLATED: ${violated(verdict)}`)],
]

/** The violations that are not 0. */
const violated = ({ violations }: Verdict): string =>
  Object.entries(violations)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ')

/** One row for each configuration. */
export function tableOf(verdicts: readonly Verdict[]): string {
  const rows = [
    columns.map(([title]) => title),
    ...verdicts.map((verdict) => columns.map(([, value]) => String(value(verdict)))),
  ]
  const widths = columns.map((_, n) => Math.max(...rows.map((row) => row[n]?.length ?? 0)))
  return rows
    .map((row) =>
      row
        .map((cell, n) => cell.padEnd(widths[n] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

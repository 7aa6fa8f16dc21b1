import type { Decision } from '@manc/sdk'

type Command = Decision['commands'][number]

/** Statuses are those of 802.11v. */
type CommandOutcome =
  | { kind: 'open'; status: 0 }
  | { kind: 'done'; status: 0 }
  | { kind: 'refused'; status: number }
  | { kind: 'failed'; status: 0 }

/** The highest load may rise by this much, in per cent of the capacity, before a decision has made it worse. */
const tolerancePct = 5

/** The client and the target of a command that steers a client. */
export function steeringOf(command: string): { client: string; to: string } | undefined {
  const [, client, to] = /^steer_client (\S+) (\S+)$/.exec(command) ?? []
  return client === undefined || to === undefined ? undefined : { client, to }
}

/** What became of a command. A client that does not move has refused it. */
export function outcomeOf({ state, ended_at: endedAt, result }: Command): CommandOutcome {
  if (endedAt === null) return { kind: 'open', status: 0 }
  if (state !== 'succeeded') return { kind: 'failed', status: 0 }
  const { moved, status } = (result ?? {}) as { moved?: unknown; status?: unknown }
  if (moved !== false) return { kind: 'done', status: 0 }
  return { kind: 'refused', status: typeof status === 'number' ? status : 1 }
}

/** The access point with the highest load has more of it than before, by what the controller has measured. */
export function hasGotWorse({ measured }: Pick<Decision, 'measured'>): boolean {
  const loads = valuesOf(measured ?? [], 'load_pct')
  if (loads.length === 0) return false
  const highest = (values: readonly number[]) => Math.max(...values)
  return highest(loads.map(({ after }) => after)) > highest(loads.map(({ before }) => before)) + tolerancePct
}

function valuesOf(measured: NonNullable<Decision['measured']>, wanted: 'load_pct') {
  return measured.flatMap(({ kpi, before, after }) =>
    kpi === wanted && before !== null && after !== null ? { before, after } : [],
  )
}

/** For the log. */
export function outcomeText({ commands }: Pick<Decision, 'commands'>): string {
  const outcomes = commands.map(outcomeOf)
  const count = (kind: CommandOutcome['kind']) => outcomes.filter((each) => each.kind === kind).length
  const statuses = new Set(outcomes.flatMap((each) => (each.kind === 'refused' ? each.status : [])))
  const parts = [
    `${count('done')} of ${commands.length} commands succeeded`,
    ...(count('refused') > 0
      ? [`${count('refused')} clients refused (status ${[...statuses].join(', ')})`]
      : []),
    ...(count('failed') > 0 ? [`${count('failed')} failed: ${firstDetail(commands)}`] : []),
  ]
  return parts.join(', ')
}

const firstDetail = (commands: readonly Command[]): string =>
  commands.find((each) => outcomeOf(each).kind === 'failed' && each.detail !== null)?.detail ??
  'the access point gave no reason'

export function measuredText({ measured }: Pick<Decision, 'measured'>): string {
  const text = (value: number | null) => (value === null ? 'unknown' : String(value))
  return (measured ?? [])
    .map(({ ap_id: apId, kpi, before, after }) => `${kpi} of ${apId} ${text(before)} → ${text(after)}`)
    .join(', ')
}

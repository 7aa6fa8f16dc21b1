import { kpis } from '@manc/contract/kpis'
import type { Decision } from '@manc/sdk'

export type Direction = 'better' | 'worse' | 'unchanged'

/** What was expected of one KPI of an access point, and what was measured. */
export interface Effect {
  apId: string
  kpi: Decision['expected'][number]['kpi']
  expected: { from: number | null; to: number }
  /** Undefined before the measurement. */
  measured: { before: number | null; after: number | null } | undefined
  /** Undefined without both values, or for a KPI of which no value is better. */
  direction: Direction | undefined
  /** Measured change as a part of the expected one, in percent. */
  achievedPct: number | undefined
}

export const effectsOf = ({ expected, measured }: Pick<Decision, 'expected' | 'measured'>): Effect[] =>
  expected.map(({ ap_id: apId, kpi, from, to }) => {
    const found = measured?.find((each) => each.ap_id === apId && each.kpi === kpi)
    return {
      apId,
      kpi,
      expected: { from, to },
      measured: found && { before: found.before, after: found.after },
      direction: found && directionOf(kpi, found.before, found.after),
      achievedPct: found && achievedOf({ from, to }, found.before, found.after),
    }
  })

/** Smaller changes are not shown. */
const least = 0.005

function directionOf(kpi: Effect['kpi'], before: number | null, after: number | null): Direction | undefined {
  const { better } = kpis[kpi]
  if (before === null || after === null || better === undefined) return undefined
  const change = better === 'more' ? after - before : before - after
  return Math.abs(change) < least ? 'unchanged' : change > 0 ? 'better' : 'worse'
}

function achievedOf(
  { from, to }: Effect['expected'],
  before: number | null,
  after: number | null,
): number | undefined {
  if (from === null || before === null || after === null || Math.abs(to - from) < least) return undefined
  return Math.round(((after - before) / (to - from)) * 100)
}

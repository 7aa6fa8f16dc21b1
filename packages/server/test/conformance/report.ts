import type { Checks } from './checks.ts'

export interface Result {
  title: string
  /** Undefined where the server does not have the operation yet. */
  checks: Checks | undefined
}

export interface Summary {
  /** Operations that are there and pass every check. */
  passed: number
  checks: number
  isClean: boolean
}

export function lineOf({ title, checks }: Result): string {
  const verdict = checks
    ? `${String(checks.count).padStart(4)} checks ${isFailed({ title, checks }) ? 'FAILED' : 'ok'}`
    : 'not there'
  return `${title.padEnd(62)} ${verdict}`
}

/** Everything that failed, with what was expected and what was found. */
export function failuresOf(results: Result[]): string[] {
  return results.filter(isFailed).map(({ title, checks }) => {
    const failures = (checks?.failures ?? []).map(
      ({ what, expected, found }) => `  ${what}\n    expected ${expected}\n    found    ${found}`,
    )
    return [`\n${title.trim()}`, ...failures].join('\n')
  })
}

export function summaryOf(general: Checks, operations: Result[]): Summary {
  const counts = operations.map(({ checks }) => checks?.count ?? 0)
  return {
    passed: operations.filter((result) => result.checks && !isFailed(result)).length,
    checks: counts.reduce((sum, count) => sum + count, general.count),
    isClean: general.failures.length === 0 && !operations.some(isFailed),
  }
}

function isFailed({ checks }: Result): boolean {
  return checks !== undefined && checks.failures.length > 0
}

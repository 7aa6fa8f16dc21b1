import { isDeepStrictEqual } from 'node:util'

export interface Failure {
  what: string
  expected: string
  found: string
}

/** Counts single comparisons and keeps the ones that failed. */
export class Checks {
  count = 0
  readonly failures: Failure[] = []

  equal(what: string, expected: unknown, found: unknown): boolean {
    return this.#record(what, isDeepStrictEqual(found, expected), shown(expected), shown(found))
  }

  /** For a comparison that is not an equality: `expected` says it in words. */
  holds(what: string, condition: boolean, expected: string, found: unknown): boolean {
    return this.#record(what, condition, expected, shown(found))
  }

  #record(what: string, passed: boolean, expected: string, found: string): boolean {
    this.count += 1
    if (!passed) this.failures.push({ what, expected, found })
    return passed
  }
}

function shown(value: unknown): string {
  if (value === undefined) return 'nothing'
  const text = JSON.stringify(value)
  return text.length > 400 ? `${text.slice(0, 400)}…` : text
}

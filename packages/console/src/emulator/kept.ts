import type { EmulatorSpec } from '@manc/sdk'

interface Kept {
  jobNumber: string
  specs: EmulatorSpec[]
  /** When it is surely over (epoch milliseconds). */
  until?: number
}

const storageKey = 'manc.emulations'
const most = 30
const endsWithinMs = 120_000

/** What was asked for here: the controller tells how a job stands, not what was in it. */
export function keep(jobNumber: string, specs: EmulatorSpec[]): void {
  const longestS = Math.max(...specs.map(({ duration }) => duration))
  const until = Date.now() + longestS * 1000 + endsWithinMs
  const kept = [{ jobNumber, specs, until }, ...all()].slice(0, most)
  localStorage.setItem(storageKey, JSON.stringify(kept))
}

/** Undefined where it was asked for elsewhere, or long ago. */
export const keptSpecsOf = (jobNumber: string): EmulatorSpec[] | undefined =>
  all().find((kept) => kept.jobNumber === jobNumber)?.specs

/** The numbers of those whose time is not over. */
export const keptRunning = (): string[] =>
  all()
    .filter(({ until = 0 }) => until > Date.now())
    .map(({ jobNumber }) => jobNumber)

function all(): Kept[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '[]')
    return Array.isArray(kept) ? (kept as Kept[]) : []
  } catch {
    // Not ours: it is written anew with the next one.
    return []
  }
}

import type { EmulatorSpec } from '@manc/sdk'

interface Kept {
  jobNumber: string
  specs: EmulatorSpec[]
}

const storageKey = 'manc.emulations'
const most = 30

/** What was asked for here: the controller tells how a job stands, not what was in it. */
export function keep(jobNumber: string, specs: EmulatorSpec[]): void {
  const kept = [{ jobNumber, specs }, ...all()].slice(0, most)
  localStorage.setItem(storageKey, JSON.stringify(kept))
}

/** Undefined where it was asked for elsewhere, or long ago. */
export const storedSpecs = (jobNumber: string): EmulatorSpec[] | undefined =>
  all().find((kept) => kept.jobNumber === jobNumber)?.specs

function all(): Kept[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '[]')
    return Array.isArray(kept) ? (kept as Kept[]) : []
  } catch {
    // Not ours: it is written anew with the next one.
    return []
  }
}

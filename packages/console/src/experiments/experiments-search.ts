/** What the page shows, stored in the address. */
export interface ExperimentsSearch {
  /** Id of an experiment, or `new`. */
  open?: string
  /** Numbers of the runs that are shown side by side. */
  a?: number
  b?: number
}

const maxLength = 64
const maxRun = 100_000

/** Invalid parameters are ignored. */
export function parseExperimentsSearch({ open, a, b }: Record<string, unknown>): ExperimentsSearch {
  if (typeof open !== 'string' || open === '' || open.length > maxLength) return {}
  return { open, ...(isRun(a) && { a }), ...(isRun(b) && { b }) }
}

const isRun = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= maxRun

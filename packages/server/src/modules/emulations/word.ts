/** What an emulator says of its part. */
export interface Word {
  part: number
  emulator: string
  state: 'running' | 'finished'
  /** It has just taken the part. */
  isFirst: boolean
  /** JSON text of an object, without the counts. */
  told: string
  /** So far, by this emulator. */
  samples: number
  commands: number
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/
const mostParts = 1_000_000
/** What is remembered of a word beside its counts; another word is news to the caller. */
const figures = ['agents', 'live', 'most_live', 'failed', 'time_to_full_s']

/** The part that an item is about; undefined where it is about none. */
export function wordOf(item: unknown): Word | undefined {
  if (typeof item !== 'object' || item === null) return undefined
  const { part, emulator, state, ...more } = item as Record<string, unknown>
  if (typeof part !== 'number' || !Number.isSafeInteger(part) || part < 0 || part > mostParts)
    return undefined
  if (typeof emulator !== 'string' || !uuid.test(emulator)) return undefined
  const isFinished = state === 'finished'
  return {
    part,
    emulator,
    state: isFinished ? 'finished' : 'running',
    isFirst: state === 'starting',
    told: JSON.stringify({
      emulator,
      isFinished,
      ...Object.fromEntries(figures.map((name) => [name, countOf(more[name])])),
    }),
    samples: countOf(more['samples']),
    commands: countOf(more['commands']),
  }
}

/** A figure that somebody else has sent. */
export const countOf = (value: unknown) =>
  typeof value === 'number' && value > 0 ? Math.min(value, Number.MAX_SAFE_INTEGER) : 0

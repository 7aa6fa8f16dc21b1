/** How a metrics store has a batch. `pending`: it will be durable there soon. */
export type Copy = 'durable' | 'pending' | 'missing'

/** `canBeWritten`: it was written, or its text is still in memory. */
export function copyOf(state: { isDurable: boolean; isOut: boolean; canBeWritten: boolean }): Copy {
  if (state.isDurable) return 'durable'
  return state.isOut || !state.canBeWritten ? 'missing' : 'pending'
}

/** Whether a batch may be acknowledged, once it is recorded which stores miss it. */
export const isSafe = (copies: readonly Copy[]): boolean =>
  copies.includes('durable') && !copies.includes('pending')

/** Times in milliseconds, the end excluded. */
export interface TimeRange {
  fromMs: number
  toMs: number
}

const minuteMs = 60_000
/** Minutes, hours, days. */
const steps = [1, 60, 1440]
/** Of one list of minutes: agents that send a long backlog would make very many. */
const maxRanges = 1000

/** The minutes as ranges of times; as hours or days if the minutes are too many. */
export function rangesOf(minutes: readonly number[]): TimeRange[] {
  let starts: number[] = []
  let lengthMs = minuteMs
  for (const step of steps) {
    lengthMs = step * minuteMs
    starts = [...new Set(minutes.map((minute) => Math.floor(minute / step)))]
    if (starts.length <= maxRanges) break
  }
  return starts.map((start) => ({ fromMs: start * lengthMs, toMs: (start + 1) * lengthMs }))
}

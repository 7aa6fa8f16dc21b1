const dayMs = 86_400_000
/** Days of the first parts. The last part is the rest. */
const partDays = [2, 4, 16]

/** A part of the time. Without a start or an end it is not limited there. */
export interface TimePart {
  from?: Date
  to?: Date
}

/**
 * The time up to `lastMs`, the newest part first, from `firstMs` on. A page is usually full with the first parts: partitions of earlier
 * days are not opened then. The parts begin with a day, as partitions do.
 */
export function pageParts(lastMs: number, firstMs = 0): TimePart[] {
  const parts: TimePart[] = []
  let fromMs = Math.floor(lastMs / dayMs + 1) * dayMs
  let end: Pick<TimePart, 'to'> = {}
  for (const days of partDays) {
    fromMs -= days * dayMs
    // Nothing is older than 1970, and a time far before it is no date.
    if (fromMs <= Math.max(firstMs, 0)) break
    parts.push({ from: new Date(fromMs), ...end })
    end = { to: new Date(fromMs) }
  }
  return [...parts, end]
}

const dayMs = 86_400_000

interface Windows {
  /** `2026-11-28` */
  lastDay: string
  timeZone: string
  /** `02:00` */
  at: string
  durationS: number
}

/** When the last window ends, of those that start up to this day. Undefined if it is no day. */
export function endOfLastDay({ lastDay, timeZone, at, durationS }: Windows): Date | undefined {
  const day = /^\s*(\d{4}-\d\d-\d\d)\s*$/.exec(lastDay)?.[1]
  const utcMs = Date.parse(`${day}T00:00:00Z`)
  // 31 February would be taken as a day in March.
  if (Number.isNaN(utcMs) || new Date(utcMs).toISOString().slice(0, 10) !== day) return undefined
  const [hours = 0, minutes = 0] = at.split(':').map(Number)
  const afterMidnightMs = (hours * 3600 + minutes * 60 + durationS) * 1000 - dayMs
  return new Date(startOfDay(utcMs + dayMs, timeZone) + (afterMidnightMs > 0 ? afterMidnightMs : 0))
}

/** The day is given by its start in UTC. The offset is read again, since the clock may have changed in between. */
function startOfDay(utcMs: number, timeZone: string): number {
  const guess = utcMs - offsetMs(utcMs, timeZone)
  return utcMs - offsetMs(guess, timeZone)
}

function offsetMs(atMs: number, timeZone: string): number {
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(atMs)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0
  const local = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'))
  return local - Math.floor(atMs / 60_000) * 60_000
}

/** An unknown time zone is refused by the controller; until then it is that of the browser. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const options = {
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  } as const
  try {
    return new Intl.DateTimeFormat('en-US', { ...options, timeZone })
  } catch {
    return new Intl.DateTimeFormat('en-US', options)
  }
}

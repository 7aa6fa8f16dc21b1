const secondsPattern = /^[+-]?\d{1,19}(\.\d{0,9})?$/
const durationPattern = /^(\d{1,12}(?:\.\d{0,9})?)(ms|s|m|h|d|w|y)?$/
const rfc3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)$/

const unitsMs: Record<string, number> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
  y: 31_536_000_000,
}

/** Milliseconds since 1970; undefined if it is no time. */
export function parseTime(text: string): number | undefined {
  if (secondsPattern.test(text)) return Math.round(Number(text) * 1000)
  const ms = rfc3339.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(ms) ? undefined : ms
}

/** Milliseconds; seconds where it has no unit. Undefined if it is no duration. */
export function parseDuration(text: string): number | undefined {
  const [, amount, unit = 's'] = durationPattern.exec(text) ?? []
  return amount === undefined ? undefined : Math.round(Number(amount) * (unitsMs[unit] ?? Number.NaN))
}

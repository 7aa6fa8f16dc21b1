/** The path of a line through the values, from left to right; none across values that are missing. */
export function trendPath(
  values: readonly (number | null)[],
  { width, height, range: [from, to] }: { width: number; height: number; range: readonly [number, number] },
): string {
  const span = to - from || 1
  const x = (at: number) => (at / Math.max(1, values.length - 1)) * width
  const y = (value: number) => height - ((value - from) / span) * height
  let path = ''
  let isPenDown = false
  for (const [at, value] of values.entries()) {
    if (value === null) {
      isPenDown = false
      continue
    }
    const point = `${round(x(at))} ${round(y(value))}`
    // A value without neighbours is a dot, with round line ends.
    path += isPenDown ? `L${point}` : `M${point}h0`
    isPenDown = true
  }
  return path
}

const round = (value: number): number => Math.round(value * 10) / 10

export interface TrendRange {
  min: number
  max: number
  first: number
  last: number
}

/** Undefined without values. */
export function rangeOf(values: readonly (number | null)[]): TrendRange | undefined {
  const known = values.filter((value) => value !== null)
  const [first] = known
  const last = known.at(-1)
  if (first === undefined || last === undefined) return undefined
  return { min: Math.min(...known), max: Math.max(...known), first, last }
}

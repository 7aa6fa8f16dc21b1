import type { Points } from '../telemetry/points.ts'

const maxSteps = 600

/** Moments that all lines of a chart share. The same ones while time goes on, so that lines do not tremble. */
export function stepsOf(fromMs: number, toMs: number): { stepMs: number; at: number[] } {
  const stepMs = Math.max(1000, Math.ceil((toMs - fromMs) / maxSteps / 1000) * 1000)
  const first = Math.ceil(fromMs / stepMs) * stepMs
  const count = Math.max(0, Math.floor((toMs - first) / stepMs))
  return { stepMs, at: Array.from({ length: count }, (_, n) => first + n * stepMs) }
}

/** The mean of each step. Where nothing was measured the last value holds for a while, then there is a gap. */
export function bucketed(
  { at, values }: Points,
  steps: { stepMs: number; at: readonly number[] },
  holdMs: number,
): (number | null)[] {
  let next = 0
  let held = { value: 0, at: -Infinity }
  return steps.at.map((start) => {
    let sum = 0
    let count = 0
    for (; (at[next] ?? Infinity) < start + steps.stepMs; next++) {
      held = { value: values[next] ?? 0, at: at[next] ?? 0 }
      if (held.at < start) continue
      sum += held.value
      count++
    }
    if (count > 0) return sum / count
    return start - held.at <= holdMs ? held.value : null
  })
}

/** Of several lines one: the mean of those that have a value there. */
export function meanOf(lines: readonly (readonly (number | null)[])[]): (number | null)[] {
  const [first = []] = lines
  return first.map((_, n) => {
    const there = lines.map((line) => line[n] ?? null).filter((value) => value !== null)
    return there.length > 0 ? there.reduce((sum, value) => sum + value, 0) / there.length : null
  })
}

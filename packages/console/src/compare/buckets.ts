import type { Points } from '../telemetry/points.ts'

const maxSteps = 600

/** Time steps shared by all lines of a chart. Aligned to multiples of the step, so that live lines do not jitter. */
export function stepsOf(fromMs: number, toMs: number): { stepMs: number; at: number[] } {
  const stepMs = Math.max(1000, Math.ceil((toMs - fromMs) / maxSteps / 1000) * 1000)
  const first = Math.ceil(fromMs / stepMs) * stepMs
  const count = Math.max(0, Math.floor((toMs - first) / stepMs))
  return { stepMs, at: Array.from({ length: count }, (_, n) => first + n * stepMs) }
}

/** The mean of each step. Without samples the last value is held for `holdMs`, then present is a gap. */
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

/** The mean of several lines, ignoring gaps. */
export function meanOf(lines: readonly (readonly (number | null)[])[]): (number | null)[] {
  const [first = []] = lines
  return first.map((_, n) => {
    const present = lines.map((line) => line[n] ?? null).filter((value) => value !== null)
    return present.length > 0 ? present.reduce((sum, value) => sum + value, 0) / present.length : null
  })
}

import type { Points } from '../telemetry/points.ts'

const maxSteps = 600

/** Time steps shared by all lines of a chart. */
export interface Steps {
  stepMs: number
  at: number[]
}

/** Aligned to multiples of the step, so that live lines do not jitter. */
export function stepsOf(fromMs: number, toMs: number): Steps {
  const stepMs = Math.max(1000, Math.ceil((toMs - fromMs) / maxSteps / 1000) * 1000)
  const first = Math.ceil(fromMs / stepMs) * stepMs
  const count = Math.max(0, Math.floor((toMs - first) / stepMs))
  return { stepMs, at: Array.from({ length: count }, (_, n) => first + n * stepMs) }
}

/** The mean of each step. Without samples the last value is held for `holdMs`, then there is a gap. */
export function bucketed({ at, values }: Points, steps: Steps, holdMs: number): (number | null)[] {
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

/** The usual interval between two points, to bridge a missing one; at least that of most agents. */
export function holdOf({ at }: Points): number {
  const intervals = at.slice(1).map((ms, n) => ms - (at[n] ?? 0))
  const usual = intervals.sort((a, b) => a - b)[Math.floor(intervals.length / 2)] ?? 0
  return Math.max(12_000, 2.5 * usual)
}

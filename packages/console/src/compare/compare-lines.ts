import type { Technology } from '@manc/sdk'
import type { Line } from '../telemetry/plot-options.ts'
import { colourOf } from '../ui/theme.ts'

/** One line of each chart: an access point, or all of a technology that were read. */
export interface Subject {
  key: string
  label: string
  technology: Technology
  /** Whose mean it is. */
  apIds: readonly string[]
}

const dashes = [undefined, [7, 4], [2, 3], [10, 3, 2, 3]] as const
/** Of the colour, once the dashes are used up. */
const shades = ['', 'a6', '6b'] as const

/** Colour says which technology; dash and shade say which of them. */
export function linesOf(subjects: readonly Subject[], scheme: 'light' | 'dark'): Line[] {
  const seen = new Map<Technology, number>()
  return subjects.map(({ label, technology }) => {
    const index = seen.get(technology) ?? 0
    seen.set(technology, index + 1)
    const dash = dashes[index % dashes.length]
    const shade = shades[Math.floor(index / dashes.length) % shades.length] ?? ''
    return { label, colour: `${colourOf(technology, scheme)}${shade}`, ...(dash && { dash: [...dash] }) }
  })
}

const better: Record<string, 'more' | 'less'> = {
  throughput_mbps: 'more',
  signal_quality: 'more',
  latency_ms: 'less',
  packet_loss_pct: 'less',
  load_pct: 'less',
  power_w: 'less',
}

/** The number of the best; undefined where no value is better than another, or all are the same. */
export function bestOf(metric: string, values: readonly (number | undefined)[]): number | undefined {
  const there = values.filter((value) => value !== undefined)
  const direction = better[metric]
  if (!direction || there.length < 2 || new Set(there).size < 2) return undefined
  const best = direction === 'more' ? Math.max(...there) : Math.min(...there)
  // Of several that are as good, none is the best.
  return there.filter((value) => value === best).length > 1 ? undefined : values.indexOf(best)
}

/** Of what is there. */
export function meanOfPresent(values: readonly (number | null)[]): number | undefined {
  const there = values.filter((value) => value !== null)
  return there.length > 0 ? there.reduce((sum, value) => sum + value, 0) / there.length : undefined
}

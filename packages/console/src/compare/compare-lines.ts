import { isKpi, kpis } from '@manc/contract/kpis'
import type { Technology } from '@manc/sdk'
import type { Line } from '../telemetry/plot-options.ts'
import { colourOf } from '../ui/theme.ts'

/** One line of each chart: an access point, or the mean of several of one technology. */
export interface Subject {
  key: string
  label: string
  technology: Technology
  /** The access points in the mean. */
  apIds: readonly string[]
}

const dashes = [undefined, [7, 4], [2, 3], [10, 3, 2, 3]] as const
/** Opacity of the colour, used when all dashes are taken. */
const shades = ['', 'a6', '6b'] as const

/** The colour shows the technology; dash and shade distinguish lines of the same technology. */
export function linesOf(subjects: readonly Subject[], scheme: 'light' | 'dark'): Line[] {
  const counts = new Map<Technology, number>()
  return subjects.map(({ label, technology }) => {
    const index = counts.get(technology) ?? 0
    counts.set(technology, index + 1)
    const dash = dashes[index % dashes.length]
    const shade = shades[Math.floor(index / dashes.length) % shades.length] ?? ''
    return { label, colour: `${colourOf(technology, scheme)}${shade}`, ...(dash && { dash: [...dash] }) }
  })
}

/** The index of the best value; undefined if the metric has no better direction or present is no single best. */
export function bestOf(metric: string, values: readonly (number | undefined)[]): number | undefined {
  const present = values.filter((value) => value !== undefined)
  const direction = isKpi(metric) ? kpis[metric].better : undefined
  if (!direction || present.length < 2 || new Set(present).size < 2) return undefined
  const best = direction === 'more' ? Math.max(...present) : Math.min(...present)
  // A tie has no best value.
  return present.filter((value) => value === best).length > 1 ? undefined : values.indexOf(best)
}

/** The mean of the values that are present. */
export function meanOfPresent(values: readonly (number | null)[]): number | undefined {
  const present = values.filter((value) => value !== null)
  return present.length > 0 ? present.reduce((sum, value) => sum + value, 0) / present.length : undefined
}

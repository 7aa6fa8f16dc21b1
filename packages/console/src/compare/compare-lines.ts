import { isKpi, kpis } from '@manc/contract/kpis'
import type { Technology } from '@manc/sdk'
import type { Band, Line } from '../telemetry/plot-options.ts'
import { colourOf } from '../ui/theme.ts'

/** One line of each chart: an access point, or the median of a technology or of a group, with p10 to p90. */
export interface Subject {
  key: string
  label: string
  technology: Technology
  /** One access point, or a group of them. Undefined: all access points of the technology. */
  apId?: string
  group?: readonly string[]
  /** Its values are those of the second period. */
  isSecond?: true
}

const dashes = [undefined, [7, 4], [2, 3], [10, 3, 2, 3]] as const
/** Opacity of the colour, used when all dashes are taken. */
const shades = ['', 'a6', '6b'] as const
/** Opacity of a band. */
const bandShade = '2b'

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

/** The lines of a chart, followed by the edges of their bands. */
export function withBands(
  lines: readonly Line[],
  hasBand: (index: number) => boolean,
): { lines: Line[]; bands: Band[] } {
  const all = [...lines]
  const bands: Band[] = []
  for (const [n, line] of lines.entries()) {
    if (!hasBand(n)) continue
    const upper = all.push({ ...line, label: `${line.label} p90`, isEdge: true }) - 1
    const lower = all.push({ ...line, label: `${line.label} p10`, isEdge: true }) - 1
    if (!line.isHidden) bands.push({ upper, lower, colour: `${line.colour.slice(0, 7)}${bandShade}` })
  }
  return { lines: all, bands }
}

/** The lowest load is that of an access point without traffic, which is not better. */
const neutral = new Set(['load_pct'])

interface Candidate {
  value: number | undefined
  /** Without clients a value says little: an idle access point has no latency and needs the least power. */
  hasClients: boolean
}

/** The index of the best value; undefined if the metric has no better direction or there is no single best. */
export function bestOf(metric: string, candidates: readonly Candidate[]): number | undefined {
  const direction = isKpi(metric) && !neutral.has(metric) ? kpis[metric].better : undefined
  const values = candidates.map(({ value, hasClients }) => (hasClients ? value : undefined))
  const present = values.filter((value) => value !== undefined)
  if (!direction || present.length < 2 || new Set(present).size < 2) return undefined
  const best = direction === 'more' ? Math.max(...present) : Math.min(...present)
  // A tie has no best value.
  return present.filter((value) => value === best).length > 1 ? undefined : values.indexOf(best)
}

import type { Technology } from '@manc/sdk'
import type { Period } from '../range/time-range.ts'
import { commonMetrics } from '../telemetry/metrics.ts'
import { technologies } from '../ui/theme.ts'

const maxCompared = 12
/** Of a group, which has one line. As many as the controller summarizes. */
export const maxInGroup = 100

const modes = ['agents', 'technologies', 'periods'] as const
type Mode = (typeof modes)[number]

/** Where the second period starts: directly before the first, a day or a week before it, or at a time in milliseconds. */
export type Second = 'before' | 'day' | 'week' | number

/** The whole selection, stored in the address so that it can be shared. The time range is there as well. */
export interface Comparison {
  mode: Mode
  agents: string[]
  /** The access points are one line: their median. More than a chart can show are always a group. */
  isGroup: boolean
  /** Of two periods: those of a technology. Undefined: those of the access points. */
  technology: Technology | undefined
  second: Second
  /** A single metric; undefined for all common metrics. */
  metric: string | undefined
  /** Keys of lines that are not drawn. */
  hidden: string[]
}

interface Search {
  agents?: string
  group?: true
  by?: 'technology' | 'period'
  technology?: Technology
  second?: string
  metric?: string
  hidden?: string
}

/** Reads the search parameters; invalid ones are ignored. */
export function fromSearch(search: Record<string, unknown>): Comparison {
  const mode =
    search['by'] === 'technology' ? 'technologies' : search['by'] === 'period' ? 'periods' : 'agents'
  const agents = namesIn(search['agents']).slice(0, maxInGroup)
  return {
    mode,
    agents,
    isGroup: search['group'] === true || agents.length > maxOf(mode),
    technology: technologies.find((name) => name === search['technology']),
    second: secondOf(search['second']),
    metric: commonMetrics.find((name) => name === search['metric']),
    hidden: namesIn(search['hidden']).slice(0, maxCompared),
  }
}

/** Default values are left out. */
export function toSearch({
  mode,
  agents = [],
  isGroup = false,
  technology,
  second = 'before',
  metric,
  hidden = [],
}: Partial<Comparison>): Search {
  return {
    ...(agents.length > 0 && { agents: agents.join(',') }),
    ...(isGroup && agents.length <= maxOf(mode) && { group: true as const }),
    ...(mode === 'technologies' && { by: 'technology' as const }),
    ...(mode === 'periods' && { by: 'period' as const }),
    ...(technology !== undefined && { technology }),
    ...(second !== 'before' && { second: typeof second === 'number' ? isoOf(second) : second }),
    ...(metric !== undefined && { metric }),
    ...(hidden.length > 0 && { hidden: hidden.join(',') }),
  }
}

/** Lines of access points. In two periods each has two. */
export const maxOf = (mode: Mode = 'agents'): number => (mode === 'periods' ? maxCompared / 2 : maxCompared)

const dayMs = 86_400_000

/** The second period, of the same length as the first. */
export function secondPeriod({ fromMs, toMs }: Period, second: Second): Period {
  const starts = { before: fromMs - (toMs - fromMs), day: fromMs - dayMs, week: fromMs - 7 * dayMs }
  const startMs = typeof second === 'number' ? second : starts[second]
  return { fromMs: startMs, toMs: startMs + (toMs - fromMs) }
}

/** The router parses a numeric ID as a number. */
function namesIn(value: unknown): string[] {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  return [...new Set(text.split(',').filter((name) => name !== ''))]
}

function secondOf(value: unknown): Second {
  if (value === 'day' || value === 'week') return value
  const ms = typeof value === 'string' && /^\d{4}-.*Z$/.test(value) ? Date.parse(value) : Number.NaN
  return Number.isFinite(ms) ? ms : 'before'
}

const isoOf = (ms: number): string => new Date(ms).toISOString().replace('.000Z', 'Z')

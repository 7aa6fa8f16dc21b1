import { commonMetrics } from '../telemetry/metrics.ts'
import { defaultWindowS, windows } from '../telemetry/windows.ts'

export const maxCompared = 12

/** The whole selection, stored in the address so that it can be shared. */
export interface Comparison {
  mode: 'agents' | 'technologies'
  agents: string[]
  /** A single metric; undefined for all common metrics. */
  metric: string | undefined
  windowS: number
}

interface Search {
  agents?: string
  by?: 'technology'
  metric?: string
  window?: number
}

/** Reads the search parameters; invalid ones are ignored. */
export function fromSearch(search: Record<string, unknown>): Comparison {
  const { agents } = search
  // The router parses a numeric ID as a number.
  const text = typeof agents === 'string' || typeof agents === 'number' ? String(agents) : ''
  const names = text.split(',').filter((name) => name !== '')
  const metric = commonMetrics.find((name) => name === search['metric'])
  const [windowS] = windows.find(([seconds]) => seconds === Number(search['window'])) ?? []
  return {
    mode: search['by'] === 'technology' ? 'technologies' : 'agents',
    agents: [...new Set(names)].slice(0, maxCompared),
    metric,
    windowS: windowS ?? defaultWindowS,
  }
}

/** Default values are left out. */
export function toSearch({ mode, agents = [], metric, windowS }: Partial<Comparison>): Search {
  return {
    ...(agents.length > 0 && { agents: agents.join(',') }),
    ...(mode === 'technologies' && { by: 'technology' as const }),
    ...(metric !== undefined && { metric }),
    ...(windowS !== undefined && windowS !== defaultWindowS && { window: windowS }),
  }
}

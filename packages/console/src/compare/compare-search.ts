import { commonMetrics } from '../telemetry/metrics.ts'
import { defaultWindowS, windows } from '../telemetry/windows.ts'

export const maxCompared = 12

/** What is compared: all of it is in the address, so that it can be sent to somebody. */
export interface Comparison {
  mode: 'agents' | 'technologies'
  agents: string[]
  /** One of the common metrics alone; undefined for all of them. */
  metric: string | undefined
  windowS: number
}

interface Search {
  agents?: string
  by?: 'technology'
  metric?: string
  window?: number
}

/** Out of an address that anybody may have written. */
export function fromSearch(search: Record<string, unknown>): Comparison {
  const { agents } = search
  // An id that is a number comes as one.
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

/** What is as usual is left out. */
export function toSearch({ mode, agents = [], metric, windowS }: Partial<Comparison>): Search {
  return {
    ...(agents.length > 0 && { agents: agents.join(',') }),
    ...(mode === 'technologies' && { by: 'technology' as const }),
    ...(metric !== undefined && { metric }),
    ...(windowS !== undefined && windowS !== defaultWindowS && { window: windowS }),
  }
}

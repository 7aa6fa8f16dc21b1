import { type Health, healths } from '@manc/contract/health'
import type { AgentState, EmulatedChoice, Technology } from '@manc/sdk'
import { states, technologies } from '../ui/theme.ts'

/** The filter of the list, stored in the address so that it is restored on return. */
export interface NetworkFilter {
  text: string
  technology: Technology[]
  state: AgentState[]
  health: Health[]
  isInView: boolean
  /** Emulated access points: own ones, also those of others, or none. */
  emulated: EmulatedChoice
}

export interface NetworkSearch {
  q?: string
  technology?: string
  state?: string
  health?: string
  view?: true
  emulated?: EmulatedChoice
}

/** Reads the search parameters; invalid ones are ignored. */
export function parseFilter(search: Record<string, unknown>): NetworkFilter {
  const among = <Name extends string>(names: readonly Name[], value: unknown): Name[] => {
    const selected = typeof value === 'string' ? value.split(',') : []
    return names.filter((name) => selected.includes(name))
  }
  // The router parses numeric text as a number.
  const { q } = search
  return {
    text: typeof q === 'string' || typeof q === 'number' ? String(q) : '',
    technology: among(technologies, search['technology']),
    state: among(states, search['state']),
    health: among(healths, search['health']),
    isInView: search['view'] === true,
    emulated: among(['all', 'none'] as const, search['emulated'])[0] ?? 'own',
  }
}

/** Empty filters are left out. */
export const filterSearch = ({
  text,
  technology,
  state,
  health,
  isInView,
  emulated,
}: NetworkFilter): NetworkSearch => ({
  ...(text !== '' && { q: text }),
  ...(technology.length > 0 && { technology: technology.join(',') }),
  ...(state.length > 0 && { state: state.join(',') }),
  ...(health.length > 0 && { health: health.join(',') }),
  ...(isInView && { view: true as const }),
  ...(emulated !== 'own' && { emulated }),
})

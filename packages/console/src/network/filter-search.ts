import type { AgentState, Technology } from '@manc/sdk'
import { states, technologies } from '../ui/theme.ts'

/** Which access points are wanted. It is in the address: who comes back finds it as it was. */
export interface NetworkFilter {
  words: string
  technology: Technology[]
  state: AgentState[]
  isInView: boolean
}

export interface NetworkSearch {
  q?: string
  technology?: string
  state?: string
  view?: true
}

/** Out of an address that anybody may have written. */
export function parseFilter(search: Record<string, unknown>): NetworkFilter {
  const among = <Name extends string>(names: readonly Name[], text: unknown): Name[] => {
    const chosen = typeof text === 'string' ? text.split(',') : []
    return names.filter((name) => chosen.includes(name))
  }
  // Words that are a number come as one.
  const { q } = search
  return {
    words: typeof q === 'string' || typeof q === 'number' ? String(q) : '',
    technology: among(technologies, search['technology']),
    state: among(states, search['state']),
    isInView: search['view'] === true,
  }
}

/** What is not asked for is left out. */
export const filterSearch = ({ words, technology, state, isInView }: NetworkFilter): NetworkSearch => ({
  ...(words !== '' && { q: words }),
  ...(technology.length > 0 && { technology: technology.join(',') }),
  ...(state.length > 0 && { state: state.join(',') }),
  ...(isInView && { view: true as const }),
})

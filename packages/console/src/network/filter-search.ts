import { type Health, healths } from '@manc/contract/health'
import type { AgentState, EmulatedChoice, Technology } from '@manc/sdk'
import { type MapColour, mapColours } from '../map/map-colours.ts'
import { states, technologies } from '../ui/theme.ts'

/** What a phone shows; a wide page shows all. */
const panes = ['map', 'list', 'changes'] as const
type Pane = (typeof panes)[number]

/** The filter and the choices of the page, stored in the address so that they are restored on return. */
export interface NetworkFilter {
  text: string
  technology: Technology[]
  state: AgentState[]
  health: Health[]
  /** The list has what the map shows, and access points without a location. */
  isInView: boolean
  /** Emulated access points: own ones, also those of others, or none. */
  emulated: EmulatedChoice
  colour: MapColour
  sort: 'health' | 'load'
  pane: Pane
  /** The access point whose card is open. */
  selected: string | undefined
}

export interface NetworkSearch {
  q?: string
  technology?: string
  state?: string
  health?: string
  view?: 'all'
  emulated?: EmulatedChoice
  colour?: MapColour
  sort?: 'load'
  show?: Pane
  selected?: string
}

/** Reads the search parameters; invalid ones are ignored. */
export function parseFilter(search: Record<string, unknown>): NetworkFilter {
  const among = <Name extends string>(names: readonly Name[], value: unknown): Name[] => {
    const selected = typeof value === 'string' ? value.split(',') : []
    return names.filter((name) => selected.includes(name))
  }
  // The router parses numeric text as a number.
  const textOf = (value: unknown) =>
    typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  return {
    text: textOf(search['q']),
    technology: among(technologies, search['technology']),
    state: among(states, search['state']),
    health: among(healths, search['health']),
    isInView: search['view'] !== 'all',
    emulated: among(['all', 'none'] as const, search['emulated'])[0] ?? 'own',
    colour: among(mapColours, search['colour'])[0] ?? 'technology',
    sort: search['sort'] === 'load' ? 'load' : 'health',
    pane: among(panes, search['show'])[0] ?? 'map',
    selected: textOf(search['selected']) || undefined,
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
  colour,
  sort,
  pane,
  selected,
}: NetworkFilter): NetworkSearch => ({
  ...(text !== '' && { q: text }),
  ...(technology.length > 0 && { technology: technology.join(',') }),
  ...(state.length > 0 && { state: state.join(',') }),
  ...(health.length > 0 && { health: health.join(',') }),
  ...(!isInView && { view: 'all' as const }),
  ...(emulated !== 'own' && { emulated }),
  ...(colour !== 'technology' && { colour }),
  ...(sort !== 'health' && { sort }),
  ...(pane !== 'map' && { show: pane }),
  ...(selected !== undefined && { selected }),
})

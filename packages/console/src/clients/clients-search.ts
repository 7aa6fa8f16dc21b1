import type { ClientOrder, ClientState, EmulatedChoice, Technology } from '@manc/sdk'
import { type Density, densities } from '../ui/density.ts'
import { technologies } from '../ui/theme.ts'
import type { LaneKind } from './client-path.ts'

const clientStates = ['attached', 'detached', 'all'] as const satisfies readonly ClientState[]
const emulatedChoices = ['own', 'all', 'none'] as const satisfies readonly EmulatedChoice[]
export const clientOrders = ['id', 'since'] as const satisfies readonly ClientOrder[]

/** Everything that the table shows, stored in the address so that it can be shared. */
export interface ClientsTable {
  /** Start of the id of a client. */
  text: string
  state: ClientState
  technology: Technology[]
  /** Of an access point. */
  apId: string | undefined
  place: string | undefined
  emulated: EmulatedChoice
  sort: ClientOrder
  density: Density
}

export interface ClientsSearch {
  q?: string
  state?: ClientState
  technology?: string
  ap?: string
  place?: string
  emulated?: EmulatedChoice
  sort?: ClientOrder
  density?: Density
}

/** Reads the search parameters; invalid ones are ignored. */
export function parseClients(search: Record<string, unknown>): ClientsTable {
  const { technology } = search
  const named = typeof technology === 'string' ? technology.split(',') : []
  return {
    text: textOf(search['q'], 128) ?? '',
    state: oneOf(clientStates, search['state']) ?? 'attached',
    technology: technologies.filter((each) => named.includes(each)),
    apId: textOf(search['ap'], 320),
    place: textOf(search['place'], 128),
    emulated: oneOf(emulatedChoices, search['emulated']) ?? 'own',
    sort: oneOf(clientOrders, search['sort']) ?? 'id',
    density: oneOf(densities, search['density']) ?? 'compact',
  }
}

/** Default values are left out. */
export const clientsSearch = (table: ClientsTable): ClientsSearch => ({
  ...(table.text !== '' && { q: table.text }),
  ...(table.state !== 'attached' && { state: table.state }),
  ...(table.technology.length > 0 && { technology: table.technology.join(',') }),
  ...(table.apId !== undefined && { ap: table.apId }),
  ...(table.place !== undefined && { place: table.place }),
  ...(table.emulated !== 'own' && { emulated: table.emulated }),
  ...(table.sort !== 'id' && { sort: table.sort }),
  ...(table.density !== 'compact' && { density: table.density }),
})

/** As the controller expects it. */
export const clientsQuery = ({ text, state, technology, apId, place, emulated, sort }: ClientsTable) => ({
  state,
  emulated,
  sort,
  ...(text.trim() !== '' && { q: text.trim() }),
  ...(technology.length > 0 && { technology }),
  ...(apId !== undefined && { ap_id: apId }),
  ...(place !== undefined && { place }),
})

/** Without filters, all attached clients are shown. */
export const hasFilters = ({ text, state, technology, apId, place }: ClientsTable): boolean =>
  text.trim() !== '' ||
  state !== 'attached' ||
  technology.length > 0 ||
  apId !== undefined ||
  place !== undefined

export const withoutFilters: Partial<ClientsTable> = {
  text: '',
  state: 'attached',
  technology: [],
  apId: undefined,
  place: undefined,
}

/** What the page of a client shows, stored in the address. */
interface ClientSearch {
  /** Of the timeline; by default technologies. */
  lanes?: Exclude<LaneKind, 'technology'>
}

/** Invalid parameters are ignored. */
export const parseClientSearch = ({ lanes }: Record<string, unknown>): ClientSearch =>
  lanes === 'access-point' ? { lanes } : {}

const oneOf = <Name extends string>(names: readonly Name[], value: unknown): Name | undefined =>
  names.find((name) => name === value)

/** The router parses numeric text as a number. */
function textOf(value: unknown, maxLength: number): string | undefined {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  return text === '' ? undefined : text.slice(0, maxLength)
}

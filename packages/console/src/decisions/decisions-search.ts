import type { DecisionState } from '@manc/sdk'

/** In the order of the choices. */
export const stateLabels: Record<DecisionState, string> = {
  proposed: 'Waiting for confirmation',
  executed: 'Executed',
  measured: 'Measured',
  reverted: 'Reverted',
  recorded: 'Recorded',
  refused: 'Refused by the arbiter',
  rejected: 'Rejected',
  expired: 'Expired',
}

/** The filter of the page, stored in the address. */
export interface DecisionsSearch {
  state?: DecisionState
  /** Name of an application or a user. */
  owner?: string
  /** Id of an access point. */
  ap?: string
}

/** Invalid parameters are ignored. */
export function parseDecisionsSearch({ state, owner, ap }: Record<string, unknown>): DecisionsSearch {
  return {
    ...(isState(state) && { state }),
    ...(isText(owner) && { owner }),
    ...(isText(ap) && { ap }),
  }
}

/** As the controller expects it. */
export const decisionsQuery = ({ state, owner, ap }: DecisionsSearch) => ({
  ...(state && { state: [state] }),
  ...(owner !== undefined && { owner }),
  ...(ap !== undefined && { ap_id: ap }),
})

const isState = (value: unknown): value is DecisionState =>
  typeof value === 'string' && Object.hasOwn(stateLabels, value)

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= 320

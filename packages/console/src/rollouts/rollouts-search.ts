import type { RolloutAgentState } from '@manc/sdk'
import { agentStates } from './rollout-texts.ts'

/** What the page shows, stored in the address. */
export interface RolloutsSearch {
  /** Id of a rollout, or `new`. */
  open?: string
  /** State of the access points that are listed. */
  outcome?: RolloutAgentState
}

const maxLength = 64

/** Invalid parameters are ignored. */
export function parseRolloutsSearch(search: Record<string, unknown>): RolloutsSearch {
  const { open } = search
  if (typeof open !== 'string' || open === '' || open.length > maxLength) return {}
  const outcome = agentStates.find((state) => state === search['outcome'])
  return { open, ...(outcome && { outcome }) }
}

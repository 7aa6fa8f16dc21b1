import type { EmulatedChoice } from '@manc/contract'
import { type Caller, idOf } from './access.ts'

/** The agents that a caller sees. */
interface AgentView {
  /** Id patterns of the agents that an app may see; undefined: all agents. */
  patterns: readonly string[] | undefined
  emulated: EmulatedChoice
  /** Id of the caller, who owns some of the emulated agents. */
  owner: string
}

export const viewOf = (caller: Caller, emulated: EmulatedChoice = 'own'): AgentView => ({
  patterns: caller.kind === 'third_party_app' ? caller.agents : undefined,
  emulated,
  owner: idOf(caller),
})

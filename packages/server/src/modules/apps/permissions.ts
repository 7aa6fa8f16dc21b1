import { allScopes, type Operation, operations, type Scope } from '@manc/contract'
import { fitsOneOf } from '../../globs.ts'

/** The interface opens history to agents and users, and callbacks are the service's own: an app must be granted both. */
const standardScopes: readonly Scope[] = ['agents:read', 'metrics:read', 'commands:send', 'emulator:spinup']

export interface Permissions {
  scopes: readonly Scope[]
  may: (operation: string, scope?: Scope) => boolean
  priority: number
  /** Patterns of the agents that it sees. */
  agents: readonly string[]
  sees: (apId: string) => boolean
}

/** What the free-form `permissions` of an app mean. What is malformed grants nothing; what is unknown is ignored. */
export function readPermissions(permissions: Record<string, unknown>): Permissions {
  const scopes = grantedScopes(permissions)
  const { agents: listed } = permissions
  const agents = listed === undefined ? ['*'] : textsOf(listed)
  return {
    scopes,
    may: (operation, scope) =>
      verdictOn(permissions, operation) ?? (scope === undefined || scopes.includes(scope)),
    priority: priorityOf(permissions['priority']),
    agents,
    sees: fitsOneOf(agents),
  }
}

const priorityOf = (said: unknown): number =>
  typeof said === 'number' && Number.isSafeInteger(said) ? Math.max(-1000, Math.min(1000, said)) : 0

function grantedScopes(permissions: Record<string, unknown>): readonly Scope[] {
  const listed = permissions['scopes']
  if (listed !== undefined) return allScopes.filter((scope) => textsOf(listed).includes(scope))
  return allScopes.filter((scope) => {
    const said = permissions[scope]
    return typeof said === 'boolean' ? said : standardScopes.includes(scope)
  })
}

/** Operations of ours that do more of what another does: what is denied there is denied here. */
const extended: Partial<Record<string, string>> = {
  sendCommands: 'sendCommand',
  subscribeAgentData: 'getAgentData',
  getFleetFigures: 'getAgentData',
  getFleetChanges: 'listFleetAgents',
}

/** An operation goes by its id and, where its path ends in a word, by that word, as `send_command`. */
function verdictOn(permissions: Record<string, unknown>, id: string): boolean | undefined {
  const { path = '' } = (operations as Record<string, Operation>)[id] ?? {}
  const word = path.split('/').findLast((part) => part !== '') ?? ''
  const names = word.startsWith('{') ? [id] : [id, word]
  const said = names.map((name) => permissions[name]).find((each) => typeof each === 'boolean')
  const base = extended[id]
  return said ?? (base === undefined ? undefined : verdictOn(permissions, base))
}

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []

import { allScopes, type Operation, operations, type Scope } from '@manc/contract'
import { fitsOneOf } from '../../globs.ts'

/** Not included: history is for agents and users, and callbacks for the service. An app must be granted these. */
const defaultScopes: readonly Scope[] = ['agents:read', 'metrics:read', 'commands:send', 'emulator:spinup']

export interface Permissions {
  scopes: readonly Scope[]
  may: (operation: string, scope?: Scope) => boolean
  priority: number
  /** Glob patterns of the `ap_id`s that the app may see. */
  agents: readonly string[]
  sees: (apId: string) => boolean
}

/** Interprets the free-form `permissions` of an app. Malformed members grant nothing; unknown members are ignored. */
export function readPermissions(permissions: Record<string, unknown>): Permissions {
  const scopes = grantedScopes(permissions)
  const { agents: listed } = permissions
  const agents = listed === undefined ? ['*'] : textsOf(listed)
  return {
    scopes,
    may: (operation, scope) =>
      explicitGrant(permissions, operation) ?? (scope === undefined || scopes.includes(scope)),
    priority: priorityOf(permissions['priority']),
    agents,
    sees: fitsOneOf(agents),
  }
}

const priorityOf = (value: unknown): number =>
  typeof value === 'number' && Number.isSafeInteger(value) ? Math.max(-1000, Math.min(1000, value)) : 0

function grantedScopes(permissions: Record<string, unknown>): readonly Scope[] {
  const listed = permissions['scopes']
  if (listed !== undefined) return allScopes.filter((scope) => textsOf(listed).includes(scope))
  return allScopes.filter((scope) => {
    const granted = permissions[scope]
    return typeof granted === 'boolean' ? granted : defaultScopes.includes(scope)
  })
}

/** Operations that extend another operation: a permission for that one applies to them as well. */
const extendedOperations: Partial<Record<string, string>> = {
  sendCommands: 'sendCommand',
  subscribeAgentData: 'getAgentData',
  getFleetFigures: 'getAgentData',
  getFleetChanges: 'listFleetAgents',
}

/**
 * Whether the permissions name the operation: by its id or by the last segment of its path, such as `send_command`.
 * Undefined where they do not.
 */
function explicitGrant(permissions: Record<string, unknown>, id: string): boolean | undefined {
  const { path = '' } = (operations as Record<string, Operation>)[id] ?? {}
  const segment = path.split('/').findLast((part) => part !== '') ?? ''
  const names = segment.startsWith('{') ? [id] : [id, segment]
  const granted = names.map((name) => permissions[name]).find((each) => typeof each === 'boolean')
  const base = extendedOperations[id]
  return granted ?? (base === undefined ? undefined : explicitGrant(permissions, base))
}

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []

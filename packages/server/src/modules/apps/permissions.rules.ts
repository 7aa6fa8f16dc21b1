import { allScopes, type Operation, operations, prometheusOperations, type Scope } from '@manc/contract'
import { fitsOneOf } from '../../globs.ts'
import { isSandboxed, withinSandbox } from './sandbox.rules.ts'

/** Scopes of an app whose permissions name none, by the setting MANC_APP_DEFAULT. */
export const defaultScopes = {
  /** What the interface names as the purpose of applications. Callbacks are for the service and emulators. */
  interface: ['agents:read', 'metrics:read', 'history:read', 'commands:send', 'emulator:spinup'],
  none: [],
} as const satisfies Record<string, readonly Scope[]>

export interface Permissions {
  scopes: readonly Scope[]
  may: (operation: string, scope?: Scope) => boolean
  priority: number
  /** Glob patterns of the `ap_id`s that the app may see. */
  agents: readonly string[]
  sees: (apId: string) => boolean
  /** Restricted to emulated agents. */
  isSandboxed: boolean
}

/** Interprets the free-form `permissions` of an app. Malformed members grant nothing; unknown members are ignored. */
export function readPermissions(
  permissions: Record<string, unknown>,
  byDefault: readonly Scope[],
): Permissions {
  const scopes = grantedScopes(permissions, byDefault)
  const isInSandbox = isSandboxed(permissions)
  const given = patternsOf(permissions['agents'])
  const agents = isInSandbox ? withinSandbox(given) : given
  return {
    scopes,
    may: (operation, scope) =>
      explicitGrant(permissions, operation) ?? (scope === undefined || scopes.includes(scope)),
    priority: priorityOf(permissions['priority']),
    agents,
    sees: fitsOneOf(agents),
    isSandboxed: isInSandbox,
  }
}

const priorityOf = (value: unknown): number =>
  typeof value === 'number' && Number.isSafeInteger(value) ? Math.max(-1000, Math.min(1000, value)) : 0

/** `true` and one pattern without a list are what callers write who have only seen that `permissions` is an object. */
function patternsOf(agents: unknown): string[] {
  if (agents === undefined || agents === true) return ['*']
  return typeof agents === 'string' ? [agents] : textsOf(agents)
}

function grantedScopes(permissions: Record<string, unknown>, byDefault: readonly Scope[]): readonly Scope[] {
  const listed = permissions['scopes']
  if (listed !== undefined) return allScopes.filter((scope) => textsOf(listed).includes(scope))
  return allScopes.filter((scope) => {
    const granted = permissions[scope]
    return typeof granted === 'boolean' ? granted : byDefault.includes(scope)
  })
}

/** Operations that are named by their id only: their last segments are also those of other operations. */
const namedByIdPaths = [
  '/api/v1/callback/',
  '/api/v1/alarms/',
  '/api/v1/silences',
  '/api/v1/prometheus/',
  '/api/v1/decisions',
]

/** Operations that extend another operation: a permission for that one applies to them as well. */
const extendedOperations: Partial<Record<string, string>> = {
  sendCommands: 'sendCommand',
  subscribeAgentData: 'getAgentData',
  getFleetFigures: 'getAgentData',
  getFleetChanges: 'listFleetAgents',
  exportEvents: 'listEvents',
  exportDecisions: 'listDecisions',
  eventStream: 'listEvents',
  ...Object.fromEntries(Object.keys(prometheusOperations).map((id) => [id, 'getAgentData'])),
}

/**
 * Whether the permissions name the operation: by its id or by the last segment of its path, such as `send_command`.
 * Undefined where they do not.
 */
function explicitGrant(permissions: Record<string, unknown>, id: string): boolean | undefined {
  const granted = namesOf(id)
    .map((name) => permissions[name])
    .find((each) => typeof each === 'boolean')
  const base = extendedOperations[id]
  return granted ?? (base === undefined ? undefined : explicitGrant(permissions, base))
}

/** The names of an operation in permissions. */
function namesOf(id: string): string[] {
  const { path = '' } = (operations as Record<string, Operation>)[id] ?? {}
  const segment = path.split('/').findLast((part) => part !== '') ?? ''
  return segment.startsWith('{') || namedByIdPaths.some((start) => path.startsWith(start))
    ? [id]
    : [id, segment]
}

const operationNames = new Set(Object.keys(operations).flatMap(namesOf))

/** The operations that permissions grant or deny by name. */
export const namedGrants = (permissions: Record<string, unknown>): Record<string, boolean> =>
  Object.fromEntries(
    Object.entries(permissions).filter(
      (member): member is [string, boolean] =>
        operationNames.has(member[0]) && typeof member[1] === 'boolean',
    ),
  )

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []

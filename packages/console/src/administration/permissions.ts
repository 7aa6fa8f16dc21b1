import type { Scope } from '@manc/sdk'

/** What each scope allows. */
export const scopeLabels: Record<Scope, string> = {
  'agents:read': 'Read access points and their configuration',
  'metrics:read': 'Read current metrics and live data',
  'history:read': 'Request historical data',
  'commands:send': 'Send commands to access points',
  'emulator:spinup': 'Start emulated networks',
  'callbacks:post': "Post results to other callers' jobs",
}

export const scopes = Object.keys(scopeLabels) as readonly Scope[]

/** Granted if the permissions do not mention a scope. */
const defaultScopes: readonly Scope[] = ['agents:read', 'metrics:read', 'commands:send', 'emulator:spinup']

export interface Permissions {
  scopes: Scope[]
  /** ID patterns. */
  agents: string[]
  priority: number
}

export const newPermissions: Permissions = {
  scopes: ['agents:read', 'metrics:read'],
  agents: ['*'],
  priority: 0,
}

/** Interprets the free-form permissions of an application as the controller does. */
export function readPermissions(stored: Record<string, unknown>): Permissions {
  const { scopes: listed, agents, priority } = stored
  const isGranted = (scope: Scope) =>
    listed === undefined
      ? (booleanOf(stored[scope]) ?? defaultScopes.includes(scope))
      : textsOf(listed).includes(scope)
  return {
    scopes: scopes.filter(isGranted),
    agents: agents === undefined ? ['*'] : textsOf(agents),
    priority: typeof priority === 'number' && Number.isSafeInteger(priority) ? priority : 0,
  }
}

/** The permissions to send. Other fields of the previous permissions are kept. */
export function writePermissions(
  permissions: Permissions,
  previous: Record<string, unknown> = {},
): Record<string, unknown> {
  const rest = Object.entries(previous).filter(
    ([name]) => !['scopes', 'agents', 'priority', ...scopes].includes(name),
  )
  return { ...Object.fromEntries(rest), ...permissions }
}

const booleanOf = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined)

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []

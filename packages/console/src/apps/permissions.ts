import type { Scope } from '@manc/sdk'

/** What each scope allows, in words. */
export const scopeWords: Record<Scope, string> = {
  'agents:read': 'Read access points and their configuration',
  'metrics:read': 'Read current metrics and live data',
  'history:read': 'Request historical data',
  'commands:send': 'Send commands to access points',
  'emulator:spinup': 'Start emulated networks',
  'callbacks:post': "Post results to other callers' jobs",
}

export const scopes = Object.keys(scopeWords) as readonly Scope[]

/** What an application has where nothing is said. */
const standardScopes: readonly Scope[] = ['agents:read', 'metrics:read', 'commands:send', 'emulator:spinup']

export interface Permissions {
  scopes: Scope[]
  /** Patterns of ids. */
  agents: string[]
  priority: number
}

export const newPermissions: Permissions = {
  scopes: ['agents:read', 'metrics:read'],
  agents: ['*'],
  priority: 0,
}

/** What the free-form permissions of an application mean to the controller. */
export function readPermissions(given: Record<string, unknown>): Permissions {
  const { scopes: listed, agents, priority } = given
  const said = (scope: Scope) => given[scope]
  const isGranted = (scope: Scope) =>
    listed === undefined
      ? (booleanOf(said(scope)) ?? standardScopes.includes(scope))
      : textsOf(listed).includes(scope)
  return {
    scopes: scopes.filter(isGranted),
    agents: agents === undefined ? ['*'] : textsOf(agents),
    priority: typeof priority === 'number' && Number.isSafeInteger(priority) ? priority : 0,
  }
}

/** The same as the controller takes it. What it holds beside that stays as it was. */
export function writePermissions(
  wanted: Permissions,
  before: Record<string, unknown> = {},
): Record<string, unknown> {
  const rest = Object.entries(before).filter(
    ([name]) => !['scopes', 'agents', 'priority', ...scopes].includes(name),
  )
  return { ...Object.fromEntries(rest), ...wanted }
}

const booleanOf = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined)

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []

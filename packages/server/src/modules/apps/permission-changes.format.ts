import type { Scope } from '@manc/contract'
import { namedGrants, type Permissions } from './permissions.rules.ts'

/** Of a list of patterns and of grants; the rest is counted. */
const maxItems = 50
const maxItemLength = 128

/** What determines the rights of an app, bounded in size. */
interface Rights {
  scopes: readonly Scope[]
  agents: string[]
  grants: Record<string, boolean>
  priority: number
  sandbox: boolean
}

/** For the audit entry of a registration. */
export function rightsOf(stored: Record<string, unknown>, read: Permissions): Rights {
  return {
    scopes: read.scopes,
    agents: bounded(read.agents),
    grants: Object.fromEntries(Object.entries(namedGrants(stored)).slice(0, maxItems)),
    priority: read.priority,
    sandbox: read.isSandboxed,
  }
}

/** For the audit entry of a change: the rights that differ, before and after. */
export function changedRights(from: Rights, to: Rights): Record<string, { from: unknown; to: unknown }> {
  const names = ['scopes', 'agents', 'grants', 'priority', 'sandbox'] as const
  const changed = names.filter((name) => JSON.stringify(from[name]) !== JSON.stringify(to[name]))
  return Object.fromEntries(changed.map((name) => [name, { from: from[name], to: to[name] }]))
}

function bounded(patterns: readonly string[]): string[] {
  const shown = patterns.slice(0, maxItems).map((pattern) => pattern.slice(0, maxItemLength))
  return patterns.length > maxItems ? [...shown, `and ${patterns.length - maxItems} more`] : shown
}

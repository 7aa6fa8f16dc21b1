import { allScopes, type Scope } from '@manc/contract'
import type { Rank } from '../../access.ts'

const scopesOfRank: Record<Rank, readonly Scope[]> = {
  user: ['agents:read', 'metrics:read', 'history:read', 'emulator:spinup', 'clients:read', 'alarms:read'],
  operator: allScopes.filter((scope) => scope !== 'callbacks:post'),
  admin: allScopes,
}

/** Other roles are labels without rights: a user who has only those has the rank `user`. */
export function rankOf(roles: readonly string[]): Rank {
  const names = roles.map((role) => role.toLowerCase())
  if (names.includes('admin') || names.includes('administrator')) return 'admin'
  return names.includes('operator') ? 'operator' : 'user'
}

export const scopesOf = (roles: readonly string[]): readonly Scope[] => scopesOfRank[rankOf(roles)]

export type Rank = 'user' | 'operator' | 'admin'

/** What each rank may do, in words. */
export const rankWords: Record<Rank, { label: string; about: string }> = {
  user: { label: 'Standard user', about: 'Watches the network and emulates some.' },
  operator: { label: 'Operator', about: 'Also sends commands.' },
  admin: { label: 'Administrator', about: 'May do everything, also this.' },
}

export const ranks = Object.keys(rankWords) as readonly Rank[]

/** Names that give rights, however they are written: none of them is a label. */
const givesRights = (name: string): boolean =>
  ['user', 'operator', 'admin', 'administrator'].includes(name.trim().toLowerCase())

/** Roles as the controller tells them, with commas between; the rest are labels. */
export function readRoles(roles: string): { rank: Rank; labels: string[] } {
  const names = roles.split(',').filter((name) => name !== '')
  const known = names.map((name) => name.toLowerCase())
  const isAdmin = known.includes('admin') || known.includes('administrator')
  return {
    rank: isAdmin ? 'admin' : known.includes('operator') ? 'operator' : 'user',
    labels: names.filter((name) => !givesRights(name)),
  }
}

export const rolesOf = (rank: Rank, labels: readonly string[]): string[] => [
  rank,
  ...labels.filter((label) => !givesRights(label)),
]

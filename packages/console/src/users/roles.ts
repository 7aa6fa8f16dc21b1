export type Rank = 'user' | 'operator' | 'admin'

/** What each rank may do, in words. */
export const rankWords: Record<Rank, { label: string; about: string }> = {
  user: { label: 'Standard user', about: 'Can view the network and run emulations.' },
  operator: { label: 'Operator', about: 'Can also send commands.' },
  admin: { label: 'Administrator', about: 'Has full access, including administration.' },
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

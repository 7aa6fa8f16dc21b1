export type Role = 'user' | 'operator' | 'admin'

/** What each role may do. */
export const roleTexts: Record<Role, { label: string; about: string }> = {
  user: { label: 'Standard user', about: 'Can view the network and run emulations.' },
  operator: { label: 'Operator', about: 'Can also send commands.' },
  admin: { label: 'Administrator', about: 'Has full access, including administration.' },
}

export const roleNames = Object.keys(roleTexts) as readonly Role[]

/** Names that grant permissions, in any case; none of them is allowed as a label. */
const grantsPermissions = (name: string): boolean =>
  ['user', 'operator', 'admin', 'administrator'].includes(name.trim().toLowerCase())

/** Splits the comma-separated roles of a user into the role that grants permissions and labels. */
export function readRoles(roles: string): { role: Role; labels: string[] } {
  const names = roles.split(',').filter((name) => name !== '')
  const known = names.map((name) => name.toLowerCase())
  const isAdmin = known.includes('admin') || known.includes('administrator')
  return {
    role: isAdmin ? 'admin' : known.includes('operator') ? 'operator' : 'user',
    labels: names.filter((name) => !grantsPermissions(name)),
  }
}

export const rolesOf = (role: Role, labels: readonly string[]): string[] => [
  role,
  ...labels.filter((label) => !grantsPermissions(label)),
]

import { readFileSync } from 'node:fs'
import path from 'node:path'

/** Permissive licences that Apache-2.0 software may depend on. Extend the list only after reading the licence. */
const allowed = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'MIT-0',
])

interface Lockfile {
  packages: Record<string, { version?: string; license?: string; dev?: boolean; link?: boolean }>
}

export interface Dependency {
  name: string
  version: string
  licence: string
}

/** The libraries that are installed in production, by the lockfile. */
export function productionDependencies(root: string): Dependency[] {
  const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as Lockfile
  return Object.entries(packages)
    .filter(([folder, { dev, link }]) => folder.includes('node_modules/') && !dev && !link)
    .map(([folder, { version = '', license = 'none' }]) => ({
      name: folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version,
      licence: license,
    }))
    .toSorted((a, b) => a.name.localeCompare(b.name))
}

/** Dependencies whose licence is not on the list. Of a choice (`MIT OR GPL-2.0`) one licence has to be on it. */
export function disallowed(dependencies: Dependency[]): Dependency[] {
  return dependencies.filter(({ licence }) => {
    const choices = licence.replaceAll(/^\(|\)$/g, '').split(' OR ')
    return !choices.some((choice) => allowed.has(choice))
  })
}

export function licenceList(dependencies: Dependency[]): string {
  return dependencies.map(({ name, version, licence }) => `${name} ${version}: ${licence}\n`).join('')
}

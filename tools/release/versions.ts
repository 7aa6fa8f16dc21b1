import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

interface Manifest {
  name: string
  version: string
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
}

/** The Python client has the same version. */
const pythonFile = 'clients/python/src/manc/_version.py'
const pythonVersion = /^VERSION = "([^"]+)"$/m

/** The version of the release: all packages have the version of the project's package.json. */
export const versionOf = (root: string): string => manifestAt(root, 'package.json').version

/** What differs from the version of the project: packages, dependencies between them, and the lockfile. */
export function versionProblems(root: string): string[] {
  const version = versionOf(root)
  const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version?: string }>
  }
  const python = pythonVersion.exec(readFileSync(path.join(root, pythonFile), 'utf8'))?.[1]
  const ofPython = python === version ? [] : [`${pythonFile} has version ${python}`]
  const ofPackages = packageFolders(root).flatMap((folder) => {
    const manifest = manifestAt(root, folder, 'package.json')
    const locked = lock.packages[folder]?.version
    return [
      ...(manifest.version === version ? [] : [`${folder}/package.json has version ${manifest.version}`]),
      ...(locked === version ? [] : [`package-lock.json has version ${locked} for ${folder}`]),
      ...Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })
        .filter(([name, range]) => name.startsWith('@manc/') && range !== `^${version}`)
        .map(([name, range]) => `${folder}/package.json requires ${name} ${range}`),
    ]
  })
  return [...ofPackages, ...ofPython]
}

/** Writes the version into every package.json and the Python client. The lockfile is updated by `npm install --package-lock-only`. */
export function setVersion(root: string, version: string): void {
  for (const folder of ['.', ...packageFolders(root)]) {
    const file = path.join(root, folder, 'package.json')
    const text = readFileSync(file, 'utf8')
      .replace(/^( {2}"version": )"[^"]+"/m, `$1"${version}"`)
      .replaceAll(/("@manc\/[a-z-]+": )"\^[^"]+"/g, `$1"^${version}"`)
    writeFileSync(file, text)
  }
  const file = path.join(root, pythonFile)
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replace(pythonVersion, `VERSION = "${version}"`))
}

const packageFolders = (root: string) =>
  readdirSync(path.join(root, 'packages')).map((name) => `packages/${name}`)

const manifestAt = (...parts: string[]) => JSON.parse(readFileSync(path.join(...parts), 'utf8')) as Manifest

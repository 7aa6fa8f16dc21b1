/**
 * Part of `npm run check`: every package has the version of the project, and the OpenAPI document has only additions
 * since the last release.
 */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { breakingChanges } from './openapi-changes.ts'
import { versionOf, versionProblems } from './versions.ts'

const root = path.join(import.meta.dirname, '../..')

const problems = versionProblems(root)
for (const problem of problems) console.error(problem)
if (problems.length > 0)
  console.error(`All packages have one version. Run: npm run release -- prepare ${versionOf(root)}`)

const previous = previousRelease()
const changes = breakingChanges(documentAt(`openapi/${previous}.json`), documentAt('openapi.json'))
for (const change of changes) console.error(`docs/openapi.json: ${change}`)
if (changes.length > 0)
  console.error(
    `These changes break callers of ${previous}; /api/v1 allows additions only. Undo them: keep the old path, field or ` +
      'value, add the new one beside it as optional, and mark the old one as deprecated (docs/releases.md).',
  )

if (problems.length + changes.length > 0) process.exitCode = 1

/** The newest release before this version. */
function previousRelease(): string {
  const current = versionOf(root)
  const releases = readdirSync(path.join(root, 'docs/openapi'))
    .map((file) => path.basename(file, '.json'))
    .filter((version) => compareVersions(version, current) < 0)
    .toSorted(compareVersions)
  const last = releases.at(-1)
  if (last === undefined) throw new Error(`docs/openapi has no document of a release before ${current}`)
  return last
}

function compareVersions(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true })
}

function documentAt(file: string): Record<string, unknown> {
  return JSON.parse(readFileSync(path.join(root, 'docs', file), 'utf8')) as Record<string, unknown>
}

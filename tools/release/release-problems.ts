import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { disallowed, productionDependencies } from './licences.ts'
import { versionOf, versionProblems } from './versions.ts'

/** Reasons for which the project at `root` cannot be released as it is. */
export function releaseProblems(root: string): string[] {
  const version = versionOf(root)
  const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
  const document = `docs/openapi/${version}.json`
  const problems = versionProblems(root)
  if (!hasSection(read('CHANGELOG.md'), version))
    problems.push(`CHANGELOG.md has no section for this version: add "## ${version}"`)
  if (!existsSync(path.join(root, document)) || read(document) !== read('docs/openapi.json'))
    problems.push(
      `${document} is not the OpenAPI document of this version: npm run release -- prepare ${version}`,
    )
  for (const { name, licence } of disallowed(productionDependencies(root)))
    problems.push(
      `${name} has the licence ${licence}: replace it, or add the licence to tools/release/licences.ts`,
    )
  const changed = execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' })
  if (changed !== '') problems.push(`commit or remove these changes first:\n${changed.trimEnd()}`)
  return problems
}

const hasSection = (changelog: string, version: string) =>
  changelog.split('\n').some((line) => line === `## ${version}` || line.startsWith(`## ${version} `))

/**
 * `npm run audit`: fails on an advisory for a production package that docs/security/dependencies.md does not assess. Many
 * mirrors of the registry have no advisories: then it says that there is no result, and does not fail.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { advisoriesOf, notAssessed } from './advisories.ts'

const root = path.join(import.meta.dirname, '../..')
const assessments = 'docs/security/dependencies.md'

const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], { cwd: root, encoding: 'utf8' })
const report = JSON.parse(stdout)
const advisories = advisoriesOf(report)
if (advisories) {
  const open = notAssessed(advisories, readFileSync(path.join(root, assessments), 'utf8'))
  for (const { package: name, severity, url } of open) console.error(`${name}: ${severity}, ${url}`)
  if (open.length > 0) {
    console.error(
      `Assess each of these in ${assessments}, with its address, and update the package if MANC is affected.`,
    )
    process.exitCode = 1
  } else console.log(`${advisories.length} advisories, all assessed in ${assessments}`)
} else
  console.log(
    `No result: ${report.message ?? 'the registry has no advisories'}. Run it with another registry before a release.`,
  )

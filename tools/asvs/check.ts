/** Checks docs/security/asvs.md: every requirement is listed once, and every file and test that it names exists. */
import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { problemsOf } from './page.ts'

const root = path.join(import.meta.dirname, '../..')
const page = readFileSync(path.join(root, 'docs/security/asvs.md'), 'utf8')

/** Paths of packages are written without `packages/`. */
function read(name: string): string | undefined {
  const file = [name, `packages/${name}`]
    .map((each) => path.join(root, each))
    .find((each) => statSync(each, { throwIfNoEntry: false })?.isFile())
  return file && readFileSync(file, 'utf8')
}

const problems = problemsOf(page, read)
for (const problem of problems) console.error(`docs/security/asvs.md: ${problem}`)
if (problems.length > 0) process.exitCode = 1

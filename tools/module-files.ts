/**
 * Checks the files of the server's modules: each is `noun.role.ts`, `index.ts` or a test, and an index exports no
 * store.
 */
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { moduleFileProblems } from './module-file-rules.ts'

const root = path.join(import.meta.dirname, '..')

const problems = globSync('packages/server/src/modules/**/*.ts', { cwd: root })
  .toSorted()
  .flatMap((file) =>
    moduleFileProblems(path.basename(file), readFileSync(path.join(root, file), 'utf8')).map(
      (problem) => `${file}: ${problem}`,
    ),
  )
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exitCode = 1

/**
 *   npm run release -- prepare 1.2.0   sets the version of all packages and stores the OpenAPI document of the release
 *   npm run release                    writes the files of the release into dist/release
 */
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { writeReleaseFiles } from './release-files.ts'
import { releaseProblems } from './release-problems.ts'
import { setVersion } from './versions.ts'

const root = path.join(import.meta.dirname, '../..')
const target = path.join(root, 'dist/release')
const published = ['contract', 'sdk', 'cli', 'agent']

const [task, version = ''] = process.argv.slice(2)
if (task === undefined) release()
else if (task === 'prepare' && /^\d+\.\d+\.\d+$/.test(version)) prepare()
else {
  console.error('Usage: npm run release, or npm run release -- prepare VERSION (for example 1.2.0)')
  process.exitCode = 2
}

function prepare(): void {
  setVersion(root, version)
  run('npm', 'install', '--package-lock-only', '--no-audit', '--no-fund')
  run(process.execPath, 'tools/docs.ts')
  copyFileSync(path.join(root, 'docs/openapi.json'), path.join(root, `docs/openapi/${version}.json`))
  console.log(`prepared ${version}: add its section to CHANGELOG.md, commit, and run npm run release`)
}

function release(): void {
  const problems = releaseProblems(root)
  if (problems.length > 0) {
    for (const problem of problems) console.error(problem)
    process.exitCode = 1
    return
  }
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target, { recursive: true })
  for (const name of published) run('npm', 'pack', '-w', `@manc/${name}`, '--pack-destination', target)
  writeReleaseFiles(root, target)
  console.log(`wrote ${readdirSync(target).length} files to dist/release`)
}

function run(program: string, ...parameters: string[]): void {
  execFileSync(program, parameters, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
}

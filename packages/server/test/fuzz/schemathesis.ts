import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { FuzzEnvironment } from './environment.ts'

/**
 * Runs Schemathesis (PyPI, installed into a temporary folder) against the OpenAPI document of a running server: a second
 * opinion that knows the document only.
 *
 *     npm run test:schemathesis -- --seed 1 --examples 50
 */
const { values } = parseArgs({
  options: { seed: { type: 'string' }, examples: { type: 'string', default: '100' } },
})
const seed = values.seed ?? String(Math.floor(Math.random() * 2 ** 31))

/** Not those that expect a refusal of everything that the document does not mention: the interface ignores it. */
const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'unsupported_method',
  'ignored_auth',
]

const folder = mkdtempSync(path.join(tmpdir(), 'schemathesis-'))
try {
  process.exitCode = await main()
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function main(): Promise<number> {
  const requirements = path.join(import.meta.dirname, 'requirements.txt')
  await mustRun('python3', ['-m', 'venv', folder])
  await mustRun(path.join(folder, 'bin/pip'), ['install', '--quiet', '-r', requirements])
  const environment = await FuzzEnvironment.open()
  try {
    console.log(`seed ${seed}`)
    const status = await run(path.join(folder, 'bin/schemathesis'), [
      'run',
      `${environment.url}/openapi.json`,
      '--header',
      `Authorization: Bearer ${await environment.adminToken()}`,
      '--checks',
      checks.join(','),
      '--phases',
      'examples,coverage,fuzzing',
      '--max-examples',
      values.examples,
      '--seed',
      seed,
      '--workers',
      '2',
      '--continue-on-failure',
      '--suppress-health-check',
      'all',
      '--warnings',
      'off',
    ])
    const problems = await environment.newHealthProblems()
    for (const problem of problems) console.log(problem)
    return status === 0 && problems.length === 0 ? 0 : 1
  } finally {
    await environment.close()
  }
}

async function mustRun(program: string, parameters: string[]): Promise<void> {
  const status = await run(program, parameters)
  if (status !== 0) throw new Error(`${program} ${parameters.join(' ')}: exit status ${status}`)
}

function run(program: string, parameters: string[]): Promise<number> {
  // In the folder, where it writes its cache.
  const child = spawn(program, parameters, { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve(code ?? 1))
  })
}

/**
 * The chaos matrix: a cluster of engines and two processes of each role, a workload of all kinds of operations, and one fault
 * in each configuration. Prints the verdict on each as one line of JSON, and a table at the end. Exit code 1: a guarantee was
 * violated.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { isQuick } from '@manc/harness/load'
import { createHistory } from './agent-history.ts'
import { isPassed, type Verdict } from './checker.ts'
import { type Configuration, configurations } from './configurations.ts'
import { Deployment } from './deployment.ts'
import { tableOf } from './report.ts'
import { type Result, runConfiguration } from './run-configuration.ts'
import { progress } from './wait.ts'

const help = `npm run test:chaos                     all configurations, 180 s each
npm run test:chaos -- NAME...           those whose name begins so
npm run test:chaos -- --names           lists the names

MANC_QUICK=1            six configurations of 20 s
MANC_CHAOS_SECONDS=60   another duration of the workload of each configuration`

const isolated = 'MANC_CHAOS_ISOLATED'
const words = process.argv.slice(2)

if (words.includes('--help')) console.log(help)
else if (words.includes('--names')) for (const { name } of configurations) console.log(name)
else if (process.env[isolated] === undefined) process.exitCode = runIsolated()
else process.exitCode = (await run()) ? 0 : 1

/** In namespaces of its own: network rules and mounts are not visible outside, and end with the run. */
function runIsolated(): number {
  const program = [process.execPath, import.meta.filename, ...words]
  const script = 'ip link set lo up && exec "$@"'
  const args = ['--net', '--mount', '--propagation', 'private', 'sh', '-c', script, 'sh', ...program]
  const { status, error } = spawnSync('unshare', args, {
    stdio: 'inherit',
    env: { ...process.env, [isolated]: '1' },
  })
  if (error) console.error(`unshare: ${error.message}. Run it as root, on Linux.`)
  return status ?? 2
}

async function run(): Promise<boolean> {
  const chosen = choose()
  const seconds = Number(process.env['MANC_CHAOS_SECONDS'] ?? (isQuick ? 20 : 180))
  const folder = mkdtempSync(path.join(tmpdir(), 'manc-chaos-results-'))
  progress(`${chosen.length} configurations of ${seconds} s; histories in ${folder}`)
  const verdicts: Verdict[] = []
  let site: Site | undefined
  try {
    for (const [n, configuration] of chosen.entries()) {
      site ??= await openSite()
      progress(`${configuration.name}: begins (${n + 1} of ${chosen.length})`)
      const { verdict, isHealthy }: Result = await runConfiguration(configuration, {
        ...site,
        seconds,
        folder,
      })
      verdicts.push(verdict)
      console.log(JSON.stringify(verdict))
      if (isHealthy) continue
      progress('the deployment is not whole any more: another one is started')
      await site.deployment.stop()
      site = undefined
    }
  } finally {
    await site?.deployment.stop()
    console.log(`\n${tableOf(verdicts)}\n`)
  }
  const failed = verdicts.filter((verdict) => !isPassed(verdict))
  console.log(JSON.stringify({ configurations: verdicts.length, violated: failed.map(({ name }) => name) }))
  return failed.length === 0 && verdicts.length > 0
}

function choose(): readonly Configuration[] {
  const chosen = configurations.filter(({ name, isQuick: isInQuick }) =>
    words.length > 0 ? words.some((word) => name.startsWith(word)) : isInQuick || !isQuick,
  )
  if (chosen.length === 0) throw new Error(`There is no such configuration.\n${help}`)
  return chosen
}

type Site = Awaited<ReturnType<typeof openSite>>

async function openSite() {
  progress('engines and processes are started')
  const deployment = await Deployment.start()
  try {
    const historyOfAgent = await createHistory(deployment)
    await deployment.untilHealthy()
    return { deployment, historyOfAgent }
  } catch (error) {
    await deployment.stop()
    throw error
  }
}

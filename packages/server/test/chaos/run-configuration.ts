import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sized } from '@manc/harness/load'
import type { HistoryOfAgent } from './agent-history.ts'
import { check, type Verdict } from './checker.ts'
import type { Configuration } from './configurations.ts'
import type { Deployment } from './deployment.ts'
import type { Fault } from './faults.ts'
import { stores } from './health.ts'
import { History } from './history.ts'
import { progress, waitFor, within } from './wait.ts'
import { Workload } from './workload.ts'
import { metrics } from './workload-samples.ts'

/** How soon each kind of operation must succeed again. The quick form also runs on machines that are slow at times. */
const recoveryS = sized(30, 90)
/** Far longer, so that a failure shows how late it was. */
const patienceS = sized(90, 150)
/** Engines may need minutes to start. */
const faultS = 300

export interface RunOptions {
  deployment: Deployment
  historyOfAgent: HistoryOfAgent
  /** Of the workload. */
  seconds: number
  /** Where histories and logs are kept. */
  folder: string
}

/** Whether the deployment can be used for the next configuration, and what this one has shown. */
export interface Result {
  verdict: Verdict
  isHealthy: boolean
}

export async function runConfiguration(configuration: Configuration, options: RunOptions): Promise<Result> {
  const { name, seed, createFault } = configuration
  const { deployment, folder } = options
  mkdirSync(folder, { recursive: true })
  const history = new History(path.join(folder, `${name}.jsonl`))
  const recovery = { from: configuration.recoveryFrom, withinS: recoveryS }
  const { revocationMs } = configuration
  history.add({ type: 'configured', name, seed, metrics, stores: [...stores], recovery, revocationMs })
  const record = (error: unknown) => {
    const detail = error instanceof Error ? error.message : String(error)
    progress(`${name}: ${detail}`)
    history.add({ type: 'problem', detail })
  }
  let workload: Workload | undefined
  try {
    const fault = await createFault(deployment)
    await within('the fault is prepared', faultS, fault.prepare?.() ?? Promise.resolve())
    workload = await Workload.start({ ...options, history, prefix: `c${seed}`, seed })
    deployment.agents = { name: `agents-${seed}`, pids: [workload.samples.load.pid], ports: [] }
    await cause(fault, configuration, options, history, workload).catch(record)
    deployment.network.heal()
    progress(`${name}: workload ends`)
    await workload.finish()
  } catch (error) {
    record(error)
  } finally {
    workload?.close()
  }
  const isHealthy = await deployment.untilHealthy().then(
    () => true,
    (error: unknown) => {
      record(error)
      return false
    },
  )
  for (const problem of deployment.servers.problems()) history.add({ type: 'problem', detail: problem })
  for (const [server, log] of deployment.servers.logs())
    writeFileSync(path.join(folder, `${name}.${server}.log`), log)
  return { verdict: check(history.read()), isHealthy }
}

/** The fault begins after a sixth of the time, and lasts at most for two fifths of it. */
async function cause(
  fault: Fault,
  { name, seed, mostS }: Configuration,
  { seconds }: RunOptions,
  history: History,
  workload: Workload,
): Promise<void> {
  const startedAt = Date.now()
  await sleep((seconds / 6) * 1000 + (seed % 10) * 100)
  progress(`${name}: fault begins`)
  history.add({ type: 'fault', phase: 'begin' })
  await within('the fault was caused', faultS, fault.begin())
  history.add({ type: 'fault', phase: 'effective' })
  const until = Date.now() + Math.min(mostS, seconds * 0.4) * 1000
  while (Date.now() < until) {
    await sleep(Math.min(1000, Math.max(0, until - Date.now())))
    await within('the fault was repeated', faultS, fault.meanwhile?.() ?? Promise.resolve())
  }
  progress(`${name}: fault ends`)
  await within('the fault has ended', faultS, fault.end())
  const endedAt = Date.now()
  history.add({ type: 'fault', phase: 'end' }, endedAt)
  progress(`${name}: everything is back`)
  await waitFor(
    'the time of the workload is over',
    seconds + faultS,
    async () => Date.now() >= startedAt + seconds * 1000,
  )
  await workload.untilSucceeded(endedAt, patienceS)
}

/** Executes one run of an experiment in a thread of its own, because it takes a core for seconds. */
import { parentPort, workerData } from 'node:worker_threads'
import type { ExperimentRunResult } from '@manc/contract'
import type { ExperimentRunMessage } from '@manc/contract/experiment-messages'
import { runExperiment } from './experiment/index.ts'

/** What the thread sends: progress while it runs, and the result at the end. */
export interface RunNews {
  progressPct: number
  result?: ExperimentRunResult
}

const intervalMs = 500

let sentAtMs = performance.now()
const send = (news: RunNews) => parentPort?.postMessage(news)

const result = runExperiment(workerData as ExperimentRunMessage, (part) => {
  const nowMs = performance.now()
  if (nowMs - sentAtMs < intervalMs) return
  sentAtMs = nowMs
  send({ progressPct: Math.floor(100 * part) })
})
send({ progressPct: 100, result })

import { setTimeout as sleep } from 'node:timers/promises'
import type { EngineUrls } from '../../../../tools/engines/index.ts'
import { compareWithStore, readSampleLog, type StoreComparison } from './store-comparison.ts'
import { ready, unacknowledged } from './telemetry-queues.ts'

/** The state after a load, and how many seconds after the end of the outage each condition was met. */
export interface Settled extends StoreComparison {
  nothingReadyAfterS: number
  nothingLostAfterS: number
  nothingUnacknowledgedAfterS: number
}

export interface EndedLoad {
  urls: EngineUrls
  sampleLog: string
  prefix: string
  metrics: number
  healedAt: number
}

const maxWaitS = 120

/** Waits far longer than the suites allow, so that a failure shows how late it was. */
export async function waitUntilSettled({
  urls,
  sampleLog,
  prefix,
  metrics,
  healedAt,
}: EndedLoad): Promise<Settled> {
  const since = () => Math.round((Date.now() - healedAt) / 100) / 10
  const until = async (isMet: () => Promise<boolean>) => {
    while (!(await isMet()) && since() < maxWaitS) await sleep(1000)
    return since()
  }
  const compare = async () => compareWithStore(await readSampleLog(sampleLog), urls.victoria, prefix, metrics)
  const nothingReadyAfterS = await until(async () => (await ready(urls)) === 0)
  const nothingLostAfterS = await until(async () => (await compare()).lost === 0)
  const nothingUnacknowledgedAfterS = await until(async () => (await unacknowledged(urls)) === 0)
  // Compared again, now that nothing is in flight any more.
  return { ...(await compare()), nothingReadyAfterS, nothingLostAfterS, nothingUnacknowledgedAfterS }
}

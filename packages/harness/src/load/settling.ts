import { setTimeout as sleep } from 'node:timers/promises'
import type { EngineUrls } from '../../../../tools/engines/index.ts'
import { ready, unacknowledged } from './telemetry-queues.ts'
import { judge, type Verdict } from './verdict.ts'

/** What a load has left behind, and how many seconds after the heal each thing was right. */
export interface Settled extends Verdict {
  nothingReadyAfterS: number
  readsRightAfterS: number
  nothingUnacknowledgedAfterS: number
}

export interface Ended {
  urls: EngineUrls
  ledger: string
  prefix: string
  metrics: number
  healedAt: number
}

const longestS = 120

/** Waits far longer than is allowed, so that a failure tells how late it was. */
export async function settle({ urls, ledger, prefix, metrics, healedAt }: Ended): Promise<Settled> {
  const since = () => Math.round((Date.now() - healedAt) / 100) / 10
  const until = async (isRight: () => Promise<boolean>) => {
    while (!(await isRight()) && since() < longestS) await sleep(1000)
    return since()
  }
  const look = () => judge(ledger, urls.victoria, prefix, metrics)
  const nothingReadyAfterS = await until(async () => (await ready(urls)) === 0)
  const readsRightAfterS = await until(async () => (await look()).lost === 0)
  const nothingUnacknowledgedAfterS = await until(async () => (await unacknowledged(urls)) === 0)
  // The last word is said when nothing is under way any more.
  return { ...(await look()), nothingReadyAfterS, readsRightAfterS, nothingUnacknowledgedAfterS }
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { WatchOrder } from './guard.ts'
import { processesOf } from './processes.ts'
import { endEngines, removeData } from './take-down.ts'

const RECHECK_MS = 500

/** Resolves with the last message of the owner when the pipe closes. */
async function lastMessage(): Promise<string | undefined> {
  let received = ''
  try {
    for await (const chunk of process.stdin) received += String(chunk)
  } catch {
    // A broken pipe also means that the owner has ended.
  }
  return received.trim().split('\n').at(-1)
}

async function takeDown(order: WatchOrder, keep: boolean): Promise<void> {
  await endEngines(order, keep ? 'stop' : 'drop')
  if (!keep) removeData(order)
}

async function watch(order: WatchOrder): Promise<void> {
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {})
  const message = await lastMessage()
  if (message === 'release') return
  const keep = message === 'keep' || !order.removeData
  await takeDown(order, keep)
  // The owner may have died between fork and exec, when the process did not carry the mark yet.
  await sleep(RECHECK_MS)
  const isLeft = order.units.some(({ mark, kind }) => processesOf(mark, kind).length > 0)
  if (isLeft) await takeDown(order, keep)
}

await watch(JSON.parse(process.argv[2] ?? '') as WatchOrder)

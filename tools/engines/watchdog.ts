import { setTimeout as sleep } from 'node:timers/promises'
import type { WatchOrder } from './guard.ts'
import { findProcesses } from './processes.ts'
import { endEngines, removeData } from './take-down.ts'

const SECOND_LOOK_MS = 500

/** Resolves at the end of the pipe, with the last word of the owner. */
async function lastWord(): Promise<string | undefined> {
  let said = ''
  try {
    for await (const chunk of process.stdin) said += String(chunk)
  } catch {
    // A broken pipe is an end as well.
  }
  return said.trim().split('\n').at(-1)
}

async function takeDown(order: WatchOrder, keep: boolean): Promise<void> {
  await endEngines(order, keep ? 'stop' : 'drop')
  if (!keep) removeData(order)
}

async function watch(order: WatchOrder): Promise<void> {
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {})
  const word = await lastWord()
  if (word === 'release') return
  const keep = word === 'keep' || !order.removeData
  await takeDown(order, keep)
  // The owner may have died between forking an engine and executing it, when it did not look like one.
  await sleep(SECOND_LOOK_MS)
  if (findProcesses(order.mark).some(({ engine }) => order.engines.includes(engine)))
    await takeDown(order, keep)
}

await watch(JSON.parse(process.argv[2] ?? '') as WatchOrder)

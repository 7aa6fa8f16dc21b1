import type { ChildProcess } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { contextOf, type EngineContext } from './engine.ts'
import { EngineError, PortClashError } from './engine-error.ts'
import { ENGINES } from './engines.ts'
import type { Programs } from './programs.ts'
import type { Unit } from './units.ts'

/** Long: several sets may start at the same time on two cores and a slow disk. */
const TIMEOUT_MS = 180_000
/** The nodes of a cluster start at the same time, and wait for each other. */
const NODE_TIMEOUT_MS = 300_000
const POLL_MS = 100
const TAIL_LINES = 15

function logSince({ logFile }: EngineContext, offset: number): string {
  const text = readFileSync(logFile).subarray(offset).toString('utf8')
  return text.trimEnd().split('\n').slice(-TAIL_LINES).join('\n')
}

function failure(what: string, context: EngineContext, offset: number): EngineError {
  const tail = logSince(context, offset)
  const message = `${context.name} ${what}. The end of ${context.logFile}:\n${tail}\nFix the cause, then start it again.`
  return /address already in use|eaddrinuse/i.test(tail)
    ? new PortClashError(message)
    : new EngineError(message)
}

async function isReady(context: EngineContext): Promise<boolean> {
  try {
    return await ENGINES[context.kind].isReady(context)
  } catch {
    return false
  }
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null

/** Starts a unit on its ports and its data and waits until it answers; gives the milliseconds it took. */
export async function startEngine(unit: Unit, programs: Programs, signal?: AbortSignal): Promise<number> {
  const began = performance.now()
  const engine = ENGINES[unit.kind]
  const context = contextOf(unit, programs)
  const logOffset = statSync(context.logFile, { throwIfNoEntry: false })?.size ?? 0
  const elapsed = () => performance.now() - began
  const timeoutMs = unit.cluster ? NODE_TIMEOUT_MS : TIMEOUT_MS
  await engine.prepare(context)
  signal?.throwIfAborted()
  const child = await engine.launch(context)
  while (!(await isReady(context))) {
    signal?.throwIfAborted()
    if (hasEnded(child)) throw failure('ended while starting', context, logOffset)
    if (elapsed() > timeoutMs)
      throw failure(`does not answer after ${timeoutMs / 1_000} s`, context, logOffset)
    await sleep(POLL_MS)
  }
  return elapsed()
}

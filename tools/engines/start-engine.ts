import type { ChildProcess } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { contextOf, type EngineContext } from './engine.ts'
import { EngineError, PortClashError } from './engine-error.ts'
import { ENGINES } from './engines.ts'
import type { Programs } from './programs.ts'
import type { EngineName, SetState } from './state.ts'

const TIMEOUT_MS = 60_000
const POLL_MS = 100
const TAIL_LINES = 15

function logSince({ logFile }: EngineContext, offset: number): string {
  const text = readFileSync(logFile).subarray(offset).toString('utf8')
  return text.trimEnd().split('\n').slice(-TAIL_LINES).join('\n')
}

function failure(engine: EngineName, what: string, context: EngineContext, offset: number): EngineError {
  const tail = logSince(context, offset)
  const message = `${engine} ${what}. The end of ${context.logFile}:\n${tail}\nFix the cause, then start it again.`
  return /address already in use|eaddrinuse/i.test(tail)
    ? new PortClashError(message)
    : new EngineError(message)
}

async function isReady(engine: EngineName, context: EngineContext): Promise<boolean> {
  try {
    return await ENGINES[engine].isReady(context)
  } catch {
    return false
  }
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null

/** Starts an engine on the ports and the data of its set and waits until it answers; gives the milliseconds it took. */
export async function startEngine(
  engine: EngineName,
  state: SetState,
  programs: Programs,
  signal?: AbortSignal,
): Promise<number> {
  const began = performance.now()
  const context = contextOf(state, engine, programs)
  const logOffset = statSync(context.logFile, { throwIfNoEntry: false })?.size ?? 0
  const elapsed = () => performance.now() - began
  await ENGINES[engine].prepare(context)
  signal?.throwIfAborted()
  const child = await ENGINES[engine].launch(context)
  while (!(await isReady(engine, context))) {
    signal?.throwIfAborted()
    if (hasEnded(child)) throw failure(engine, 'ended while starting', context, logOffset)
    if (elapsed() > TIMEOUT_MS) throw failure(engine, 'does not answer after 60 s', context, logOffset)
    await sleep(POLL_MS)
  }
  return elapsed()
}

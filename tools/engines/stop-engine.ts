import { setTimeout as sleep } from 'node:timers/promises'
import { EngineError } from './engine-error.ts'
import { ENGINES } from './engines.ts'
import { type EngineProcess, findProcesses, isStillThere, mainProcess, send } from './processes.ts'
import type { EngineName } from './state.ts'

const POLL_MS = 40
const STOP_MS = 10_000
const DROP_MS = 3_000
const KILL_MS = 10_000

const processesOf = (mark: string, engine: EngineName) =>
  findProcesses(mark).filter((it) => it.engine === engine)

function giveUp(engine: EngineName, signal: string, left: readonly EngineProcess[]): EngineError {
  const ids = left.map((it) => it.pid).join(' ')
  return new EngineError(`${engine} does not react to ${signal}. Inspect its processes: ps -fp ${ids}`)
}

/** Signals whatever is left, again and again, since an engine may have just started another process. */
async function signalUntilNone(
  mark: string,
  engine: EngineName,
  signal: NodeJS.Signals,
  leftOf: (found: readonly EngineProcess[]) => readonly EngineProcess[],
): Promise<void> {
  const deadline = performance.now() + KILL_MS
  for (;;) {
    const left = leftOf(processesOf(mark, engine))
    if (left.length === 0) return
    if (performance.now() > deadline) throw giveUp(engine, signal, left)
    for (const { pid } of left) send(pid, signal)
    await sleep(POLL_MS)
  }
}

/** `known` are processes that may no longer carry the mark but still hold their ports. */
export async function killEngine(
  mark: string,
  engine: EngineName,
  known: readonly EngineProcess[] = [],
): Promise<void> {
  const seen = new Map(known.map((it) => [it.pid, it]))
  await signalUntilNone(mark, engine, 'SIGKILL', (found) => {
    for (const it of found) seen.set(it.pid, it)
    return [...seen.values()].filter(isStillThere)
  })
}

export async function pauseEngine(mark: string, engine: EngineName): Promise<void> {
  await signalUntilNone(mark, engine, 'SIGSTOP', (found) => found.filter((it) => !it.paused))
}

export async function resumeEngine(mark: string, engine: EngineName): Promise<void> {
  await signalUntilNone(mark, engine, 'SIGCONT', (found) => found.filter((it) => it.paused))
}

/** `stop` is a clean shutdown; `drop` is fast, for data that is deleted. Both end every process. */
export async function endEngine(mark: string, engine: EngineName, how: 'stop' | 'drop'): Promise<void> {
  await resumeEngine(mark, engine)
  const known = processesOf(mark, engine)
  const main = mainProcess(known, engine)
  const deadline = performance.now() + (how === 'stop' ? STOP_MS : DROP_MS)
  if (main) send(main.pid, how === 'stop' ? ENGINES[engine].stopSignal : ENGINES[engine].dropSignal)
  while (mainProcess(findProcesses(mark), engine) && performance.now() < deadline) await sleep(POLL_MS)
  await killEngine(mark, engine, known)
}

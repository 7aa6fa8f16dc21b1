import { setTimeout as sleep } from 'node:timers/promises'
import { EngineError } from './engine-error.ts'
import { ENGINES } from './engines.ts'
import { type EngineProcess, isStillThere, mainProcess, processesOf, send } from './processes.ts'
import { markOf } from './state.ts'
import type { Unit, UnitKind } from './units.ts'

const POLL_MS = 40
/** On a slow disk an engine needs this long to write what it has in memory. */
const STOP_MS = 60_000
const DROP_MS = 3_000
const KILL_MS = 60_000

/** By what the processes of a unit are found, without its passwords. */
export interface UnitMark {
  readonly kind: UnitKind
  readonly mark: string
}

export const unitMark = ({ kind, state }: Unit): UnitMark => ({ kind, mark: markOf(state) })

const processes = ({ mark, kind }: UnitMark) => processesOf(mark, kind)
const main = ({ mark, kind }: UnitMark) => mainProcess(mark, kind)

function giveUp(kind: UnitKind, signal: string, left: readonly EngineProcess[]): EngineError {
  const ids = left.map((it) => it.pid).join(' ')
  return new EngineError(`${kind} does not react to ${signal}. Inspect its processes: ps -fp ${ids}`)
}

/** Signals whatever is left, again and again, since an engine may have just started another process. */
async function signalUntilNone(
  unit: UnitMark,
  signal: NodeJS.Signals,
  leftOf: (found: readonly EngineProcess[]) => readonly EngineProcess[],
): Promise<void> {
  const deadline = performance.now() + KILL_MS
  for (;;) {
    const left = leftOf(processes(unit))
    if (left.length === 0) return
    if (performance.now() > deadline) throw giveUp(unit.kind, signal, left)
    for (const { pid } of left) send(pid, signal)
    await sleep(POLL_MS)
  }
}

/** `known` are processes that may no longer carry the mark but still hold their ports. */
export async function killEngine(unit: UnitMark, known: readonly EngineProcess[] = []): Promise<void> {
  const seen = new Map(known.map((it) => [it.pid, it]))
  await signalUntilNone(unit, 'SIGKILL', (found) => {
    for (const it of found) seen.set(it.pid, it)
    return [...seen.values()].filter(isStillThere)
  })
}

export async function pauseEngine(unit: UnitMark): Promise<void> {
  await signalUntilNone(unit, 'SIGSTOP', (found) => found.filter((it) => !it.paused))
}

export async function resumeEngine(unit: UnitMark): Promise<void> {
  await signalUntilNone(unit, 'SIGCONT', (found) => found.filter((it) => it.paused))
}

/** `stop` is a clean shutdown; `drop` is fast, for data that is deleted. Both end every process. */
export async function endEngine(unit: UnitMark, how: 'stop' | 'drop'): Promise<void> {
  await resumeEngine(unit)
  const known = processes(unit)
  const deadline = performance.now() + (how === 'stop' ? STOP_MS : DROP_MS)
  const { stopSignal, dropSignal } = ENGINES[unit.kind]
  const first = main(unit)
  if (first) send(first.pid, how === 'stop' ? stopSignal : dropSignal)
  while (main(unit) && performance.now() < deadline) await sleep(POLL_MS)
  await killEngine(unit, known)
}

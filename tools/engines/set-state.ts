import { setTimeout as sleep } from 'node:timers/promises'
import { EngineError } from './engine-error.ts'
import { ENGINES } from './engines.ts'
import { isFree, PORT_NAMES, type PortName, pickPorts } from './ports.ts'
import { isAlive, isGuard } from './processes.ts'
import type { Programs } from './programs.ts'
import { lifetimeOf, placeData, type StartOptions } from './set-paths.ts'
import { ENGINE_NAMES, type EngineName, markOf, newPassword, type SetState } from './state.ts'

const GUARD_MS = 30_000

export async function newState(
  id: string,
  setDir: string,
  options: StartOptions,
  programs: Programs,
): Promise<SetState> {
  return {
    id,
    name: options.name ?? 'default',
    lifetime: lifetimeOf(options),
    dataDir: placeData(setDir, markOf({ id }), options.log),
    root: programs.root ?? null,
    ports: await pickPorts(PORT_NAMES),
    tls: options.tls ?? null,
    passwords: { postgres: newPassword(), rabbitmq: newPassword() },
    guard: null,
  }
}

/** A set whose owner has died is being taken down by its guard: wait for that to be over. */
export async function waitForGuard({ id, name, guard }: SetState): Promise<void> {
  if (!guard) return
  const deadline = performance.now() + GUARD_MS
  while (isGuard(guard.pid, markOf({ id }))) {
    if (isAlive(guard.owner) || performance.now() > deadline) {
      throw new EngineError(
        `The set "${name}" belongs to process ${guard.owner}. End that, or choose another name.`,
      )
    }
    await sleep(100)
  }
}

function portsOf(engines: readonly EngineName[]): readonly PortName[] {
  return engines.length === ENGINE_NAMES.length
    ? PORT_NAMES
    : engines.flatMap((engine) => ENGINES[engine].ports)
}

async function repick(state: SetState, names: readonly PortName[]): Promise<SetState> {
  return { ...state, ports: { ...state.ports, ...(await pickPorts(names)) } }
}

/** New ports for those that a stranger has taken while the engines were stopped. */
export async function withFreePorts(state: SetState, engines: readonly EngineName[]): Promise<SetState> {
  const names = portsOf(engines)
  const free = await Promise.all(names.map((name) => isFree(state.ports[name])))
  return repick(
    state,
    names.filter((_, index) => !free[index]),
  )
}

export async function withNewPorts(state: SetState, engines: readonly EngineName[]): Promise<SetState> {
  return repick(state, portsOf(engines))
}

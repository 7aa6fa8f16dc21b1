import { setTimeout as sleep } from 'node:timers/promises'
import { newCluster } from './cluster.ts'
import { EngineError } from './engine-error.ts'
import { ENGINES } from './engines.ts'
import { isFree, PORT_NAMES, type PortName, pickPorts } from './ports.ts'
import { isAlive, isGuard } from './processes.ts'
import type { Programs } from './programs.ts'
import { lifetimeOf, placeData, type StartOptions } from './set-paths.ts'
import { markOf, newPassword, type SetState } from './state.ts'
import { isCluster, type UnitName, unitsOf } from './units.ts'

const GUARD_MS = 30_000

export async function newState(
  id: string,
  setDir: string,
  options: StartOptions,
  programs: Programs,
): Promise<SetState> {
  const ports = await pickPorts(PORT_NAMES)
  return {
    id,
    name: options.name ?? 'default',
    lifetime: lifetimeOf(options),
    dataDir: placeData(setDir, markOf({ id }), options.log),
    root: programs.root ?? null,
    ports,
    tls: options.tls ?? null,
    passwords: { postgres: newPassword(), rabbitmq: newPassword() },
    hasVmalert: options.vmalert ?? false,
    withoutSync: options.withoutSync ?? false,
    cluster: options.cluster ? await newCluster(programs, ports) : null,
    guard: null,
  }
}

/** Adds vmalert to a set that was created without it. */
export async function withVmalert(state: SetState, { vmalert = false }: StartOptions): Promise<SetState> {
  if (!vmalert || state.hasVmalert) return state
  return { ...state, hasVmalert: true, ports: { ...state.ports, ...(await pickPorts(['vmalert'])) } }
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

function portsOf(state: SetState, names: ReadonlySet<UnitName>): readonly PortName[] {
  const units = unitsOf(state)
  return names.size === units.length
    ? PORT_NAMES
    : units.filter(({ name }) => names.has(name)).flatMap(({ kind }) => ENGINES[kind].ports)
}

async function repick(state: SetState, names: readonly PortName[]): Promise<SetState> {
  return { ...state, ports: { ...state.ports, ...(await pickPorts(names)) } }
}

/** The members of a cluster know each other by their ports, so these do not change. */
async function checkPorts(state: SetState, names: ReadonlySet<UnitName>): Promise<void> {
  for (const unit of unitsOf(state).filter(({ name }) => names.has(name)))
    for (const port of ENGINES[unit.kind].ports)
      if (port !== 'epmd' && !(await isFree(unit.state.ports[port])))
        throw new EngineError(
          `Another program uses port ${unit.state.ports[port]} of ${unit.name}. End it, or remove the set: npm run engines -- down --set ${state.name}`,
        )
}

/** New ports for those that a stranger has taken while the engines were stopped. */
export async function withFreePorts(state: SetState, units: ReadonlySet<UnitName>): Promise<SetState> {
  if (isCluster(state)) {
    await checkPorts(state, units)
    return state
  }
  const names = portsOf(state, units)
  const free = await Promise.all(names.map((name) => isFree(state.ports[name])))
  return repick(
    state,
    names.filter((_, index) => !free[index]),
  )
}

export async function withNewPorts(state: SetState, units: ReadonlySet<UnitName>): Promise<SetState> {
  return repick(state, portsOf(state, units))
}

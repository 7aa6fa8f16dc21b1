import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, fchownSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { type Account, accountOf } from './accounts.ts'
import { EngineError } from './engine-error.ts'
import type { PortName } from './ports.ts'
import type { Programs } from './programs.ts'
import { insideRoot } from './root.ts'
import { markOf } from './state.ts'
import type { Unit, UnitKind } from './units.ts'

/** What a unit is started with. */
export interface EngineContext extends Unit {
  readonly programs: Programs
  readonly account: Account | undefined
  readonly dir: string
  readonly logFile: string
}

export interface Engine {
  readonly name: UnitKind
  readonly ports: readonly PortName[]
  /** Ends it with its data in order. */
  readonly stopSignal: NodeJS.Signals
  /** Ends it at once where its data is thrown away, leaving nothing in the system. */
  readonly dropSignal: NodeJS.Signals
  prepare(context: EngineContext): Promise<void>
  launch(context: EngineContext): Promise<ChildProcess>
  isReady(context: EngineContext): Promise<boolean>
}

export function contextOf(unit: Unit, programs: Programs): EngineContext {
  const { kind, state } = unit
  return {
    ...unit,
    programs,
    account: accountOf(kind, programs.root),
    dir: join(state.dataDir, kind),
    logFile: join(state.dataDir, `${kind}.log`),
  }
}

/** Only what an engine needs: RABBITMQ_* or PG* of the person's shell would change its behaviour. */
function environmentOf({ state, dir }: EngineContext, extra: Record<string, string>): NodeJS.ProcessEnv {
  const path = `${process.env.PATH ?? ''}:/usr/sbin:/usr/bin:/sbin:/bin`
  return { PATH: path, LANG: 'C.UTF-8', TZ: 'UTC', HOME: dir, MANC_ENGINE_SET: markOf(state), ...extra }
}

export interface Command {
  readonly file: string
  readonly args: readonly string[]
  readonly env?: Record<string, string>
  readonly argv0?: string
  readonly input?: string
}

/** Its own session keeps Ctrl-C in the terminal away from the engine. */
export async function launchCommand(context: EngineContext, command: Command): Promise<ChildProcess> {
  const log = openSync(context.logFile, 'a', 0o600)
  try {
    if (context.account) fchownSync(log, context.account.uid, context.account.gid)
    const { root } = context.programs
    const { file, args, argv0 } = root
      ? insideRoot(root, { ...context, folders: [context.state.dataDir] }, command)
      : command
    const child = spawn(file, args, {
      // Inside a root file system, the user is changed after the mounts.
      ...(root ? {} : context.account),
      ...(argv0 ? { argv0 } : {}),
      cwd: context.dir,
      env: environmentOf(context, command.env ?? {}),
      stdio: [command.input === undefined ? 'ignore' : 'pipe', log, log],
      detached: true,
    })
    child.stdin?.end(command.input)
    child.unref()
    await once(child, 'spawn')
    return child
  } catch (error) {
    throw new EngineError(
      `${command.file} cannot be run (${String(error)}). Check that its user may execute it.`,
    )
  } finally {
    closeSync(log)
  }
}

export async function runCommand(context: EngineContext, command: Command): Promise<void> {
  const child = await launchCommand(context, command)
  child.ref()
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new EngineError(`${command.file} failed: see ${context.logFile}.`)
}

import { randomBytes } from 'node:crypto'
import { linkSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { EngineError } from './engine-error.ts'
import type { PortName, Ports } from './ports.ts'

export const ENGINE_NAMES = ['postgres', 'rabbitmq', 'victoria'] as const
export type EngineName = (typeof ENGINE_NAMES)[number]

/** Of a cluster. */
export const NODE_NAMES = [
  'etcd-1',
  'etcd-2',
  'etcd-3',
  'postgres-1',
  'postgres-2',
  'rabbitmq-1',
  'rabbitmq-2',
  'rabbitmq-3',
  'victoria-1',
  'victoria-2',
] as const
export type NodeName = (typeof NODE_NAMES)[number]

/** `kept` stays up until `down`; `owned` stops with its owner and keeps its data; `ephemeral` is deleted with it. */
export type Lifetime = 'kept' | 'owned' | 'ephemeral'

/** The certificates of a broker, as PEM. */
export interface BrokerTls {
  /** Signs the certificates of clients. */
  readonly ca: string
  readonly cert: string
  readonly key: string
  readonly requireClientCertificate: boolean
}

export interface ClusterState {
  /** The ports of each node. The others, such as that of epmd, are those of the set. */
  readonly ports: Readonly<Record<NodeName, Readonly<Partial<Record<PortName, number>>>>>
  readonly erlangCookie: string
  readonly replicationPassword: string
}

export interface SetState {
  readonly id: string
  readonly name: string
  readonly lifetime: Lifetime
  readonly dataDir: string
  /** The root file system whose engines are started; null: the machine's own. Data of one is not for the other. */
  readonly root: string | null
  readonly ports: Ports
  readonly passwords: { readonly postgres: string; readonly rabbitmq: string }
  /** Null: the broker has no TLS listeners. */
  readonly tls: BrokerTls | null
  /** Null: one of each engine. Sets of earlier versions have no `cluster`. */
  readonly cluster?: ClusterState | null
  /** Whether it evaluates rules of alarms. Sets of earlier versions and of most suites do not. */
  readonly hasVmalert?: boolean
  /** Whether PostgreSQL leaves writing to the operating system. Sets of earlier versions do not. */
  readonly withoutSync?: boolean
  /** The watchdog of the set and the process it watches, while there is one. */
  readonly guard: { readonly pid: number; readonly owner: number } | null
}

/** Part of the command line or environment of every process of the set, so that they can be found. */
export function markOf(state: Pick<SetState, 'id'>): string {
  return `manc-${state.id}`
}

export function newId(): string {
  return randomBytes(6).toString('hex')
}

export function newPassword(): string {
  return randomBytes(24).toString('hex')
}

export function enginesRoot(): string {
  return resolve(process.env.MANC_ENGINES_DIR ?? join(import.meta.dirname, '../../.engines'))
}

export function setDirOf(name: string): string {
  if (!/^[a-z0-9][a-z0-9-]{0,31}$/i.test(name)) {
    throw new EngineError(`"${name}" cannot name a set: use up to 32 letters, digits and hyphens.`)
  }
  return join(enginesRoot(), name)
}

const fileOf = (setDir: string) => join(setDir, 'state.json')

export function loadState(setDir: string): SetState | undefined {
  try {
    return JSON.parse(readFileSync(fileOf(setDir), 'utf8')) as SetState
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    const next = `Run this as the user who started the set, or remove ${setDir}.`
    throw new EngineError(`${fileOf(setDir)} cannot be read (${String(error)}). ${next}`)
  }
}

function writeBeside(setDir: string, state: SetState): string {
  const draft = `${fileOf(setDir)}.${process.pid}`
  writeFileSync(draft, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 })
  return draft
}

export function saveState(setDir: string, state: SetState): void {
  renameSync(writeBeside(setDir, state), fileOf(setDir))
}

/** Unlike `saveState` it fails when the set exists, so that of two starts at the same moment one wins. */
export function createState(setDir: string, state: SetState): void {
  const draft = writeBeside(setDir, state)
  try {
    linkSync(draft, fileOf(setDir))
  } catch {
    throw new EngineError(
      `The set "${state.name}" is being started elsewhere. Wait for it, or choose another name.`,
    )
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Names of the sets below `.engines`, half-made ones included. */
export function listSets(): string[] {
  try {
    const entries = readdirSync(enginesRoot(), { withFileTypes: true })
    return entries
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name)
      .sort()
  } catch {
    return []
  }
}

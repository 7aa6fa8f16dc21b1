import { chownSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, resolve } from 'node:path'
import { EngineError } from './engine-error.ts'
import type { UnitKind } from './units.ts'

export interface Account {
  readonly uid: number
  readonly gid: number
}

const USERS: Record<UnitKind, string[]> = {
  postgres: ['postgres', 'nobody'],
  rabbitmq: ['rabbitmq', 'nobody'],
  victoria: ['victoria-metrics', 'nobody'],
  vmalert: ['victoria-metrics', 'nobody'],
  patroni: ['postgres', 'nobody'],
  etcd: ['etcd', 'nobody'],
}

export function isRoot(): boolean {
  return process.getuid?.() === 0
}

/** Root gives each engine an account of little power (PostgreSQL refuses root); others run all as themselves. */
export function accountOf(engine: UnitKind, root = ''): Account | undefined {
  if (!isRoot()) return undefined
  const lines = readFileSync(`${root}/etc/passwd`, 'utf8').split('\n')
  for (const user of USERS[engine]) {
    const [, , uid, gid] = lines.find((line) => line.startsWith(`${user}:`))?.split(':') ?? []
    if (uid && gid) return { uid: Number(uid), gid: Number(gid) }
  }
  throw new EngineError(`No user to run ${engine} as. Create one of: ${USERS[engine].join(', ')}.`)
}

/** Whether the engines' accounts reach a folder (which need not exist yet). */
export function isReachable(path: string): boolean {
  if (!isRoot()) return true
  for (let dir = resolve(path); ; dir = dirname(dir)) {
    const mode = statSync(dir, { throwIfNoEntry: false })?.mode
    if (mode !== undefined && (mode & 0o001) === 0) return false
    if (dir === dirname(dir)) return true
  }
}

export function reachableTemporaryDir(): string {
  const dir = [tmpdir(), '/tmp', '/var/tmp'].find(isReachable)
  if (dir) return resolve(dir)
  throw new EngineError('No temporary folder is open to the engines. Run: chmod 1777 /tmp')
}

export function makePrivateDir(path: string, account: Account | undefined): void {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  if (account) chownSync(path, account.uid, account.gid)
}

export function writePrivate(path: string, text: string, account: Account | undefined, mode = 0o600): void {
  writeFileSync(path, text, { mode })
  if (account) chownSync(path, account.uid, account.gid)
}

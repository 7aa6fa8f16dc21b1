import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { connectionsOf } from './sockets.ts'

/** Processes that connect to others, and the ports on which others connect to them. */
export interface Party {
  name: string
  pids: readonly number[]
  ports: readonly number[]
}

/** Of `both`, packets from the first to the second party (`there`) or from the second to the first (`back`) are dropped. */
export type Direction = 'both' | 'there' | 'back'

/**
 * Drops packets between processes of this machine. A server is recognised by its port; a client by its control group, or, for
 * connections that it had before it was put into the group, by their ports. The rules belong to the network namespace of this
 * process and end with it.
 */
export class Network {
  readonly #groups = new Map<string, string>()
  #marks = 0

  cut(one: Party, other: Party, direction: Direction): void {
    const [there, back] = [direction !== 'back', direction !== 'there']
    // Between the same parties, connections may have been made from either side.
    this.#drop(one, other, { requests: there, responses: back })
    this.#drop(other, one, { requests: back, responses: there })
  }

  /** New connections of a client to these ports of a server go to others, and existing ones are reset. */
  redirect(client: Party, ports: ReadonlyMap<number, number>): void {
    const matches = this.#matches(client, [...ports.keys()])
    for (const match of matches) iptables('filter', ...match, '-j', 'REJECT', '--reject-with', 'tcp-reset')
    for (const [port, to] of ports)
      iptables('nat', ...this.#newOf(client, port), '-j', 'REDIRECT', '--to-ports', String(to))
  }

  /** How many packets were dropped or refused since the last time. */
  heal(): number {
    const counters = execFileSync('iptables', ['-w', '-nvxL', 'OUTPUT'], { encoding: 'utf8' })
    const counted = counters.matchAll(/^\s*(\d+)\s+\d+\s+(?:DROP|REJECT)\s/gm)
    for (const table of ['filter', 'mangle', 'nat']) execFileSync('iptables', ['-w', '-t', table, '-F'])
    return [...counted].reduce((sum, [, packets]) => sum + Number(packets), 0)
  }

  /** After the processes have ended. */
  close(): void {
    this.heal()
    for (const group of this.#groups.values()) rmdirSync(path.join(groupRoot(), group))
    this.#groups.clear()
  }

  /** Connections are marked by packets of the client, because those of the server cannot be told apart. */
  #drop(client: Party, server: Party, what: { requests: boolean; responses: boolean }): void {
    if (client.pids.length === 0 || server.ports.length === 0) return
    const mark = String(++this.#marks)
    for (const match of this.#matches(client, server.ports))
      iptables('mangle', ...match, '-j', 'CONNMARK', '--set-mark', mark)
    const marked = ['-p', 'tcp', '-m', 'connmark', '--mark', mark, '-m', 'conntrack', '--ctdir']
    if (what.requests) iptables('filter', ...marked, 'ORIGINAL', '-j', 'DROP')
    if (what.responses) iptables('filter', ...marked, 'REPLY', '-j', 'DROP')
  }

  /** Of the packets of a client: connections that it has, and those that it makes from now on. */
  #matches(client: Party, ports: readonly number[]): string[][] {
    const later = ports.map((port) => this.#newOf(client, port))
    const existing = connectionsOf(client.pids, ports).map(({ localPort, remotePort }) =>
      ['-p', 'tcp', '--sport', localPort, '--dport', remotePort].map(String),
    )
    return [...later, ...existing]
  }

  #newOf(client: Party, port: number): string[] {
    return ['-p', 'tcp', '-m', 'cgroup', '--path', this.#group(client), '--dport', String(port)]
  }

  /** A socket keeps the group that its process had when it was made. Processes that are started later are in the group. */
  #group({ name, pids }: Party): string {
    const group = this.#groups.get(name) ?? `manc-chaos-${process.pid}-${name}`
    const folder = path.join(groupRoot(), group)
    mkdirSync(folder, { recursive: true })
    this.#groups.set(name, group)
    for (const pid of pids) moveTo(folder, pid)
    return group
  }
}

function moveTo(folder: string, pid: number): void {
  try {
    writeFileSync(path.join(folder, 'cgroup.procs'), String(pid))
  } catch (error) {
    // The process has ended meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

function iptables(table: string, ...rule: string[]): void {
  execFileSync('iptables', ['-w', '-t', table, '-A', 'OUTPUT', ...rule])
}

/** Where the control groups of version 2 are. */
function groupRoot(): string {
  const mounts = readFileSync('/proc/mounts', 'utf8').split('\n')
  const found = mounts.map((line) => line.split(' ')).find(([, , type]) => type === 'cgroup2')?.[1]
  if (found) return found
  throw new Error('Partitions need a cgroup2 file system. Mount it: mount -t cgroup2 none /sys/fs/cgroup')
}

import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** A TCP connection of a client on this machine, by its ports. */
export interface Connection {
  localPort: number
  remotePort: number
}

/** The connections that processes have made to these ports. */
export function connectionsOf(pids: readonly number[], ports: readonly number[]): Connection[] {
  const inodes = new Set(pids.flatMap(socketsOf))
  return ['tcp', 'tcp6']
    .flatMap((table) => readFileSync(`/proc/net/${table}`, 'utf8').trim().split('\n').slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter(
      ([, , remote = '', , , , , , , inode = '']) => inodes.has(inode) && ports.includes(portOf(remote)),
    )
    .map(([, local = '', remote = '']) => ({ localPort: portOf(local), remotePort: portOf(remote) }))
}

const portOf = (address: string) => Number.parseInt(address.split(':')[1] ?? '', 16)

/** Inodes. A process or a file may be gone by now. */
function socketsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((file) => {
      const found = /^socket:\[(\d+)\]$/.exec(targetOf(`/proc/${pid}/fd/${file}`))
      return found?.[1] === undefined ? [] : [found[1]]
    })
  } catch {
    return []
  }
}

function targetOf(link: string): string {
  try {
    return readlinkSync(link)
  } catch {
    return ''
  }
}

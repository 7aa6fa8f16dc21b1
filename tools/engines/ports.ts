import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'

export const PORT_NAMES = [
  'postgres',
  'amqp',
  'amqps',
  'mqtt',
  'mqtts',
  'management',
  'prometheus',
  'distribution',
  'epmd',
  'victoria',
  'vmalert',
  'internal',
  'patroni',
  'etcd',
  'etcdPeer',
] as const
export type PortName = (typeof PORT_NAMES)[number]
export type Ports = Readonly<Record<PortName, number>>

const LOWEST = 15_000

/**
 * Ports that the kernel hands to outgoing connections are avoided: while an engine is down, a client could be given
 * its port (or connect to itself when it retries), and the engine could not come back on it.
 */
function candidate(): number {
  let firstOutgoing = 32_768
  try {
    firstOutgoing = Number.parseInt(readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8'), 10)
  } catch {
    // The default of Linux stands.
  }
  return firstOutgoing > LOWEST + 1_000 ? randomInt(LOWEST, firstOutgoing) : 0
}

async function listen(port: number): Promise<Server | undefined> {
  const server = createServer()
  server.listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
    return server
  } catch {
    return undefined
  }
}

async function listenSomewhere(): Promise<Server> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const server = await listen(candidate())
    if (server) return server
  }
  throw new Error('No free TCP port was found on 127.0.0.1')
}

async function close(server: Server): Promise<void> {
  server.close()
  await once(server, 'close')
}

/** All different, and none of those that are taken. */
export async function pickNumbers(count: number, taken: readonly number[] = []): Promise<number[]> {
  for (;;) {
    const servers = await Promise.all(Array.from({ length: count }, () => listenSomewhere()))
    const ports = servers.map((server) => (server.address() as AddressInfo).port)
    await Promise.all(servers.map(close))
    if (!ports.some((port) => taken.includes(port))) return ports
  }
}

export async function pickPorts<Name extends PortName>(
  names: readonly Name[],
): Promise<Record<Name, number>> {
  const ports = await pickNumbers(names.length)
  return Object.fromEntries(names.map((name, index) => [name, ports[index]])) as Record<Name, number>
}

export async function isFree(port: number): Promise<boolean> {
  const server = await listen(port)
  if (server) await close(server)
  return server !== undefined
}

export async function accepts(port: number): Promise<boolean> {
  const socket = connect({ port, host: '127.0.0.1' })
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(2_000) })
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

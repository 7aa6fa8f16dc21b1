import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { pipeline } from 'node:stream'

/** Spreads TCP connections over servers, as the load balancer in front of replicas does. */
export interface LoadBalancer {
  url: string
  add(server: { url: string }): void
  /** New connections go to the other servers. Open connections stay until either side closes them. */
  remove(server: { url: string }): void
  stop(): Promise<void>
}

export async function startLoadBalancer(): Promise<LoadBalancer> {
  const targets: URL[] = []
  const sockets = new Set<Socket>()
  let connections = 0
  const listener = createServer((caller) => {
    const target = targets[connections++ % targets.length]
    if (!target) return void caller.destroy()
    const server = connect(Number(target.port), target.hostname)
    for (const socket of [caller, server]) {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
    }
    // A failure of one side closes the other.
    pipeline(caller, server, caller, () => {})
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    add: ({ url }) => void targets.push(new URL(url)),
    remove: ({ url }) => {
      const found = targets.findIndex(({ href }) => href === new URL(url).href)
      if (found >= 0) targets.splice(found, 1)
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => listener.close(resolve))
    },
  }
}

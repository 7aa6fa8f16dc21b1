import { once } from 'node:events'
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

export async function startLoadBalancer(port = 0): Promise<LoadBalancer> {
  const targets: URL[] = []
  const sockets = new Set<Socket>()
  let connections = 0
  const track = (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    // The other side is closed too, by the pipeline or because there is no server.
    socket.on('error', () => {})
  }
  /** The next server that accepts a connection. */
  const connectToServer = async (): Promise<Socket | undefined> => {
    const first = connections++
    for (let n = 0; n < targets.length; n++) {
      const target = targets[(first + n) % targets.length]
      if (!target) continue
      const server = connect(Number(target.port), target.hostname)
      track(server)
      const isConnected = await once(server, 'connect').then(
        () => true,
        () => false,
      )
      if (isConnected) return server
    }
    return undefined
  }
  const forward = async (caller: Socket) => {
    track(caller)
    const server = await connectToServer()
    if (!server) return void caller.destroy()
    // A failure of one side closes the other.
    pipeline(caller, server, caller, () => {})
  }
  const listener = createServer((caller) => void forward(caller))
  await new Promise<void>((resolve) => listener.listen(port, '127.0.0.1', resolve))
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

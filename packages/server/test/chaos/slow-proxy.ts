import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface SlowProxy {
  port: number
  /** That were made so far. */
  connections(): number
  stop(): void
}

/** Passes everything on to a port of this machine, each chunk after a delay, in both directions. */
export async function startSlowProxy(target: number, delayMs: number): Promise<SlowProxy> {
  const sockets = new Set<Socket>()
  const pass = (from: Socket, to: Socket) => {
    sockets.add(from)
    from.on('data', (bytes) => setTimeout(() => to.writable && to.write(bytes), delayMs))
    from.on('error', () => {})
    from.on('close', () => {
      sockets.delete(from)
      setTimeout(() => to.destroy(), delayMs)
    })
  }
  let connections = 0
  const server = createServer((client) => {
    connections += 1
    const onward = connect(target, '127.0.0.1')
    pass(client, onward)
    pass(onward, client)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    stop() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

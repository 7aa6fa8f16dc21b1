import { connect as connectTo, createServer, type Socket } from 'node:net'

/** Passes everything to the broker; while `isSilent`, nothing comes back, as with a lost quorum or a memory alarm. */
export async function startSilentProxy(target: string) {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  const proxy = { isSilent: false, url: '', stop: () => {} }
  const server = createServer((client) => {
    const broker = connectTo({ host: hostname, port: Number(port) })
    for (const socket of [client, broker]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        broker.destroy()
      })
    }
    client.on('data', (bytes) => broker.write(bytes))
    const held: Buffer[] = []
    broker.on('data', (bytes) => {
      held.push(bytes)
      if (!proxy.isSilent) client.write(Buffer.concat(held.splice(0)))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = new URL(target)
  url.port = String((server.address() as { port: number }).port)
  proxy.url = url.href
  proxy.stop = () => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  return proxy
}

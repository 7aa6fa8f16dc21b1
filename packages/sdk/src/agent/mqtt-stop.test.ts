import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { AgentMqtt } from './mqtt.ts'

const connackAccepted = Buffer.from([0x20, 2, 0, 0])

const server = createServer()
afterEach(() => void server.close())

it('an agent that is stopped while it connects neither publishes nor connects again', async () => {
  const sockets: Socket[] = []
  const received: Buffer[] = []
  server.on('connection', (socket) => {
    sockets.push(socket)
    socket.on('data', (data) => received.push(data))
    socket.on('error', () => {})
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const agent = new AgentMqtt({
    url: 'http://127.0.0.1:1',
    mqttUrl: `mqtt://127.0.0.1:${port}`,
    apId: 'stopped-early',
    password: 'p',
    passwordOnly: true,
  })
  void agent.start()
  await expect.poll(() => received.length).toBe(1)
  const [socket] = sockets
  await agent.stop({ withinMs: 1000 })
  // The broker accepts the connection after all.
  socket?.write(connackAccepted)
  if (!socket?.destroyed) await once(socket as Socket, 'close')
  expect(received.slice(1).map(({ 0: type }) => type)).toEqual([])
  const reconnected = once(server, 'connection', { signal: AbortSignal.timeout(2500) })
  await expect(reconnected).rejects.toThrow('aborted')
  expect(sockets.length).toBe(1)
})

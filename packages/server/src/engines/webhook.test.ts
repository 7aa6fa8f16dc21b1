import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { Webhooks } from './webhook.ts'

/** A server that does this with each connection, after its first data. */
async function urlOf(answer: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => answer(socket))
  })
  onTestFinished(() => void server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

const post = (url: string) => new Webhooks({ mayBePrivate: true }).post(url, {}, '{}')

it('A response that changes the protocol is an error.', async () => {
  const upgrade = 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: other\r\n\r\n'
  await expect(post(await urlOf((socket) => void socket.write(upgrade)))).rejects.toThrow(
    'closed without a response',
  )
})

it('A connection that is closed without a response is an error.', async () => {
  await expect(post(await urlOf((socket) => void socket.end()))).rejects.toThrow('socket hang up')
})

it('The status counts, also if the body does not end.', async () => {
  const begun = 'HTTP/1.1 202 Accepted\r\ncontent-length: 10000\r\n\r\n'
  const answer = (socket: Socket) => void socket.write(begun + 'x'.repeat(5000))
  expect(await post(await urlOf(answer))).toBe(202)
  expect(await post(await urlOf((socket) => void socket.end(begun)))).toBe(202)
})

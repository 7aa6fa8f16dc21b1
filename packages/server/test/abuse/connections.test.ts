import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { call } from '@manc/harness'
import { test } from '@manc/harness/fixture'
import { afterEach, expect } from 'vitest'

const limit = 20
const it = test.override('variables', { MANC_CONNECTIONS_PER_ADDRESS: String(limit) })

interface Connection {
  socket: Socket
  received: string
  /** Resolves when the server has closed it. */
  closed: Promise<void>
}

const open: Connection[] = []
afterEach(() => {
  for (const { socket } of open.splice(0)) socket.destroy()
})

async function openConnection(url: string, localAddress: string, text = ''): Promise<Connection> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), localAddress })
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  const connection: Connection = { socket, received: '', closed }
  open.push(connection)
  socket.on('error', () => {})
  socket.setEncoding('utf8').on('data', (data: string) => {
    connection.received += data
  })
  await new Promise((resolve) => socket.once('connect', resolve))
  socket.write(text)
  return connection
}

it('an address that opens connections without end gets 429, and another address is served', async ({
  environment: { url },
}) => {
  const attacker = '127.0.0.50'
  for (let n = 0; n < limit; n++) await openConnection(url, attacker)
  const further = await openConnection(url, attacker)
  await further.closed
  expect(further.received).toMatch(/^HTTP\/1\.1 429 [\s\S]*retry-after: 1\r\n/)
  expect((await call(url, 'GET', '/healthz')).status).toBe(200)
  for (const { socket } of open.splice(0)) socket.destroy()
  const isServed = async () => {
    const again = await openConnection(
      url,
      attacker,
      'GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n',
    )
    await again.closed
    return again.received.startsWith('HTTP/1.1 200')
  }
  await expect.poll(isServed, { timeout: 30_000 }).toBe(true)
})

it('a caller that sends its headers slowly is disconnected within 20 s', { timeout: 60_000 }, async ({
  environment: { url },
}) => {
  const startedAt = performance.now()
  const slow = await Promise.all(
    Array.from({ length: 5 }, () =>
      openConnection(url, '127.0.0.51', 'GET / HTTP/1.1\r\nhost: x\r\nx-slow: '),
    ),
  )
  const sending = setInterval(() => {
    for (const { socket } of slow) if (socket.writable) socket.write('a')
  }, 500)
  await Promise.race([Promise.all(slow.map(({ closed }) => closed)), sleep(55_000)])
  clearInterval(sending)
  expect(performance.now() - startedAt).toBeLessThan(20_000)
})

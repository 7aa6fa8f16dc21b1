import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { expect, it, onTestFinished } from 'vitest'
import { Mail } from './mail.ts'

it('A mail server that never finishes its answer is left after the limit, and its connection is closed.', async () => {
  let closed = 0
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('close', () => closed++)
    socket.write('220 slow.example.test\r\n')
    socket.once('data', () => {
      // Always more lines of the same answer.
      const timer = setInterval(() => socket.write('250-MORE\r\n'), 20)
      socket.on('close', () => clearInterval(timer))
    })
  })
  onTestFinished(() => void server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`
  const mail = new Mail({ url, from: 'manc@example.test', maxMs: 500 })
  await expect(mail.send({ to: 'one@example.test', subject: 's', text: 't' })).rejects.toThrow(
    'Connection closed',
  )
  await expect.poll(() => closed).toBe(1)
})

it('A mail server that does not listen is an error.', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  const mail = new Mail({ url: `smtp://127.0.0.1:${port}`, from: 'manc@example.test' })
  await expect(mail.send({ to: 'one@example.test', subject: 's', text: 't' })).rejects.toThrow('ECONNREFUSED')
})

it.each([
  ['smtps', true],
  ['smtp with STARTTLS', false],
])(
  'A mail is sent with %s, and a server that does not answer is left after the limit.',
  async (_, secure) => {
    let answers = true
    const usedTls: boolean[] = []
    // Has a certificate of its own.
    const server = new SMTPServer({
      secure,
      authOptional: true,
      onData(stream, session, done) {
        usedTls.push(session.secure)
        stream.resume()
        stream.on('end', () => answers && done())
      },
    })
    server.on('error', () => {})
    onTestFinished(() => server.close())
    const { port } = await new Promise<AddressInfo>((resolve) => {
      const tcp = server.listen(0, '127.0.0.1', () => resolve(tcp.address() as AddressInfo))
    })
    const url = `${secure ? 'smtps' : 'smtp'}://localhost:${port}/?tls.rejectUnauthorized=false`
    const message = { to: 'one@example.test', subject: 's', text: 't' }
    expect(await new Mail({ url, from: 'manc@example.test' }).send(message)).toMatchObject({ refused: 0 })
    answers = false
    const impatient = new Mail({ url, from: 'manc@example.test', maxMs: 3000 })
    await expect(impatient.send(message)).rejects.toThrow('closed')
    expect(usedTls[0]).toBe(true)
  },
)

import { createSocket } from 'node:dgram'
import net from 'node:net'
import { hostname } from 'node:os'
import tls from 'node:tls'
import type { AuditRecord } from '@manc/contract'
import type { AuditReceiver } from './receiver.types.ts'
import { framed, syslogMessage } from './syslog.format.ts'

const timeoutMs = 10_000
/** How long a server may take to close its side after the last message. */
const closeTimeoutMs = 2000
const defaultPorts: Record<string, number> = { 'udp:': 514, 'tcp:': 601, 'tls:': 6514 }

/** Sends entries to a syslog server over UDP [RFC 5426], TCP [RFC 6587] or TLS [RFC 5425]. */
export class SyslogClient implements AuditReceiver {
  readonly #url: URL

  constructor(url: string) {
    this.#url = new URL(url)
  }

  async send(records: readonly AuditRecord[]): Promise<void> {
    const origin = { host: hostname(), pid: process.pid }
    const messages = records.map((record) => syslogMessage(record, origin))
    const port = Number(this.#url.port) || (defaultPorts[this.#url.protocol] ?? 0)
    const host = this.#url.hostname.replace(/^\[(.*)\]$/, '$1')
    if (this.#url.protocol === 'udp:') await sendDatagrams(messages, host, port)
    else await sendStream(messages.map(framed).join(''), () => this.#connect(host, port))
  }

  #connect(host: string, port: number): net.Socket {
    if (this.#url.protocol !== 'tls:') return net.connect({ host, port })
    return tls.connect({ host, port, ...(net.isIP(host) === 0 && { servername: host }) })
  }
}

async function sendDatagrams(messages: readonly string[], host: string, port: number): Promise<void> {
  const socket = createSocket(net.isIPv6(host) ? 'udp6' : 'udp4')
  try {
    for (const message of messages)
      await new Promise<void>((resolve, reject) =>
        socket.send(message, port, host, (error) => (error ? reject(error) : resolve())),
      )
  } finally {
    socket.close()
  }
}

/**
 * One connection per batch, closed in order: syslog has no acknowledgements, and on a connection that is kept open the first
 * messages after the server has gone would be lost unnoticed.
 */
async function sendStream(text: string, connect: () => net.Socket): Promise<void> {
  const socket = connect()
  try {
    await new Promise<void>((resolve, reject) => {
      socket.setTimeout(timeoutMs, () => reject(new Error('The syslog server does not respond.')))
      socket.once('error', reject)
      socket.once('close', () => reject(new Error('The syslog server has closed the connection.')))
      // Read to the end, so that the close of the server is noticed.
      socket.resume()
      socket.end(text, () => {
        socket.removeAllListeners('close')
        socket.once('close', () => resolve())
        setTimeout(resolve, closeTimeoutMs).unref()
      })
    })
  } finally {
    socket.destroy()
  }
}

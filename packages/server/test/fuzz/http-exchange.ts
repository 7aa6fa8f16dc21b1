import http from 'node:http'
import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Reply {
  status: number
  headers: http.IncomingHttpHeaders
  text: string
  ms: number
}

export interface Sent {
  method: string
  target: string
  headers: Record<string, string>
  body: Buffer | undefined
}

const timeoutMs = 30_000

/** Keeps connections open between requests. `fetch` would normalise paths and headers. */
export const createHttpAgent = (maxSockets: number) => new http.Agent({ keepAlive: true, maxSockets })

/** One request with the target and the headers as they are. Undefined: the server closed the connection without a response. */
export function exchange(url: string, agent: http.Agent, sent: Sent): Promise<Reply | undefined> {
  const { hostname, port } = new URL(url)
  const startedAt = performance.now()
  return new Promise((resolve, reject) => {
    const request = http.request(
      {
        agent,
        hostname,
        port,
        method: sent.method,
        path: sent.target,
        headers: { ...sent.headers, 'content-length': String(sent.body?.length ?? 0) },
        timeout: timeoutMs,
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', () => resolve(undefined))
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(chunks).toString('utf8'),
            ms: performance.now() - startedAt,
          }),
        )
      },
    )
    request.on('timeout', () => {
      request.destroy()
      reject(new Error(`no response within ${timeoutMs / 1000} s`))
    })
    request.on('error', () => resolve(undefined))
    request.end(sent.body)
  })
}

const busyRounds = 5
const busyWaitMs = 1000
let repeats = 0

/** How many requests were sent again because of a 503 since the last call. A run prints it. */
export function takeRepeats(): number {
  const taken = repeats
  repeats = 0
  return taken
}

/**
 * A machine that stands still for longer than a query of the database may take is 503 for any request: it is a finding only
 * if it stays so.
 */
export async function unlessBusy<T extends { status: number } | undefined>(
  send: () => Promise<T>,
): Promise<T> {
  for (let round = 1; ; round++) {
    const reply = await send()
    if (reply?.status !== 503 || round === busyRounds) return reply
    repeats += 1
    await sleep(busyWaitMs)
  }
}

/** Writes bytes to a new connection, and reads what comes back until it is closed or quiet. */
export function writeBytes(url: string, bytes: Buffer, quietMs = 1000): Promise<Buffer> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    const socket = net.connect({ host: hostname, port: Number(port) }, () => socket.end(bytes))
    socket.setTimeout(quietMs, () => socket.destroy())
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', () => {})
    socket.on('close', () => resolve(Buffer.concat(chunks)))
  })
}

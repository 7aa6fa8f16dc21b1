import WebSocket, { type RawData } from 'ws'
import { isObject, type Json } from './json.ts'

/** The connection is closed at a longer message, before it is in memory: the WebSocket of Node.js has no such limit. */
const maxMessageBytes = 16 * 1_048_576
const handshakeTimeoutMs = 10_000

interface Waiting {
  isWanted: (message: Json) => boolean
  resolve: (message: Json) => void
  reject: (error: Error) => void
}

/** A WebSocket with JSON messages in both directions. It is opened once; the owner makes another after a failure. */
export class JsonSocket {
  readonly #socket: WebSocket
  readonly #waiting = new Set<Waiting>()
  #failure: Error | undefined
  #opened: Promise<void>

  constructor(url: string, onMessage?: (message: Json) => void) {
    const { protocol, host, pathname } = new URL(url)
    const where = `${protocol}//${host}${pathname}`
    this.#socket = new WebSocket(url, {
      maxPayload: maxMessageBytes,
      handshakeTimeout: handshakeTimeoutMs,
      perMessageDeflate: false,
    })
    this.#opened = new Promise((resolve, reject) => {
      let isOpen = false
      this.#socket.once('open', () => {
        isOpen = true
        resolve()
      })
      const fail = (reason: string) => {
        this.#failure ??= new Error(
          `${where} ${isOpen ? 'has closed the connection' : 'cannot be reached'}${reason}. Check the address, and that its remote interface is on.`,
        )
        reject(this.#failure)
        for (const each of this.#waiting) each.reject(this.#failure)
      }
      this.#socket.on('error', ({ message }) => fail(message === '' ? '' : `: ${message}`))
      this.#socket.once('close', () => fail(''))
    })
    // Reported to those who wait.
    this.#opened.catch(() => {})
    this.#socket.on('message', (data: RawData, isBinary: boolean) => {
      const message = isBinary ? undefined : parsed(data)
      if (!message) return
      onMessage?.(message)
      for (const each of this.#waiting)
        if (each.isWanted(message)) {
          this.#waiting.delete(each)
          each.resolve(message)
        }
    })
  }

  get hasFailed(): boolean {
    return this.#failure !== undefined
  }

  /** The first message from now on that is wanted. */
  async next(isWanted: (message: Json) => boolean, signal: AbortSignal): Promise<Json> {
    if (this.#failure) throw this.#failure
    signal.throwIfAborted()
    return new Promise((resolve, reject) => {
      const done = () => {
        this.#waiting.delete(waiting)
        signal.removeEventListener('abort', onAbort)
      }
      const waiting: Waiting = {
        isWanted,
        resolve: (message) => {
          done()
          resolve(message)
        },
        reject: (error) => {
          done()
          reject(error)
        },
      }
      const onAbort = () => waiting.reject(signal.reason as Error)
      signal.addEventListener('abort', onAbort, { once: true })
      this.#waiting.add(waiting)
    })
  }

  async send(message: Json): Promise<void> {
    await this.#opened
    this.#socket.send(JSON.stringify(message))
  }

  /** Does not wait for the other end, which may be gone. */
  close(): void {
    this.#socket.terminate()
  }
}

/** Undefined for everything but an object. */
function parsed(data: RawData): Json | undefined {
  try {
    const value: unknown = JSON.parse((data as Buffer).toString('utf8'))
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

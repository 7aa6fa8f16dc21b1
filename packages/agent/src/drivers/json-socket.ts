const maxMessageBytes = 16 * 1_048_576

type Json = Record<string, unknown>

interface Waiting {
  isWanted: (message: Json) => boolean
  resolve: (message: Json) => void
  reject: (error: Error) => void
}

/** A WebSocket with JSON messages in both directions. It is opened once; the owner makes another after a failure. */
export class JsonSocket {
  readonly #socket: WebSocket
  readonly #where: string
  readonly #waiting = new Set<Waiting>()
  #failure: Error | undefined
  #opened: Promise<void>

  constructor(url: string, onMessage?: (message: Json) => void) {
    const { protocol, host, pathname } = new URL(url)
    this.#where = `${protocol}//${host}${pathname}`
    this.#socket = new WebSocket(url)
    this.#opened = new Promise((resolve, reject) => {
      let what = 'cannot be reached'
      this.#socket.addEventListener(
        'open',
        () => {
          what = 'has closed the connection'
          resolve()
        },
        { once: true },
      )
      const fail = () => {
        this.#failure ??= new Error(
          `${this.#where} ${what}. Check the address, and that its remote interface is on.`,
        )
        reject(this.#failure)
        for (const each of this.#waiting) each.reject(this.#failure)
      }
      this.#socket.addEventListener('error', fail, { once: true })
      this.#socket.addEventListener('close', fail, { once: true })
    })
    // Reported to those who wait.
    this.#opened.catch(() => {})
    this.#socket.addEventListener('message', ({ data }) => {
      const message = parsed(data)
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

  close(): void {
    this.#socket.close()
  }
}

function parsed(data: unknown): Json | undefined {
  if (typeof data !== 'string' || data.length > maxMessageBytes) return undefined
  try {
    const value: unknown = JSON.parse(data)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined
  } catch {
    return undefined
  }
}

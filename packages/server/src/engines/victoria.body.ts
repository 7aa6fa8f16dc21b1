import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'

/** Read ahead of the caller: the store is free again as soon as the rest of a response fits. */
const aheadBytes = 1024 * 1024
/** The store sends compressed responses in pieces of 2 KiB. Passed on one by one, each would cost as much as a large one. */
const batchBytes = 64 * 1024
const batchMs = 5

/**
 * The body of a response of the store, up to a size. Ends the request when it is destroyed. Emits `received` when the store has sent
 * everything, even if the caller has not read it.
 */
export class BoundedBody extends Readable {
  /** `Content-Encoding` of the response. */
  readonly encoding: string | undefined
  readonly #response: IncomingMessage
  #bytes = 0
  #batch: Buffer[] = []
  #batchBytes = 0
  #timer: NodeJS.Timeout | undefined

  private constructor(response: IncomingMessage) {
    super({ highWaterMark: aheadBytes })
    this.#response = response
    this.encoding = response.headers['content-encoding']
  }

  static of(response: IncomingMessage, maxBytes: number): BoundedBody {
    const body = new BoundedBody(response)
    response.on('data', (chunk: Buffer) => body.#receive(chunk, maxBytes))
    response.once('end', () => {
      body.#flush()
      body.push(null)
      body.emit('received')
    })
    response.on('error', (error) => body.destroy(error))
    // Also without an error: the store has closed the connection before the end.
    response.once('close', () => {
      if (!response.complete) body.destroy(new Error('the response of the metrics store is incomplete'))
    })
    return body
  }

  #receive(chunk: Buffer, maxBytes: number): void {
    this.#bytes += chunk.length
    if (this.#bytes > maxBytes)
      this.destroy(new Error(`the response of the metrics store is larger than ${maxBytes} bytes`))
    else {
      this.#batch.push(chunk)
      this.#batchBytes += chunk.length
      if (this.#batchBytes >= batchBytes) this.#flush()
      else this.#timer ??= setTimeout(() => this.#flush(), batchMs)
    }
  }

  #flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#batch.length === 0) return
    const [first] = this.#batch
    const isFull = !this.push(this.#batch.length === 1 ? first : Buffer.concat(this.#batch, this.#batchBytes))
    this.#batch = []
    this.#batchBytes = 0
    if (isFull) this.#response.pause()
  }

  override _read(): void {
    this.#response.resume()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearTimeout(this.#timer)
    if (!this.#response.complete) this.#response.destroy()
    done(error)
  }
}

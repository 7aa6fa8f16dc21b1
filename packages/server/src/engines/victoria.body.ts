import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'

/** Read ahead of the caller: the store is free again as soon as the rest of a response fits. */
const aheadBytes = 1024 * 1024

/**
 * The body of a response of the store, up to a size. Ends the request when it is destroyed. Emits `received` when the store has sent
 * everything, even if the caller has not read it.
 */
export class BoundedBody extends Readable {
  /** `Content-Encoding` of the response. */
  readonly encoding: string | undefined
  readonly #response: IncomingMessage
  #bytes = 0

  private constructor(response: IncomingMessage) {
    super({ highWaterMark: aheadBytes })
    this.#response = response
    this.encoding = response.headers['content-encoding']
  }

  static of(response: IncomingMessage, maxBytes: number): BoundedBody {
    const body = new BoundedBody(response)
    response.on('data', (chunk: Buffer) => body.#receive(chunk, maxBytes))
    response.once('end', () => {
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
    else if (!this.push(chunk)) this.#response.pause()
  }

  override _read(): void {
    this.#response.resume()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (!this.#response.complete) this.#response.destroy()
    done(error)
  }
}

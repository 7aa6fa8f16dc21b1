import type { IncomingMessage } from 'node:http'
import { Transform, type TransformCallback } from 'node:stream'

/** Read ahead of the caller: the store is free again as soon as the rest of a response fits. */
const aheadBytes = 1024 * 1024

/** The body of a response of the store, up to a size. Ends the request when it is destroyed. */
export class BoundedBody extends Transform {
  readonly #maxBytes: number
  #bytes = 0

  private constructor(maxBytes: number) {
    super({ readableHighWaterMark: aheadBytes })
    this.#maxBytes = maxBytes
  }

  static of(response: IncomingMessage, maxBytes: number): BoundedBody {
    const body = new BoundedBody(maxBytes)
    response.on('error', (error) => body.destroy(error))
    // Also without an error: the store has closed the connection before the end.
    response.once('close', () => {
      if (!response.complete) body.destroy(new Error('the response of the metrics store is incomplete'))
    })
    body.once('close', () => {
      if (!response.complete) response.destroy()
    })
    return response.pipe(body)
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#bytes += chunk.length
    if (this.#bytes <= this.#maxBytes) return done(null, chunk)
    done(new Error(`the response of the metrics store is larger than ${this.#maxBytes} bytes`))
  }
}

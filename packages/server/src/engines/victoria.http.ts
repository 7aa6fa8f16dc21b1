import http from 'node:http'
import https from 'node:https'
import { unavailable } from '../errors.ts'

export interface RequestOptions {
  /** Makes it a POST. */
  body?: Uint8Array
  /** Longest time without a byte of the response. */
  timeoutMs?: number
  maxBytes?: number
  signal?: AbortSignal
}

/** The request itself is the cause: repeating it is of no use. Other refusals are a matter of configuration. */
export class RefusedByStore extends Error {
  override readonly name = 'RefusedByStore'
}

/** An expression that cannot be parsed is the second one. */
const badRequests = [400, 422]
/** A request of a caller fails within 2 s when the store does not answer. */
const defaultTimeoutMs = 1500
/** Further requests wait for a free connection, and fail when that takes too long. */
const maxConnections = 64

/** HTTP requests to VictoriaMetrics. Plain `node:http`: for small requests fetch costs more than the request. */
export class VictoriaHttp {
  readonly #client: typeof http | typeof https
  readonly #agent: http.Agent
  readonly #server: http.RequestOptions
  readonly #prefix: string

  constructor(options: { url: string }) {
    const url = new URL(options.url)
    this.#client = url.protocol === 'https:' ? https : http
    this.#agent = new this.#client.Agent({ keepAlive: true, maxSockets: maxConnections })
    this.#prefix = url.pathname.replace(/\/$/, '')
    this.#server = {
      agent: this.#agent,
      hostname: url.hostname.replaceAll(/[[\]]/g, ''),
      port: url.port,
      ...(url.username !== '' && {
        auth: `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`,
      }),
    }
  }

  /** The text of the response; undefined where it is larger than `maxBytes`: the rest is not read. */
  request(path: string, options: RequestOptions = {}, isRetry = false): Promise<string | undefined> {
    const { body, timeoutMs = defaultTimeoutMs, maxBytes = Infinity, signal } = options
    return new Promise((resolve, reject) => {
      const outgoing = this.#client.request({
        ...this.#server,
        path: this.#prefix + path,
        ...(body && { method: 'POST', headers: { 'content-length': body.length } }),
      })
      const timer = setTimeout(() => outgoing.destroy(new Error(`no data for ${timeoutMs} ms`)), timeoutMs)
      const abort = () => outgoing.destroy(signal?.reason as Error)
      signal?.addEventListener('abort', abort, { once: true })
      outgoing.once('close', () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', abort)
      })
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        // The store closes idle connections, possibly at the moment when one is reused.
        const wasClosed = outgoing.reusedSocket && error.code === 'ECONNRESET' && !isRetry
        if (wasClosed) resolve(this.request(path, options, true))
        else reject(unavailable('The metrics store', error))
      })
      outgoing.on('response', (response) => {
        const chunks: Buffer[] = []
        let bytes = 0
        response.on('error', (error) => reject(unavailable('The metrics store', error)))
        response.on('data', (chunk: Buffer) => {
          timer.refresh()
          chunks.push(chunk)
          bytes += chunk.length
          if (bytes <= maxBytes) return
          resolve(undefined)
          outgoing.destroy()
        })
        response.on('end', () => {
          const text = textOf(chunks)
          const { statusCode = 0 } = response
          if (statusCode === 200 || statusCode === 204) return resolve(text)
          const message = `the metrics store answered ${statusCode}: ${text.slice(0, 200)}`
          if (badRequests.includes(statusCode)) return reject(new RefusedByStore(message))
          const error = new Error(message)
          reject(statusCode >= 500 ? unavailable('The metrics store', error) : error)
        })
      })
      outgoing.end(body)
    })
  }

  stop(): void {
    this.#agent.destroy()
  }
}

const textOf = (chunks: Buffer[]): string =>
  (chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)).toString('utf8')

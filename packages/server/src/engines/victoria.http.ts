import http from 'node:http'
import https from 'node:https'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { tooMany, unavailable } from '../errors.ts'
import { BoundedBody } from './victoria.body.ts'

export interface RequestOptions {
  /** Makes it a POST. */
  body?: Uint8Array
  /** Longest time without a byte of the response. */
  timeoutMs?: number
  maxBytes?: number
  signal?: AbortSignal
}

export interface StreamOptions {
  /** Until the last byte is read: a caller that reads slowly must occupy neither the store nor memory. */
  timeoutMs: number
  maxBytes: number
  signal: AbortSignal
  /** The store may compress the response. */
  acceptsGzip?: boolean
}

/** The request itself is the cause: repeating it is of no use. Other refusals are a matter of configuration. */
export class RefusedByStore extends Error {
  override readonly name = 'RefusedByStore'
}

/** An expression that cannot be parsed is the second one. */
const badRequests = [400, 422]
/** The store evaluates as many queries as it can: it is not down. The status of 1.79 is 503, which proxies use as well. */
const isBusy = (status: number, text: string): boolean =>
  status === 429 || (status === 503 && text.includes('-search.maxConcurrentRequests'))
/** A request of a caller fails within 2 s when the store does not answer. */
const defaultTimeoutMs = 1500
/** Further requests wait for a free connection, and fail when that takes too long. */
const maxConnections = 64
/** A store that has not answered for this long is checked … */
const checkAfterMs = 350
/** … and is unavailable if it does not answer the check either. */
const checkTimeoutMs = 1000
const maxErrorBytes = 65_536
const busyDetail =
  'The metrics store is busy with other queries. Send fewer at a time, or with a shorter period.'

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

  /** The body of the response as it arrives. It fails where it is larger than `maxBytes`, or takes too long. */
  stream(path: string, form: URLSearchParams, options: StreamOptions, isRetry = false): Promise<BoundedBody> {
    const sent = form.toString()
    return new Promise((resolve, reject) => {
      const outgoing = this.#client.request({
        ...this.#server,
        path: this.#prefix + path,
        method: 'POST',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          'content-length': Buffer.byteLength(sent),
          ...(options.acceptsGzip && { 'accept-encoding': 'gzip' }),
        },
      })
      let body: BoundedBody | undefined
      const stop = (error: Error) => (body ?? outgoing).destroy(error)
      const end = setTimeout(
        () => stop(new Error(`not complete after ${options.timeoutMs} ms`)),
        options.timeoutMs,
      )
      const abort = () => stop(options.signal.reason as Error)
      const clear = () => {
        clearTimeout(end)
        options.signal.removeEventListener('abort', abort)
      }
      options.signal.addEventListener('abort', abort, { once: true })
      const check = setTimeout(() => {
        this.request('/health', { timeoutMs: checkTimeoutMs }).catch((error: Error) => {
          if (!body) outgoing.destroy(error)
        })
      }, checkAfterMs)
      outgoing.once('close', () => {
        clearTimeout(check)
        if (!body) clear()
      })
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        const wasClosed = outgoing.reusedSocket && error.code === 'ECONNRESET' && !isRetry
        if (wasClosed) resolve(this.stream(path, form, options, true))
        else reject(unavailable('The metrics store', error))
      })
      outgoing.on('response', (response) => {
        clearTimeout(check)
        if (response.statusCode === 200) {
          body = BoundedBody.of(response, options.maxBytes).once('close', clear)
          return resolve(body)
        }
        this.#refusal(response).then(reject, (error: unknown) =>
          reject(unavailable('The metrics store', error)),
        )
      })
      outgoing.end(sent)
    })
  }

  async #refusal(response: http.IncomingMessage): Promise<Error> {
    const chunks: Buffer[] = []
    let bytes = 0
    const isCompressed = response.headers['content-encoding'] === 'gzip'
    const plain: Readable = isCompressed ? response.pipe(createGunzip()) : response
    for await (const chunk of plain as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes > maxErrorBytes) break
    }
    const text = textOf(chunks)
    const { statusCode = 0 } = response
    if (badRequests.includes(statusCode)) return new RefusedByStore(text)
    if (isBusy(statusCode, text)) return tooMany(busyDetail, 5)
    return unavailable(
      'The metrics store',
      new Error(`the metrics store answered ${statusCode}: ${text.slice(0, 200)}`),
    )
  }

  stop(): void {
    this.#agent.destroy()
  }
}

const textOf = (chunks: Buffer[]): string =>
  (chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)).toString('utf8')

import http from 'node:http'
import https from 'node:https'
import { unavailable } from '../errors.ts'

interface Question {
  /** Posted; without it, it is a GET. */
  body?: Uint8Array
  /** Longest silence. */
  withinMs?: number
  maxBytes?: number
  signal?: AbortSignal
}

/** A caller learns within 2 s that the store does not answer. */
const answerWithinMs = 1500
/** Beyond this many, requests wait here, and those that wait too long are told to come back. */
const connections = 64

/** Requests to VictoriaMetrics and their answers. Plain `node:http`: for small ones fetch costs more than the request. */
export class VictoriaWire {
  readonly #client: typeof http | typeof https
  readonly #agent: http.Agent
  readonly #server: http.RequestOptions
  readonly #prefix: string

  constructor(options: { url: string }) {
    const url = new URL(options.url)
    this.#client = url.protocol === 'https:' ? https : http
    this.#agent = new this.#client.Agent({ keepAlive: true, maxSockets: connections })
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

  /** The text of the answer; undefined where there is more than `maxBytes`: the rest is not read. */
  ask(path: string, question: Question = {}, isRetry = false): Promise<string | undefined> {
    const { body, withinMs = answerWithinMs, maxBytes = Infinity, signal } = question
    return new Promise((resolve, reject) => {
      const outgoing = this.#client.request({
        ...this.#server,
        path: this.#prefix + path,
        ...(body && { method: 'POST', headers: { 'content-length': body.length } }),
      })
      const timer = setTimeout(() => outgoing.destroy(new Error(`silent for ${withinMs} ms`)), withinMs)
      const giveUp = () => outgoing.destroy(signal?.reason as Error)
      signal?.addEventListener('abort', giveUp, { once: true })
      outgoing.once('close', () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', giveUp)
      })
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        // The store closes connections that were idle for long, perhaps just as one of them is used again.
        const wasClosed = outgoing.reusedSocket && error.code === 'ECONNRESET' && !isRetry
        if (wasClosed) resolve(this.ask(path, question, true))
        else reject(unavailable('The metrics store', error))
      })
      outgoing.on('response', (answer) => {
        const pieces: Buffer[] = []
        let bytes = 0
        answer.on('error', (error) => reject(unavailable('The metrics store', error)))
        answer.on('data', (piece: Buffer) => {
          timer.refresh()
          pieces.push(piece)
          bytes += piece.length
          if (bytes <= maxBytes) return
          resolve(undefined)
          outgoing.destroy()
        })
        answer.on('end', () => {
          const text = textOf(pieces)
          const { statusCode = 0 } = answer
          if (statusCode === 200 || statusCode === 204) return resolve(text)
          const error = new Error(`the metrics store answered ${statusCode}: ${text.slice(0, 200)}`)
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

const textOf = (pieces: Buffer[]): string =>
  (pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces)).toString('utf8')

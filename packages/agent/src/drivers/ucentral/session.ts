import type { RawData, WebSocket } from 'ws'
import type { Json } from '../json.ts'
import { Allowance } from './allowance.ts'
import { LimitExceeded, parseMessage } from './messages.ts'

const keepaliveMs = 30_000
const maxWaitingRequests = 16
const maxUnsentBytes = 1_048_576
/** After which a peer that does not answer the close frame is disconnected. */
const closeWithinMs = 1000
const policyViolation = 1008

interface Waiting {
  resolve: (answer: Json) => void
  reject: (error: Error) => void
}

export interface SessionEvents {
  /** Not called any more after a close. */
  onNotification: (method: string, params: Json) => void
  onClosed: (reason: string) => void
}

/** The WebSocket of one access point, with limits for what it may send. */
export class Session {
  readonly #socket: WebSocket
  readonly #events: SessionEvents
  #allowance = Allowance.ofUnknownPeer()
  readonly #waiting = new Map<number, Waiting>()
  readonly #keepalive: NodeJS.Timeout
  #isAlive = true
  #requests = 0
  #isClosed = false

  constructor(socket: WebSocket, events: SessionEvents) {
    this.#socket = socket
    this.#events = events
    socket.on('message', (data: RawData, isBinary: boolean) => {
      this.#isAlive = true
      this.#receive(() => this.#process(data as Buffer, isBinary))
    })
    // Not by `autoPong`: pongs to a peer that does not read them would be queued without a limit.
    socket.on('ping', (data) => {
      this.#isAlive = true
      this.#receive(() => this.#answerPing(data))
    })
    socket.on('pong', () => {
      this.#isAlive = true
      this.#receive(() => this.#allowance.takeMessage())
    })
    socket.on('error', ({ message }) => {
      this.#terminateSoon()
      this.#ended(message)
    })
    socket.once('close', () => this.#ended('the access point has closed the connection'))
    // A connection can be dead without an end, after a loss of power for example.
    this.#keepalive = setInterval(() => {
      if (!this.#isAlive) return this.close('the access point does not answer pings')
      this.#isAlive = false
      socket.ping()
    }, keepaliveMs)
  }

  /** It is known who sends: the allowance of an access point is kept over its connections. */
  accept(allowance: Allowance): void {
    this.#allowance = allowance
  }

  /** Resolves with the answer. */
  async request(method: string, params: Json, signal: AbortSignal): Promise<Json> {
    signal.throwIfAborted()
    if (this.#isClosed)
      throw new Error('The access point is no longer connected. Send the command again later.')
    if (this.#waiting.size >= maxWaitingRequests || this.#socket.bufferedAmount > maxUnsentBytes)
      throw new Error(
        `The access point has not answered ${this.#waiting.size} requests. Send the command later.`,
      )
    this.#requests += 1
    const id = this.#requests
    const answer = Promise.withResolvers<Json>()
    const onAbort = () => answer.reject(signal.reason as Error)
    signal.addEventListener('abort', onAbort, { once: true })
    this.#waiting.set(id, answer)
    try {
      this.#socket.send(JSON.stringify({ jsonrpc: '2.0', method, params, id }))
      return await answer.promise
    } finally {
      this.#waiting.delete(id)
      signal.removeEventListener('abort', onAbort)
    }
  }

  /** The access point is told the reason. */
  close(reason: string): void {
    if (this.#isClosed) return
    // A close frame has room for 123 bytes.
    this.#socket.close(
      policyViolation,
      Buffer.from(reason).subarray(0, 120).toString('utf8').replaceAll('\ufffd', ''),
    )
    this.#terminateSoon()
    this.#ended(reason)
  }

  #receive(work: () => void): void {
    if (this.#isClosed) return
    try {
      work()
    } catch (error) {
      // A message that this program cannot process must not end it. The reason is logged.
      const { message } = error as Error
      this.close(error instanceof LimitExceeded ? message : `a message of it cannot be processed: ${message}`)
    }
  }

  #process(data: Buffer, isBinary: boolean): void {
    this.#allowance.takeMessage()
    if (isBinary) return
    const message = parseMessage(data, (bytes) => this.#allowance.takeBytes(bytes))
    if (message?.kind === 'answer') this.#waiting.get(message.id)?.resolve(message.answer)
    else if (message) this.#events.onNotification(message.method, message.params)
  }

  #answerPing(data: Buffer): void {
    this.#allowance.takeMessage()
    if (this.#socket.bufferedAmount > maxUnsentBytes)
      throw new LimitExceeded('it does not read what it is sent')
    this.#socket.pong(data)
  }

  #terminateSoon(): void {
    setTimeout(() => this.#socket.terminate(), closeWithinMs).unref()
  }

  #ended(reason: string): void {
    if (this.#isClosed) return
    this.#isClosed = true
    clearInterval(this.#keepalive)
    for (const { reject } of this.#waiting.values())
      reject(
        new Error(`The access point was disconnected: ${reason}. Send the command again once it is back.`),
      )
    this.#events.onClosed(reason)
  }
}

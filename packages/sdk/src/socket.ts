import type { JobMessage } from '@manc/contract'
import { acknowledgement, closeCodes, socketPath, socketProtocols } from '@manc/contract/socket-protocol'
import { Refused, SocketClosed, Unreachable } from './errors.ts'
import type { Stream } from './stream.ts'
import type { CallOptions, Transport } from './transport.ts'
import { backoffMs, wait } from './wait.ts'

export interface ReadOptions {
  /** Resume after this message. */
  after?: number
  signal?: AbortSignal
}

/** After these codes the client reconnects; after any other it ends. 1001, 1005 and 1006 are those of RFC 6455. */
const retriableCodes = new Set<number>([
  1001,
  1005,
  1006,
  closeCodes.failed,
  closeCodes.restart,
  closeCodes.tokenEnded,
  closeCodes.slow,
  closeCodes.idle,
])
/** Live messages buffered for a slow reader; the oldest are dropped. Results are buffered by the controller instead. */
const maxBufferedLive = 1000
/** How long a stream retries while the controller is unreachable. */
const maxOutageMs = 600_000
const maxRefusedUpgrades = 8
/** A connection can fail without a close frame: after this silence a new one is opened immediately. */
const maxSilenceMs = 45_000

/** The messages of a job, each exactly once and in order. Reconnects after an outage; ends after the last message. */
export async function* readJob(
  transport: Transport,
  jobNumber: string,
  { after = 0, signal }: ReadOptions = {},
): Stream<JobMessage> {
  let last = after
  const received = receive(transport, {
    path: () => `${socketPath}/${encodeURIComponent(jobNumber)}?after=${last}`,
    parse: messageOf,
    bound: dropOldestLive,
    probe: (options) => transport.call('getJob', { params: { job_number: jobNumber } }, options),
    signal,
  })
  for await (const { message, inbox } of received) {
    if (message.seq > 0 && message.seq <= last) continue
    yield message
    // The consumer has processed it, so the controller may send more.
    if (message.seq > 0) inbox.acknowledge((last = message.seq))
    if (message.final) return
  }
}

interface Receiving<Message> {
  /** For each connection: it says where to resume. */
  path: () => string
  /** Undefined for a text that is not from a controller. */
  parse: (text: string) => Message | undefined
  /** Called when a message was buffered. False: the connection is closed, and opened again when all are processed. */
  bound: (buffered: Message[]) => boolean
  /** A request that is refused for the same reason as the connection. */
  probe: (options: CallOptions) => Promise<unknown>
  signal: AbortSignal | undefined
}

/** The messages of one connection after the other, until the controller is done. */
export async function* receive<Message>(
  transport: Transport,
  { path, parse, bound, probe, signal }: Receiving<Message>,
): Stream<{ message: Message; inbox: Inbox<Message> }> {
  let receivedAt = Date.now()
  let refusals = 0
  for (let attempt = 0; ; attempt++) {
    signal?.throwIfAborted()
    const token = await unlessUnavailable(transport.session.token(signal), receivedAt)
    if (token === undefined) {
      await wait(backoffMs(attempt), signal)
      continue
    }
    const socket = await transport.openSocket(path(), socketProtocols(token))
    const inbox = new Inbox<Message>(socket, { parse, bound, signal })
    try {
      for (let message = await inbox.next(); message; message = await inbox.next()) {
        attempt = 0
        receivedAt = Date.now()
        refusals = 0
        yield { message, inbox }
      }
    } finally {
      inbox.close()
    }
    signal?.throwIfAborted()
    const { code, reason, wasOpen, isToReopen } = inbox.closed
    if (wasOpen && isToReopen) {
      receivedAt = Date.now()
      attempt = -1
      continue
    }
    if (code === closeCodes.done) return
    if (!retriableCodes.has(code)) throw new SocketClosed(code, reason)
    if (code === closeCodes.tokenEnded) transport.session.forget(token)
    if (wasOpen) receivedAt = Date.now()
    else {
      // A refused upgrade has no reason. A request returns one: no such job, no valid token.
      const isAnswered = await unlessUnavailable(
        probe({ ...(signal && { signal }) }).then(() => true),
        receivedAt,
      )
      refusals = isAnswered ? refusals + 1 : 0
      if (refusals >= maxRefusedUpgrades)
        throw new SocketClosed(
          code,
          'The controller responds, but not on its WebSocket. Check that the reverse proxy in front of it allows WebSockets.',
        )
    }
    await wait(backoffMs(attempt), signal)
  }
}

/** Undefined while the controller is unavailable. Throws after an outage of `maxOutageMs`. */
async function unlessUnavailable<T>(request: Promise<T>, receivedAt: number): Promise<T | undefined> {
  try {
    return await request
  } catch (error) {
    const isUnavailable = error instanceof Unreachable || (error instanceof Refused && error.status >= 500)
    if (isUnavailable && Date.now() < receivedAt + maxOutageMs) return undefined
    throw error
  }
}

/** The messages of one connection, in the order of their arrival. */
class Inbox<Message> {
  closed = { code: 1006, reason: '', wasOpen: false, isToReopen: false }
  readonly #socket: WebSocket
  readonly #options: Pick<Receiving<Message>, 'parse' | 'bound' | 'signal'>
  readonly #messages: Message[] = []
  readonly #abort = () => this.close()
  #isClosed = false
  #wake = () => {}

  constructor(socket: WebSocket, options: Pick<Receiving<Message>, 'parse' | 'bound' | 'signal'>) {
    this.#socket = socket
    this.#options = options
    socket.addEventListener('open', () => {
      this.closed.wasOpen = true
    })
    socket.addEventListener('message', ({ data }) => this.#take(String(data)))
    socket.addEventListener('close', ({ code, reason }) => {
      if (!this.#isClosed) Object.assign(this.closed, { code, reason })
      this.#end()
    })
    // Always followed by `close`, which is handled.
    socket.addEventListener('error', () => {})
    options.signal?.addEventListener('abort', this.#abort)
  }

  /** Undefined after the connection has closed. */
  async next(): Promise<Message | undefined> {
    while (this.#messages.length === 0 && !this.#isClosed) {
      const silence = setTimeout(() => this.#reopen(), maxSilenceMs)
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
      clearTimeout(silence)
    }
    return this.#messages.shift()
  }

  acknowledge(seq: number): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(acknowledgement(seq))
  }

  close(): void {
    this.#socket.close()
    this.#end()
  }

  #reopen(): void {
    this.closed.isToReopen = true
    this.close()
  }

  #end(): void {
    this.#isClosed = true
    this.#options.signal?.removeEventListener('abort', this.#abort)
    this.#wake()
  }

  #take(text: string): void {
    // It is sent again on the next connection.
    if (this.closed.isToReopen) return
    const message = this.#options.parse(text)
    if (!message) {
      Object.assign(this.closed, { code: 1002, reason: 'This is not a controller. Check the address.' })
      return this.close()
    }
    this.#messages.push(message)
    if (!this.#options.bound(this.#messages)) this.#reopen()
    this.#wake()
  }
}

/** Results are buffered by the controller instead. */
function dropOldestLive(messages: JobMessage[]): boolean {
  if (messages.at(-1)?.type !== 'live' || messages.length <= maxBufferedLive) return true
  const oldest = messages.shift()
  const [next] = messages
  const samples = Array.isArray(oldest?.data) ? oldest.data.length : 0
  if (next) next.skipped = (next.skipped ?? 0) + (oldest?.skipped ?? 0) + samples
  return true
}

function messageOf(text: string): JobMessage | undefined {
  try {
    const message = JSON.parse(text) as JobMessage
    return typeof message.seq === 'number' ? message : undefined
  } catch {
    return undefined
  }
}

import type { JobMessage } from '@manc/contract'
import { acknowledgement, closeCodes, socketPath, socketProtocols } from '@manc/contract/socket-protocol'
import { Refused, SocketClosed, Unreachable } from './errors.ts'
import type { Stream } from './stream.ts'
import type { Transport } from './transport.ts'
import { backoffMs, wait } from './wait.ts'

export interface ReadOptions {
  /** Go on after this message. */
  after?: number
  signal?: AbortSignal
}

/** After these codes the client reconnects; after any other it ends. 1001, 1005 and 1006 are those of RFC 6455. */
const passing = new Set<number>([
  1001,
  1005,
  1006,
  closeCodes.failed,
  closeCodes.restart,
  closeCodes.tokenEnded,
  closeCodes.slow,
  closeCodes.idle,
])
/** Live messages that wait for a slow reader; the oldest go first. Results wait at the controller instead. */
const mostLive = 1000
/** How long a stream waits for a controller that is away. */
const patienceMs = 600_000
const mostRefusals = 8
/** A link may die without a word: after so long a silence another one is opened, at once. */
const longestSilenceMs = 45_000

/** The messages of a job, each once, in order, through every outage, until the last one. */
export async function* readJob(
  transport: Transport,
  jobNumber: string,
  { after = 0, signal }: ReadOptions = {},
): Stream<JobMessage> {
  let last = after
  let heardAt = Date.now()
  let refusals = 0
  for (let attempt = 0; ; attempt++) {
    signal?.throwIfAborted()
    const token = await unlessAway(transport.session.token(signal), heardAt)
    if (token === undefined) {
      await wait(backoffMs(attempt), signal)
      continue
    }
    const url = transport.socketUrl(`${socketPath}/${encodeURIComponent(jobNumber)}?after=${last}`)
    const inbox = new Inbox(new WebSocket(url, socketProtocols(token)), signal)
    try {
      for (let message = await inbox.next(); message; message = await inbox.next()) {
        attempt = 0
        heardAt = Date.now()
        refusals = 0
        if (message.seq > 0 && message.seq <= last) continue
        yield message
        // Whoever took it has done with it: what comes next may be sent.
        if (message.seq > 0) inbox.acknowledge((last = message.seq))
        if (message.final) return
      }
    } finally {
      inbox.close()
    }
    signal?.throwIfAborted()
    const { code, reason, wasOpen, wasSilent } = inbox.closed
    if (wasOpen && wasSilent) {
      heardAt = Date.now()
      attempt = -1
      continue
    }
    if (code === closeCodes.done) return
    if (!passing.has(code)) throw new SocketClosed(code, reason)
    if (code === closeCodes.tokenEnded) transport.session.forget(token)
    if (wasOpen) heardAt = Date.now()
    else {
      // A refused upgrade has no reason in it. A request says what is wrong: no such job, no valid token.
      const asked = transport.call(
        'getJob',
        { params: { job_number: jobNumber } },
        { ...(signal && { signal }) },
      )
      refusals = (await unlessAway(asked, heardAt)) ? refusals + 1 : 0
      if (refusals >= mostRefusals)
        throw new SocketClosed(
          code,
          'The controller answers, but not on its WebSocket. Check that what stands before it lets WebSockets through.',
        )
    }
    await wait(backoffMs(attempt), signal)
  }
}

/** Undefined where the controller is away, which passes; unless it has been away for too long. */
async function unlessAway<T>(asked: Promise<T>, heardAt: number): Promise<T | undefined> {
  try {
    return await asked
  } catch (error) {
    const isAway = error instanceof Unreachable || (error instanceof Refused && error.status >= 500)
    if (isAway && Date.now() < heardAt + patienceMs) return undefined
    throw error
  }
}

/** The messages of one connection, in the order of their arrival. */
class Inbox {
  closed = { code: 1006, reason: '', wasOpen: false, wasSilent: false }
  readonly #socket: WebSocket
  readonly #signal: AbortSignal | undefined
  readonly #messages: JobMessage[] = []
  readonly #abort = () => this.close()
  #isClosed = false
  #wake = () => {}

  constructor(socket: WebSocket, signal: AbortSignal | undefined) {
    this.#socket = socket
    this.#signal = signal
    socket.addEventListener('open', () => {
      this.closed.wasOpen = true
    })
    socket.addEventListener('message', ({ data }) => this.#take(String(data)))
    socket.addEventListener('close', ({ code, reason }) => {
      if (!this.#isClosed) Object.assign(this.closed, { code, reason })
      this.#end()
    })
    // Always followed by `close`, which is heard.
    socket.addEventListener('error', () => {})
    signal?.addEventListener('abort', this.#abort)
  }

  /** Undefined when the connection has ended. */
  async next(): Promise<JobMessage | undefined> {
    while (this.#messages.length === 0 && !this.#isClosed) {
      const silence = setTimeout(() => {
        this.closed.wasSilent = true
        this.close()
      }, longestSilenceMs)
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

  #end(): void {
    this.#isClosed = true
    this.#signal?.removeEventListener('abort', this.#abort)
    this.#wake()
  }

  #take(text: string): void {
    const message = messageOf(text)
    if (!message) {
      Object.assign(this.closed, { code: 1002, reason: 'This is not a controller. Check the address.' })
      return this.close()
    }
    this.#messages.push(message)
    if (message.type === 'live' && this.#messages.length > mostLive) this.#leaveOutOldest()
    this.#wake()
  }

  #leaveOutOldest(): void {
    const oldest = this.#messages.shift()
    const [next] = this.#messages
    const samples = Array.isArray(oldest?.data) ? oldest.data.length : 0
    if (next) next.skipped = (next.skipped ?? 0) + (oldest?.skipped ?? 0) + samples
  }
}

function messageOf(text: string): JobMessage | undefined {
  try {
    const message = JSON.parse(text) as JobMessage
    return typeof message.seq === 'number' ? message : undefined
  } catch {
    return undefined
  }
}

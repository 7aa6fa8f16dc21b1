import { randomUUID } from 'node:crypto'
import { acknowledgedSeq, closeCodes } from '@manc/contract'
import type { Logger } from 'pino'
import type { WebSocket } from 'ws'
import type { MessageService } from '../jobs/index.ts'
import type { MailboxMessage } from '../mailbox/index.ts'

/** Why a socket is closed by us; clients may come back, but for the first. */
export const closings = {
  done: [closeCodes.done, 'The job has ended and its result is complete.'],
  restart: [closeCodes.restart, 'This server stops. Connect again, with ?after=<seq>.'],
  failed: [closeCodes.failed, 'Something went wrong here. Connect again, with ?after=<seq>.'],
  replaced: [closeCodes.replaced, 'Another client reads this job now.'],
  tokenEnded: [closeCodes.tokenEnded, 'The token has ended. Log in and connect again, with ?after=<seq>.'],
  slow: [closeCodes.slow, 'Reading too slowly. What is left is kept: connect again, with ?after=<seq>.'],
  idle: [closeCodes.idle, 'Nothing has come for long. Connect again when you expect something.'],
  wrongMessage: [closeCodes.wrongMessage, 'Only {"type": "ack", "seq": <number>} is understood here.'],
} as const satisfies Record<string, readonly [number, string]>

const flushWithinMs = 30_000
const acknowledgedWithinMs = 5000

export interface SocketParts {
  socket: WebSocket
  messages: MessageService
  jobNumber: string
  /** With envelopes and acknowledgements; else the arrays alone, and written means delivered. */
  isEnveloped: boolean
  /** The last message that the client has. */
  after: number
  log: Logger
}

/** One client of one job: sends what the mailbox has, in order, as fast as the client reads. */
export class JobSocket {
  readonly reader = randomUUID()
  readonly jobNumber: string
  lastActiveAt = Date.now()
  isAlive = true
  readonly #parts: SocketParts
  #sentSeq: number
  /** The last that may be acknowledged: a quick client does so before we have noticed that it is written. */
  #offeredSeq: number
  #finalSeq: number | undefined
  #ackedSeq: number
  #isNoting = false
  #isPumping = false
  #isAskedAgain = false
  #closer: NodeJS.Timeout | undefined

  constructor(parts: SocketParts) {
    this.#parts = parts
    this.jobNumber = parts.jobNumber
    this.#sentSeq = parts.after
    this.#offeredSeq = parts.after
    this.#ackedSeq = parts.after
    parts.socket.on('pong', () => {
      this.isAlive = true
    })
    parts.socket.on('message', (data) => {
      this.isAlive = true
      if (parts.isEnveloped) this.#heard((data as Buffer).toString('utf8'))
    })
  }

  close([code, reason]: readonly [number, string]): void {
    clearTimeout(this.#closer)
    this.#parts.socket.close(code, reason)
  }

  terminate(): void {
    this.#parts.socket.terminate()
  }

  /** False where the last ping was not answered. One who is slow to read has other time limits. */
  ping(): boolean {
    if (this.#isPumping) return true
    if (!this.isAlive) {
      this.#parts.socket.terminate()
      return false
    }
    this.isAlive = false
    this.#parts.socket.ping()
    return true
  }

  /** There may be something to send: the message of this number, or who knows what. */
  pump(seq?: number): void {
    if (seq !== undefined && seq <= this.#sentSeq) return
    this.#isAskedAgain = true
    if (this.#isPumping) return
    this.#isPumping = true
    this.#sendAll()
      .catch((error: unknown) => {
        this.#parts.log.warn({ err: error, job: this.jobNumber }, 'a socket could not be served')
        this.close(closings.failed)
      })
      .finally(() => {
        this.#isPumping = false
        // It may have been asked in between.
        if (this.#isAskedAgain && this.#parts.socket.readyState === this.#parts.socket.OPEN) this.pump()
      })
  }

  /** What the client says it has needs no keeping. True where that is all that there will be. */
  async resume(endedAtSeq: number | null): Promise<boolean> {
    const { messages, isEnveloped, after } = this.#parts
    if (!isEnveloped || after === 0) return false
    await messages.acknowledge(this.jobNumber, after)
    return endedAtSeq !== null && after >= endedAtSeq
  }

  /** What has just happened, and is not kept. Resolves when it is on its way; a client that takes none of it is left. */
  async writeLive(items: string, skipped: number): Promise<void> {
    const { socket, isEnveloped } = this.#parts
    if (socket.readyState !== socket.OPEN) return
    this.lastActiveAt = Date.now()
    const job = JSON.stringify(this.jobNumber)
    const frame = isEnveloped
      ? `{"type":"live","job_number":${job},"seq":0,"final":false,"data":${items},"skipped":${skipped}}`
      : items
    try {
      if (!(await this.#writeFrames([frame]))) this.close(closings.slow)
    } catch (error) {
      this.#parts.log.debug({ err: error }, 'a live socket failed')
      this.terminate()
    }
  }

  async #sendAll(): Promise<void> {
    const { socket, isEnveloped } = this.#parts
    while (this.#isAskedAgain && socket.readyState === socket.OPEN) {
      this.#isAskedAgain = false
      const found = await this.#parts.messages.read(this.jobNumber, this.reader, this.#sentSeq)
      if (!found) return this.close(closings.replaced)
      const { messages, hasMore } = found
      if (messages.length === 0) continue
      this.#isAskedAgain ||= hasMore
      this.lastActiveAt = Date.now()
      const last = messages.at(-1)
      this.#offeredSeq = last?.seq ?? this.#offeredSeq
      if (last?.final) this.#finalSeq = last.seq
      if (!(await this.#write(messages))) return this.close(closings.slow)
      this.#sentSeq = this.#offeredSeq
      if (!isEnveloped) await this.#parts.messages.acknowledge(this.jobNumber, this.#sentSeq)
      else if (last?.final) this.#closer ??= setTimeout(() => this.close(closings.done), acknowledgedWithinMs)
    }
  }

  /** Resolves when all is on its way to the client; false where it takes too long. */
  #write(messages: MailboxMessage[]): Promise<boolean> {
    const { isEnveloped } = this.#parts
    const frames = messages.flatMap((message) => {
      if (isEnveloped) return this.#envelope(message)
      return message.type === 'result' ? message.data : []
    })
    return this.#writeFrames(frames)
  }

  async #writeFrames(frames: string[]): Promise<boolean> {
    const { socket } = this.#parts
    if (frames.length === 0) return true
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => resolve(false), flushWithinMs)
      frames.forEach((frame, index) =>
        socket.send(frame, (error) => {
          if (index < frames.length - 1 && !error) return
          clearTimeout(timer)
          if (error && socket.readyState === socket.OPEN) reject(error)
          else resolve(true)
        }),
      )
    })
  }

  #envelope({ type, seq, final, data }: MailboxMessage): string {
    const job = JSON.stringify(this.jobNumber)
    return `{"type":"${type}","job_number":${job},"seq":${seq},"final":${final},"data":${data}}`
  }

  #heard(text: string): void {
    const seq = acknowledgedSeq(text)
    if (seq === undefined) return this.close(closings.wrongMessage)
    const has = Math.min(seq, this.#offeredSeq)
    if (has <= this.#ackedSeq) return
    this.#ackedSeq = has
    if (this.#isNoting) return
    this.#isNoting = true
    void this.#note().finally(() => {
      this.#isNoting = false
    })
  }

  /** One at a time, and the newest: a client may acknowledge faster than we write it down. */
  async #note(): Promise<void> {
    for (let noted = -1; noted < this.#ackedSeq; ) {
      noted = this.#ackedSeq
      try {
        await this.#parts.messages.acknowledge(this.jobNumber, noted)
      } catch (error) {
        // It is acknowledged again with the next, or sent again on the next connection.
        this.#parts.log.warn({ err: error }, 'an acknowledgement was lost')
        return
      }
      if (this.#finalSeq !== undefined && noted >= this.#finalSeq) this.close(closings.done)
    }
  }
}

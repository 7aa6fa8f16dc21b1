import { randomUUID } from 'node:crypto'
import { acknowledgedSeq } from '@manc/contract'
import type { Logger } from 'pino'
import type { Attached, MessageService } from '../jobs/index.ts'
import type { MailboxMessage } from '../mailbox/index.ts'
import { ClientSocket, type ClientSocketOptions } from './client-socket.connection.ts'
import type { CloseReason } from './close-reasons.format.ts'

/** Of the final message. */
const acknowledgedWithinMs = 5000

export interface JobSocketOptions extends Omit<ClientSocketOptions, 'onMessage'> {
  messages: MessageService
  jobNumber: string
  /** With envelopes and acknowledgements; else the arrays alone, which count as delivered when they are written. */
  isEnveloped: boolean
  /** The number of the last message that the client has. */
  after: number
  log: Logger
}

/** The WebSocket of one client of one job: sends the messages of its mailbox in order, as fast as the client reads. */
export class JobSocket {
  readonly reader = randomUUID()
  readonly jobNumber: string
  readonly #options: JobSocketOptions
  readonly #client: ClientSocket
  #sentSeq: number
  /** The last message that may be acknowledged: a fast client does so before the write resolves. */
  #offeredSeq: number
  #finalSeq: number | undefined
  /** Why the socket of a client without envelopes is closed as soon as there is no further message. */
  #endReason: 'done' | 'jobFailed' | undefined
  #ackedSeq: number
  #isAcknowledging = false
  #isSending = false
  #isRequested = false
  #closer: NodeJS.Timeout | undefined

  constructor(options: JobSocketOptions) {
    this.#options = options
    this.jobNumber = options.jobNumber
    this.#sentSeq = options.after
    this.#offeredSeq = options.after
    this.#ackedSeq = options.after
    this.#client = new ClientSocket({
      ...options,
      onMessage: (text) => {
        if (options.isEnveloped) this.#receive(text)
      },
    })
  }

  get lastActiveAt(): number {
    return this.#client.lastActiveAt
  }

  close(reason: CloseReason): void {
    clearTimeout(this.#closer)
    this.#client.close(reason)
  }

  terminate(): void {
    this.#client.terminate()
  }

  /** False if the last ping got no pong. While messages are sent, the limit for slow clients applies instead. */
  ping(): boolean {
    return this.#client.ping(this.#isSending)
  }

  /** Sends pending messages; `seq` is the newest known. */
  sendPending(seq?: number): void {
    if (seq !== undefined && seq <= this.#sentSeq) return
    this.#isRequested = true
    if (this.#isSending) return
    this.#isSending = true
    this.#sendAll()
      .catch((error: unknown) => {
        this.#options.log.warn({ err: error, job: this.jobNumber }, 'sending messages to a WebSocket failed')
        this.close('failed')
      })
      .finally(() => {
        this.#isSending = false
        // A call may have come in between.
        if (this.#isRequested && this.#client.isOpen) this.sendPending()
      })
  }

  /** Acknowledges the messages that the client already has. True if the job has no further ones. */
  async resume({ endedAtSeq, hasFailed }: Pick<Attached, 'endedAtSeq' | 'hasFailed'>): Promise<boolean> {
    const { messages, isEnveloped, after } = this.#options
    if (!isEnveloped && endedAtSeq !== null) this.#endReason = hasFailed ? 'jobFailed' : 'done'
    if (!isEnveloped || after === 0) return false
    await messages.acknowledge(this.jobNumber, after)
    return endedAtSeq !== null && after >= endedAtSeq
  }

  /** Sends items that are not stored. Resolves when they are written; a client that does not read is disconnected. */
  async writeLive(items: string, skipped: number): Promise<void> {
    const { isEnveloped } = this.#options
    if (!this.#client.isOpen) return
    const job = JSON.stringify(this.jobNumber)
    const frame = isEnveloped
      ? `{"type":"live","job_number":${job},"seq":0,"final":false,"data":${items},"skipped":${skipped}}`
      : items
    try {
      if (!(await this.#client.write([frame]))) this.close('slow')
    } catch (error) {
      this.#options.log.debug({ err: error }, 'writing live items to a WebSocket failed')
      this.terminate()
    }
  }

  async #sendAll(): Promise<void> {
    const { isEnveloped } = this.#options
    while (this.#isRequested && this.#client.isOpen) {
      this.#isRequested = false
      const found = await this.#options.messages.read(this.jobNumber, this.reader, this.#sentSeq)
      if (!found) return this.close('replaced')
      const { messages, hasMore } = found
      if (messages.length === 0) {
        if (this.#endReason && !this.#isRequested) return this.close(this.#endReason)
        continue
      }
      this.#isRequested ||= hasMore
      const last = messages.at(-1)
      this.#offeredSeq = last?.seq ?? this.#offeredSeq
      if (last?.final) this.#finalSeq = last.seq
      if (!(await this.#write(messages))) return this.close('slow')
      this.#sentSeq = this.#offeredSeq
      this.#client.allow(messages.length)
      if (!isEnveloped) {
        await this.#options.messages.acknowledge(this.jobNumber, this.#sentSeq)
        // The message of a failed job is its state, which this client does not get.
        if (last?.final) this.#endReason = last.type === 'state' ? 'jobFailed' : 'done'
        this.#isRequested ||= this.#endReason !== undefined
      } else if (last?.final) this.#closer ??= setTimeout(() => this.close('done'), acknowledgedWithinMs)
    }
  }

  /** Resolves when the messages are written; to false if that takes too long. */
  #write(messages: MailboxMessage[]): Promise<boolean> {
    const { isEnveloped } = this.#options
    const frames = messages.flatMap((message) => {
      if (isEnveloped) return this.#envelope(message)
      return message.type === 'result' ? message.data : []
    })
    return this.#client.write(frames)
  }

  #envelope({ type, seq, final, data }: MailboxMessage): string {
    const job = JSON.stringify(this.jobNumber)
    return `{"type":"${type}","job_number":${job},"seq":${seq},"final":${final},"data":${data}}`
  }

  #receive(text: string): void {
    const seq = acknowledgedSeq(text)
    if (seq === undefined) return this.close('wrongMessage')
    const newest = Math.min(seq, this.#offeredSeq)
    if (newest <= this.#ackedSeq) return
    this.#ackedSeq = newest
    if (this.#isAcknowledging) return
    this.#isAcknowledging = true
    void this.#acknowledge().finally(() => {
      this.#isAcknowledging = false
    })
  }

  /** One at a time, and the newest: a client may acknowledge faster than we store it. */
  async #acknowledge(): Promise<void> {
    for (let stored = -1; stored < this.#ackedSeq; ) {
      stored = this.#ackedSeq
      try {
        await this.#options.messages.acknowledge(this.jobNumber, stored)
      } catch (error) {
        // Stored with the next acknowledgement; or the messages are sent again on the next connection.
        this.#options.log.warn({ err: error }, 'an acknowledgement could not be stored')
        return
      }
      if (this.#finalSeq !== undefined && stored >= this.#finalSeq) this.close('done')
    }
  }
}

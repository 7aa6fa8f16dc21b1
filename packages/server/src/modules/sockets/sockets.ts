import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Caller } from '../../access.ts'
import type { Attached, MessageService } from '../jobs/index.ts'
import type { MailboxService } from '../mailbox/index.ts'
import { LiveFeed } from './live-feed.ts'
import type { LiveSource } from './live-source.ts'
import { closings, JobSocket, type SocketParts } from './socket.ts'

const sweepEveryMs = 1000
/** A client that does not answer a farewell within this time is left. */
const farewellMs = 2000
const pingEveryMs = 20_000

interface Held {
  jobSocket: JobSocket
  stillMay: () => Promise<boolean>
  pingAt: number
  /** Of a job that does not end. */
  stopWatching?: () => void
}

interface Opening extends Omit<SocketParts, 'messages' | 'log'> {
  caller: Caller
  /** Undefined where the caller may read any job. */
  owner: string | undefined
  /** Whether the client's token has not ended. */
  stillMay: () => Promise<boolean>
}

/** The sockets of this replica. A job has one, but for moments: the mailbox knows which of two is the newer. */
export class Sockets {
  readonly #mailbox: MailboxService
  readonly #messages: MessageService
  readonly #live = new Map<string, LiveSource>()
  readonly #idleMs: number
  readonly #log: Logger
  readonly #held = new Set<Held>()
  readonly #ofJob = new Map<string, Set<JobSocket>>()
  #timer: NodeJS.Timeout | undefined
  #isStopping = false

  constructor(parts: {
    mailbox: MailboxService
    messages: MessageService
    idleS: number
    log: Logger
  }) {
    this.#mailbox = parts.mailbox
    this.#messages = parts.messages
    this.#idleMs = parts.idleS * 1000
    this.#log = parts.log
  }

  /** For jobs of this kind a socket gets what happens while it is open. */
  addLiveSource(source: LiveSource): void {
    this.#live.set(source.kind, source)
  }

  start(): void {
    this.#mailbox.start((jobNumber, seq) => this.#wake(jobNumber, seq))
    this.#timer = setInterval(() => this.#sweep(), sweepEveryMs)
  }

  /** Clients come back to another replica, and go on where they were. */
  async stop(): Promise<void> {
    this.#isStopping = true
    clearInterval(this.#timer)
    for (const { jobSocket } of this.#held) jobSocket.close(closings.restart)
    const deadline = Date.now() + farewellMs
    while (this.#held.size > 0 && Date.now() < deadline) await sleep(20)
    for (const { jobSocket } of this.#held) jobSocket.terminate()
    await this.#mailbox.stop()
  }

  async open({ caller, owner, stillMay, ...rest }: Opening): Promise<void> {
    const jobSocket = new JobSocket({ ...rest, messages: this.#messages, log: this.#log })
    // Not all at once after a restart.
    const held: Held = { jobSocket, stillMay, pingAt: Date.now() + pingEveryMs * (0.5 + Math.random() / 2) }
    this.#held.add(held)
    rest.socket.on('close', () => this.#closed(held))
    rest.socket.on('error', (error) => this.#log.debug({ err: error }, 'a socket failed'))
    if (this.#isStopping) return jobSocket.close(closings.restart)
    const { jobNumber, reader } = jobSocket
    let attached: Attached | undefined
    let isOver: boolean
    try {
      attached = await this.#messages.attach({ jobNumber, owner, reader })
      if (!attached) return jobSocket.close(closings.failed)
      isOver = await jobSocket.resume(attached.endedAtSeq)
    } catch (error) {
      this.#log.warn({ err: error }, 'a socket could not be attached')
      return jobSocket.close(closings.failed)
    }
    if (!this.#held.has(held)) return this.#detach(jobSocket)
    const others = this.#ofJob.get(jobNumber) ?? new Set()
    this.#ofJob.set(jobNumber, others.add(jobSocket))
    if (isOver) return jobSocket.close(closings.done)
    this.#wake(jobNumber)
    const source = this.#live.get(attached.kind)
    if (!source) return
    const feed = new LiveFeed((items, skipped) => jobSocket.writeLive(items, skipped))
    const request = JSON.parse(attached.request) as Record<string, unknown>
    held.stopWatching = source.watch(request, caller, (happening) => feed.offer(happening))
  }

  /** A message, or another reader: the mailbox knows which. */
  #wake(jobNumber: string, seq?: number): void {
    for (const jobSocket of this.#ofJob.get(jobNumber) ?? []) jobSocket.pump(seq)
  }

  #closed(held: Held): void {
    const { jobSocket } = held
    this.#held.delete(held)
    held.stopWatching?.()
    const ofJob = this.#ofJob.get(jobSocket.jobNumber)
    if (!ofJob?.delete(jobSocket)) return
    if (ofJob.size === 0) this.#ofJob.delete(jobSocket.jobNumber)
    this.#detach(jobSocket)
  }

  #detach({ jobNumber, reader }: JobSocket): void {
    this.#messages
      .detach(jobNumber, reader)
      .catch((error: unknown) => this.#log.debug({ err: error }, 'a closed socket could not be noted'))
  }

  #sweep(): void {
    const now = Date.now()
    for (const held of this.#held) {
      const { jobSocket, stillMay } = held
      if (now >= held.pingAt) {
        held.pingAt = now + pingEveryMs
        if (!jobSocket.ping()) continue
      }
      if (now - jobSocket.lastActiveAt > this.#idleMs) jobSocket.close(closings.idle)
      stillMay().then(
        (may) => may || jobSocket.close(closings.tokenEnded),
        (error: unknown) => this.#log.debug({ err: error }, 'a token could not be looked at; next time'),
      )
    }
  }
}

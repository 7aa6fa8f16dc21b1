import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { MailboxService } from './mailbox.service.ts'
import { closings, JobSocket, type SocketParts } from './socket.ts'

const sweepEveryMs = 1000
/** A client that does not answer a farewell within this time is left. */
const farewellMs = 2000
/** Every socket is pinged, and its token looked at, once in so many sweeps: each sweep takes its share. */
const sweepsARound = 20

interface Held {
  jobSocket: JobSocket
  stillMay: () => Promise<boolean>
}

/** The sockets of this replica. A job has one, but for moments: the mailbox knows which of two is the newer. */
export class Sockets {
  readonly #mailbox: MailboxService
  readonly #idleMs: number
  readonly #log: Logger
  readonly #held = new Set<Held>()
  readonly #ofJob = new Map<string, Set<JobSocket>>()
  #timer: NodeJS.Timeout | undefined
  #turn = 0
  #isStopping = false

  constructor(parts: { mailbox: MailboxService; idleS: number; log: Logger }) {
    this.#mailbox = parts.mailbox
    this.#idleMs = parts.idleS * 1000
    this.#log = parts.log
  }

  start(): void {
    this.#mailbox.start((jobNumber) => this.#wake(jobNumber))
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

  /** `stillMay` tells whether the client's token has not ended. */
  async open(
    parts: Omit<SocketParts, 'mailbox' | 'log'> & { owner: string; stillMay: () => Promise<boolean> },
  ): Promise<void> {
    const { owner, stillMay, ...rest } = parts
    const jobSocket = new JobSocket({ ...rest, mailbox: this.#mailbox, log: this.#log })
    const held = { jobSocket, stillMay }
    this.#held.add(held)
    rest.socket.on('close', () => this.#closed(held))
    rest.socket.on('error', (error) => this.#log.debug({ err: error }, 'a socket failed'))
    if (this.#isStopping) return jobSocket.close(closings.restart)
    try {
      const isThere = await this.#mailbox.attach(jobSocket.jobNumber, owner, jobSocket.reader)
      if (!isThere) return jobSocket.close(closings.failed)
    } catch (error) {
      this.#log.warn({ err: error }, 'a socket could not be attached')
      return jobSocket.close(closings.failed)
    }
    if (!this.#held.has(held)) return this.#detach(jobSocket)
    const others = this.#ofJob.get(jobSocket.jobNumber) ?? new Set()
    this.#ofJob.set(jobSocket.jobNumber, others.add(jobSocket))
    this.#wake(jobSocket.jobNumber)
  }

  /** A message, or another reader: the mailbox knows which. */
  #wake(jobNumber: string): void {
    for (const jobSocket of this.#ofJob.get(jobNumber) ?? []) jobSocket.pump()
  }

  #closed(held: Held): void {
    const { jobSocket } = held
    this.#held.delete(held)
    const ofJob = this.#ofJob.get(jobSocket.jobNumber)
    if (!ofJob?.delete(jobSocket)) return
    if (ofJob.size === 0) this.#ofJob.delete(jobSocket.jobNumber)
    this.#detach(jobSocket)
  }

  #detach({ jobNumber, reader }: JobSocket): void {
    this.#mailbox
      .detach(jobNumber, reader)
      .catch((error: unknown) => this.#log.debug({ err: error }, 'a closed socket could not be noted'))
  }

  #sweep(): void {
    this.#turn = (this.#turn + 1) % sweepsARound
    let n = 0
    for (const { jobSocket, stillMay } of this.#held) {
      if (n++ % sweepsARound !== this.#turn) continue
      if (!jobSocket.ping()) continue
      if (Date.now() - jobSocket.lastActiveAt > this.#idleMs) jobSocket.close(closings.idle)
      stillMay().then(
        (may) => may || jobSocket.close(closings.tokenEnded),
        (error: unknown) => this.#log.debug({ err: error }, 'a token could not be looked at; next time'),
      )
    }
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { JobKind } from '@manc/contract'
import type { Logger } from 'pino'
import type { WebSocket } from 'ws'
import { type Caller, idOf } from '../../access.ts'
import type { Config } from '../../config.ts'
import type { Refused } from '../../errors.ts'
import { hasUserLimits, type Limits } from '../../limits.ts'
import type { Attached, MessageService } from '../jobs/index.ts'
import type { MailboxService } from '../mailbox/index.ts'
import { ClientSocket } from './client-socket.connection.ts'
import type { CloseReason } from './close-reasons.format.ts'
import { JobSocket, type JobSocketOptions } from './job-socket.connection.ts'
import { LiveBuffer } from './live.buffer.ts'
import type { LiveSource } from './live.types.ts'

const checkIntervalMs = 1000
const pingIntervalMs = 20_000
const retryAfterS = 5
/** At shutdown, a client that does not complete the close handshake within this time is disconnected. */
const closeWithinMs = 2000

/** An open WebSocket, as this service needs it. */
interface Connection {
  readonly lastActiveAt: number
  close(reason: CloseReason): void
  terminate(): void
  /** False if the last ping got no pong; then the connection is terminated. */
  ping(): boolean
}

/** A client of a stream. */
export interface StreamRequest {
  socket: WebSocket
  caller: Caller
  /** Whether the client's token is still valid. */
  isAuthorised: () => Promise<boolean>
}

interface OpenSocket {
  connection: Connection
  /** Id of the caller. */
  owner: string
  isAuthorised: () => Promise<boolean>
  pingAt: number
  /** Counts as a live subscription. */
  isLive: boolean
  /** Called when it has closed. */
  onClosed?: () => void
}

type LimitName =
  | 'MANC_SOCKETS'
  | 'MANC_USER_SOCKETS'
  | 'MANC_LIVE_SUBSCRIPTIONS'
  | 'MANC_USER_LIVE_SUBSCRIPTIONS'
  | 'MANC_SOCKET_FRAMES_PER_SECOND'

interface OpenRequest
  extends Omit<JobSocketOptions, 'messages' | 'log' | 'framesPerSecond' | 'onTooManyFrames'> {
  kind: JobKind
  caller: Caller
  /** Undefined if the caller may read any job. */
  owner: string | undefined
  /** Whether the client's token is still valid. */
  isAuthorised: () => Promise<boolean>
}

/** The open WebSockets of this replica. Of several for one job, the row of the job names the one that reads. */
export class SocketService {
  readonly #mailbox: MailboxService
  readonly #messages: MessageService
  readonly #live = new Map<string, LiveSource>()
  readonly #limits: Limits
  readonly #config: Pick<Config, LimitName | 'MANC_SOCKET_IDLE_SECONDS'>
  readonly #log: Logger
  readonly #open = new Set<OpenSocket>()
  readonly #ofJob = new Map<string, Set<JobSocket>>()
  readonly #ofOwner = new Map<string, { all: number; live: number }>()
  #timer: NodeJS.Timeout | undefined
  #isStopping = false

  constructor(options: {
    mailbox: MailboxService
    messages: MessageService
    limits: Limits
    config: Pick<Config, LimitName | 'MANC_SOCKET_IDLE_SECONDS'>
    log: Logger
  }) {
    this.#mailbox = options.mailbox
    this.#messages = options.messages
    this.#limits = options.limits
    this.#config = options.config
    this.#log = options.log
  }

  /** Open sockets; `live` are those that get live items. */
  get counts(): { all: number; live: number } {
    return { all: this.#open.size, live: [...this.#open].filter(({ isLive }) => isLive).length }
  }

  /** Why this caller gets no further socket for a job of this kind; undefined where it does. */
  refusal(caller: Caller, kind: JobKind): Refused | undefined {
    return this.#refusal(caller, this.#live.has(kind))
  }

  /** The same for a stream. */
  streamRefusal(caller: Caller): Refused | undefined {
    return this.#refusal(caller, true)
  }

  #refusal(caller: Caller, isLive: boolean): Refused | undefined {
    const open = this.#ofOwner.get(idOf(caller)) ?? { all: 0, live: 0 }
    const isLimitedAsUser = hasUserLimits(caller)
    const all = isLimitedAsUser ? 'MANC_USER_SOCKETS' : 'MANC_SOCKETS'
    const live = isLimitedAsUser ? 'MANC_USER_LIVE_SUBSCRIPTIONS' : 'MANC_LIVE_SUBSCRIPTIONS'
    if (open.all >= this.#config[all])
      return this.#limits.refusal(
        all,
        `At most ${this.#config[all]} of your WebSockets may be open. Close some of them first.`,
        retryAfterS,
      )
    if (isLive && open.live >= this.#config[live])
      return this.#limits.refusal(
        live,
        `At most ${this.#config[live]} of your live subscriptions may be open. Close some of them first, or watch several agents with one.`,
        retryAfterS,
      )
    return undefined
  }

  /** Clients of this kind of job get the items of the source while they are connected. */
  addLiveSource(source: LiveSource): void {
    this.#live.set(source.kind, source)
  }

  start(): void {
    this.#mailbox.start((jobNumber, seq) => this.#notify(jobNumber, seq))
    this.#timer = setInterval(() => this.#check(), checkIntervalMs)
  }

  /** Clients reconnect to another replica and continue after their last message. */
  async stop(): Promise<void> {
    this.#isStopping = true
    clearInterval(this.#timer)
    for (const { connection } of this.#open) connection.close('restart')
    const deadline = Date.now() + closeWithinMs
    while (this.#open.size > 0 && Date.now() < deadline) await sleep(20)
    for (const { connection } of this.#open) connection.terminate()
    await this.#mailbox.stop()
  }

  async open({ kind, caller, owner, isAuthorised, ...rest }: OpenRequest): Promise<void> {
    // Many requests may have passed the check at the same time.
    const isRefused = this.refusal(caller, kind) !== undefined
    const jobSocket = new JobSocket({
      ...rest,
      messages: this.#messages,
      framesPerSecond: this.#config.MANC_SOCKET_FRAMES_PER_SECOND,
      onTooManyFrames: () => this.#limits.count('MANC_SOCKET_FRAMES_PER_SECOND'),
      log: this.#log,
    })
    const { socket } = rest
    const open = this.#add({ socket, connection: jobSocket, caller, isAuthorised }, this.#live.has(kind))
    open.onClosed = () => this.#jobSocketClosed(jobSocket)
    if (this.#isStopping) return jobSocket.close('restart')
    if (isRefused) return jobSocket.close('tooMany')
    const { jobNumber, reader } = jobSocket
    let attached: Attached | undefined
    let isOver: boolean
    try {
      attached = await this.#messages.attach({ jobNumber, owner, reader })
      if (!attached) return jobSocket.close('failed')
      isOver = await jobSocket.resume(attached)
    } catch (error) {
      this.#log.warn({ err: error }, 'a WebSocket could not be attached to its job')
      return jobSocket.close('failed')
    }
    if (!this.#open.has(open)) return this.#detach(jobSocket)
    const others = this.#ofJob.get(jobNumber) ?? new Set()
    this.#ofJob.set(jobNumber, others.add(jobSocket))
    if (isOver) return jobSocket.close('done')
    this.#notify(jobNumber)
    const source = this.#live.get(attached.kind)
    if (!source) return
    const buffer = new LiveBuffer((items, skipped) => jobSocket.writeLive(items, skipped))
    const request = JSON.parse(attached.request) as Record<string, unknown>
    const stopWatching = source.watch(request, caller, (item) => buffer.offer(item))
    open.onClosed = () => {
      stopWatching()
      this.#jobSocketClosed(jobSocket)
    }
  }

  /**
   * For a stream that is not of a job. It counts as a live subscription. Undefined if it is closed at once: there are too
   * many, or the process stops.
   */
  openStream(request: StreamRequest): ClientSocket | undefined {
    // Many requests may have passed the check at the same time.
    const isRefused = this.streamRefusal(request.caller) !== undefined
    const connection = new ClientSocket({
      socket: request.socket,
      framesPerSecond: this.#config.MANC_SOCKET_FRAMES_PER_SECOND,
      onTooManyFrames: () => this.#limits.count('MANC_SOCKET_FRAMES_PER_SECOND'),
    })
    this.#add({ ...request, connection }, true)
    if (!this.#isStopping && !isRefused) return connection
    connection.close(isRefused ? 'tooMany' : 'restart')
    return undefined
  }

  #add(
    { socket, connection, caller, isAuthorised }: StreamRequest & { connection: Connection },
    isLive: boolean,
  ): OpenSocket {
    const open: OpenSocket = {
      connection,
      owner: idOf(caller),
      isLive,
      isAuthorised,
      // Spread over time: after a restart all clients connect at once.
      pingAt: Date.now() + pingIntervalMs * (0.5 + Math.random() / 2),
    }
    this.#open.add(open)
    this.#count(open, 1)
    socket.on('close', () => {
      this.#open.delete(open)
      this.#count(open, -1)
      open.onClosed?.()
    })
    socket.on('error', (error) => this.#log.debug({ err: error }, 'a WebSocket failed'))
    return open
  }

  /** There is a new message or a new reader. */
  #notify(jobNumber: string, seq?: number): void {
    for (const jobSocket of this.#ofJob.get(jobNumber) ?? []) jobSocket.sendPending(seq)
  }

  #jobSocketClosed(jobSocket: JobSocket): void {
    const ofJob = this.#ofJob.get(jobSocket.jobNumber)
    if (!ofJob?.delete(jobSocket)) return
    if (ofJob.size === 0) this.#ofJob.delete(jobSocket.jobNumber)
    this.#detach(jobSocket)
  }

  #count({ owner, isLive }: OpenSocket, by: 1 | -1): void {
    const { all, live } = this.#ofOwner.get(owner) ?? { all: 0, live: 0 }
    if (all + by <= 0) this.#ofOwner.delete(owner)
    else this.#ofOwner.set(owner, { all: all + by, live: isLive ? live + by : live })
  }

  #detach({ jobNumber, reader }: JobSocket): void {
    this.#messages
      .detach(jobNumber, reader)
      .catch((error: unknown) =>
        this.#log.debug({ err: error }, 'a closed WebSocket could not be detached from its job'),
      )
  }

  #check(): void {
    const now = Date.now()
    const idleMs = this.#config.MANC_SOCKET_IDLE_SECONDS * 1000
    for (const open of this.#open) {
      const { connection, isAuthorised } = open
      if (now >= open.pingAt) {
        open.pingAt = now + pingIntervalMs
        if (!connection.ping()) continue
      }
      if (now - connection.lastActiveAt > idleMs) connection.close('idle')
      isAuthorised().then(
        (isValid) => isValid || connection.close('tokenEnded'),
        (error: unknown) =>
          this.#log.debug({ err: error }, 'a token could not be verified; it will be retried'),
      )
    }
  }
}

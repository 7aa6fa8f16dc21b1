import type { EventPosition } from '@manc/contract'
import type { Logger } from 'pino'
import { Loop } from '../../loop.ts'
import { type EventRow, type EventService, positionOf, toRecord } from '../events/index.ts'
import type { ClientSocket } from '../sockets/index.ts'
import { Follower, type SerialisedEvent } from './follower.connection.ts'
import { isLater } from './positions.rules.ts'

const pollIntervalMs = 1000
const pageSize = 1000
/** Followers that read on their own at the same time: others wait, so that requests have connections of the database. */
const maxReaders = 4

interface FollowRequest {
  client: ClientSocket
  filter: (row: EventRow) => boolean
  after: EventPosition | undefined
  onClosed: (run: () => void) => void
}

/**
 * The followers of this process. One poll reads new events for all of them. A follower that resumes, or that takes events too
 * slowly, reads on its own until it has caught up with the poll.
 */
export class EventStreamService {
  readonly #events: EventService
  readonly #log: Logger
  readonly #loop: Loop
  readonly #followers = new Set<Follower>()
  /** What the poll has read; undefined if no follower needs it. */
  #tail: EventPosition | undefined
  #timeline: number | undefined
  #readers = 0
  readonly #waiting: (() => void)[] = []

  constructor({ events, log }: { events: EventService; log: Logger }) {
    this.#events = events
    this.#log = log
    this.#loop = new Loop({
      name: 'polling for events',
      intervalMs: pollIntervalMs,
      log,
      run: () => this.#poll(),
    })
  }

  start(): void {
    this.#loop.start()
  }

  stop(): Promise<void> {
    return this.#loop.stop()
  }

  async follow({ client, filter, after, onClosed }: FollowRequest): Promise<void> {
    try {
      const isComplete = after === undefined || (await this.#events.isKnown(after))
      const position = after && isComplete ? after : (await this.#events.following(undefined, 1)).horizon
      const follower = new Follower(client, filter, position)
      this.#followers.add(follower)
      onClosed(() => this.#followers.delete(follower))
      if (!client.isOpen) return void this.#followers.delete(follower)
      await follower.start(isComplete)
      await this.#catchUp(follower)
    } catch (error) {
      this.#log.warn({ err: error }, 'events could not be sent to a WebSocket')
      client.close('failed')
    }
  }

  /** Reads for one follower until it is where the poll is. */
  async #catchUp(follower: Follower): Promise<void> {
    follower.isJoined = false
    while (follower.isOpen) {
      await follower.taken()
      const { events, next, isLast } = await this.#readInTurn(follower.position)
      follower.offer(events, next)
      // No await between the comparison and joining: the poll cannot move in between.
      if (!isLast || (this.#tail && isLater(this.#tail, follower.position))) continue
      this.#tail ??= follower.position
      follower.isJoined = true
      return
    }
  }

  async #poll(): Promise<void> {
    if (this.#followers.size === 0) this.#tail = undefined
    while (this.#tail) {
      const { events, next, isLast, timeline } = await this.#read(this.#tail)
      if (this.#hasFailedOver(timeline)) return this.#disconnectAll()
      this.#tail = next
      for (const follower of this.#followers)
        if (follower.isJoined && !follower.offer(events, next))
          this.#catchUp(follower).catch((error: unknown) => {
            this.#log.warn({ err: error }, 'events could not be sent to a WebSocket')
            follower.close('failed')
          })
      if (isLast) return
    }
  }

  /** After a failover, ids of lost transactions are used again: what comes next may be before the position of the poll. */
  #hasFailedOver(timeline: number): boolean {
    const last = this.#timeline
    this.#timeline = timeline
    return last !== undefined && last !== timeline
  }

  /** They connect again, and their positions are checked. */
  #disconnectAll(): void {
    this.#tail = undefined
    for (const follower of this.#followers) follower.close('restart')
  }

  async #readInTurn(after: EventPosition): Promise<ReadEvents> {
    if (this.#readers >= maxReaders) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    else this.#readers += 1
    try {
      return await this.#read(after)
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#readers -= 1
    }
  }

  async #read(after: EventPosition): Promise<ReadEvents> {
    const { events, horizon, timeline } = await this.#events.following(after, pageSize)
    const last = events.at(-1)
    const isLast = events.length < pageSize || !last
    return {
      events: events.map((row) => ({ row, position: positionOf(row), text: JSON.stringify(toRecord(row)) })),
      next: isLast ? horizon : positionOf(last),
      isLast,
      timeline,
    }
  }
}

interface ReadEvents {
  events: SerialisedEvent[]
  next: EventPosition
  /** There are no further events for now. */
  isLast: boolean
  timeline: number
}

import { type EventFrame, type EventPosition, eventIdOf } from '@manc/contract'
import type { EventRow } from '../events/index.ts'
import type { ClientSocket } from '../sockets/index.ts'
import { isLater } from './positions.rules.ts'

/** An event that is sent to several followers: it is serialised once. */
export interface SerialisedEvent {
  row: EventRow
  position: EventPosition
  /** JSON text. */
  text: string
}

/** After this time without a frame an empty one is sent: clients notice a broken connection, and get a newer position. */
const heartbeatMs = 20_000

/** One client of the stream of events. At most one frame is in memory: what it does not take in time is read again later. */
export class Follower {
  /** All events up to here were handed to the connection, or are not for this follower. */
  position: EventPosition
  /** Whether it gets the events that the process reads for all followers. */
  isJoined = false
  readonly #client: ClientSocket
  readonly #filter: (row: EventRow) => boolean
  #writing: Promise<void> = Promise.resolve()
  #sentAt = performance.now()

  constructor(client: ClientSocket, filter: (row: EventRow) => boolean, position: EventPosition) {
    this.#client = client
    this.#filter = filter
    this.position = position
  }

  get isOpen(): boolean {
    return this.#client.isOpen
  }

  close(reason: Parameters<ClientSocket['close']>[0]): void {
    this.#client.close(reason)
  }

  /** Resolves when the client has taken what was sent. */
  async start(isComplete: boolean): Promise<void> {
    const frame: EventFrame = { type: 'start', after: eventIdOf(this.position), is_complete: isComplete }
    this.#write(JSON.stringify(frame))
    await this.#writing
  }

  async taken(): Promise<void> {
    await this.#writing
  }

  /** Events up to `next`, in order. False if it is still writing: then it keeps its position, and has to read them later. */
  offer(events: readonly SerialisedEvent[], next: EventPosition): boolean {
    const wanted = events.filter(({ row, position }) => isLater(position, this.position) && this.#filter(row))
    if (wanted.length > 0 && this.#client.isWriting) return false
    if (isLater(next, this.position)) this.position = next
    const isDue = performance.now() - this.#sentAt > heartbeatMs && !this.#client.isWriting
    if (wanted.length > 0 || isDue)
      this.#write(
        `{"type":"events","events":[${wanted.map(({ text }) => text).join(',')}],"after":"${eventIdOf(this.position)}"}`,
      )
    return true
  }

  #write(frame: string): void {
    this.#sentAt = performance.now()
    this.#writing = this.#client.write([frame]).then(
      (isTaken) => {
        if (!isTaken) this.close('slow')
      },
      () => this.#client.terminate(),
    )
  }
}

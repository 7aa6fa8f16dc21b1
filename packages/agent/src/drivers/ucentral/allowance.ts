import { Budget } from './budget.ts'
import { LimitExceeded } from './messages.ts'

export interface AllowanceLimits {
  messagesAtOnce: number
  messagesPerSecond: number
  /** Of what has to be parsed: it would take the time of the other access points. */
  bytesAtOnce: number
  bytesPerSecond: number
}

/** An access point sends a state a minute, and events and logs between them. */
const ofAccessPoint: AllowanceLimits = {
  messagesAtOnce: 200,
  messagesPerSecond: 20,
  bytesAtOnce: 16 * 1_048_576,
  bytesPerSecond: 524_288,
}

/** Until it is known who sends. Its first message should be `connect`. */
const ofUnknownPeer: AllowanceLimits = {
  messagesAtOnce: 5,
  messagesPerSecond: 0,
  bytesAtOnce: 262_144,
  bytesPerSecond: 0,
}

/** What a peer may send. Its methods throw `LimitExceeded` if that is more. */
export class Allowance {
  readonly #messages: Budget
  readonly #bytes: Budget
  readonly #manyMessages: string
  readonly #manyBytes: string

  private constructor(limits: AllowanceLimits, isKnown: boolean) {
    const { messagesAtOnce, messagesPerSecond, bytesAtOnce, bytesPerSecond } = limits
    this.#messages = new Budget(messagesAtOnce, messagesPerSecond)
    this.#bytes = new Budget(bytesAtOnce, bytesPerSecond)
    this.#manyMessages = isKnown
      ? `${messagesPerSecond} messages a second`
      : `${messagesAtOnce} messages before "connect"`
    this.#manyBytes = isKnown
      ? `${bytesPerSecond / 1024} KiB a second`
      : `${bytesAtOnce / 1024} KiB before "connect"`
  }

  static ofAccessPoint(limits: Partial<AllowanceLimits> = {}): Allowance {
    return new Allowance({ ...ofAccessPoint, ...limits }, true)
  }

  static ofUnknownPeer(): Allowance {
    return new Allowance(ofUnknownPeer, false)
  }

  takeMessage(): void {
    if (!this.#messages.take()) throw new LimitExceeded(`it sends more than ${this.#manyMessages}`)
  }

  takeBytes(count: number): void {
    if (!this.#bytes.take(count)) throw new LimitExceeded(`it sends more than ${this.#manyBytes}`)
  }
}

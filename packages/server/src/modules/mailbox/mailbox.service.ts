import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { RabbitMq } from '../../engines/rabbitmq/index.ts'
import { notFound, Refused, tooMany, unavailable } from '../../errors.ts'
import { Loop } from '../../loop.ts'
import type { Attached, Attachment, Letter, MailboxStore, Post } from './mailbox.store.ts'

interface Parts {
  store: MailboxStore
  rabbitMq: RabbitMq
  keepS: number
  mostWaitingBytes: number
  /** Of all mailboxes together, on disk. */
  mostBytes: number
  log: Logger
}

/** Called with every job that got a message, by its number where that is known, or another reader. */
type Wake = (jobNumber: string, seq?: number) => void

type Wish = Omit<Post, 'mostWaitingBytes'> & { poster: string }

const followEveryMs = 400
const beatEveryMs = 2000
const measureEveryMs = 5000
const atOnce = 8
/** Full mailboxes that one owner may have before it opens another. */
const mostOfOwner = 32

/** What callers are owed: always stored, then whoever holds the caller's socket is woken, on whichever replica. */
export class MailboxService {
  /** This process, to those who ask whether a reader is still there. */
  readonly replica = randomUUID()
  readonly #parts: Parts
  readonly #loops: Loop[]
  #horizon: string | undefined
  #isFull = false
  #wake: Wake = () => {}

  constructor(parts: Parts) {
    this.#parts = parts
    parts.rabbitMq.onWakeUp('mailbox', ({ job, seq, from }) => {
      if (from === this.replica || typeof job !== 'string') return
      this.#wake(job, typeof seq === 'number' ? seq : undefined)
    })
    const { log } = parts
    this.#loops = [
      new Loop({ name: 'following mailboxes', everyMs: followEveryMs, log, round: () => this.#follow() }),
      new Loop({
        name: 'holding sockets',
        everyMs: beatEveryMs,
        log,
        round: () => parts.store.beat(this.replica),
      }),
      new Loop({ name: 'measuring mailboxes', everyMs: measureEveryMs, log, round: () => this.#measure() }),
    ]
  }

  start(wake: Wake): void {
    this.#wake = wake
    for (const loop of this.#loops) loop.start()
  }

  async stop(): Promise<void> {
    await Promise.all(this.#loops.map((loop) => loop.stop()))
  }

  /** Tells whether somebody is there to read it. */
  async post(wish: Wish): Promise<boolean> {
    const { store, keepS, mostWaitingBytes } = this.#parts
    // What callers have asked for still comes; what others post has to wait.
    if (this.#isFull && !wish.work) throw unavailable('The mailbox')
    const post = { ...wish, mostWaitingBytes }
    let posted = await store.put(post)
    if (!posted) {
      let why = await store.whyUnchanged(post)
      if (!why.exists && !wish.work) {
        if ((await store.waitingOf(wish.poster)) > mostOfOwner * mostWaitingBytes)
          throw tooMany('Too much of yours waits to be read. Read some of it first.', 60)
        await store.open(wish.jobNumber, wish.poster, keepS)
        posted = await store.put(post)
        why = posted ? why : await store.whyUnchanged(post)
      }
      if (!posted) {
        if (!why.exists || !why.isOwn) throw notFound('Job')
        if (why.isRepeated) return why.hasReader
        if (why.isFull) throw tooMany('The mailbox of this job is full. Its client has to read first.', 1)
        throw new Refused('conflict', 'Somebody else works on this job.')
      }
    }
    this.#news(wish.jobNumber, posted.seq)
    return posted.hasReader
  }

  async end(jobNumber: string, state: 'succeeded' | 'failed', detail: string | null): Promise<void> {
    await this.#parts.store.end(jobNumber, state, detail)
    this.#news(jobNumber)
  }

  /** From now on this connection reads, and the one before it does not. */
  async attach(attachment: Attachment): Promise<Attached | undefined> {
    const attached = await this.#parts.store.attach(attachment, this.replica)
    // The one before it finds out when it looks.
    if (attached?.hadReader) this.#tellOthers(attachment.jobNumber)
    return attached
  }

  detach(jobNumber: string, reader: string): Promise<void> {
    return this.#parts.store.detach(jobNumber, reader)
  }

  /** Undefined where another connection reads by now. */
  async read(
    jobNumber: string,
    reader: string,
    after: number,
  ): Promise<{ letters: Letter[]; isMore: boolean } | undefined> {
    const letters = await this.#parts.store.read(jobNumber, reader, after, atOnce)
    return letters && { letters, isMore: letters.length === atOnce }
  }

  delivered(jobNumber: string, seq: number): Promise<void> {
    return this.#parts.store.delivered(jobNumber, seq)
  }

  sweep(): Promise<void> {
    return this.#parts.store.sweep(this.#parts.keepS)
  }

  /** Something has come for these jobs in a transaction of somebody else. */
  tell(jobNumbers: readonly string[]): void {
    for (const jobNumber of jobNumbers) this.#news(jobNumber)
  }

  #news(jobNumber: string, seq?: number): void {
    this.#wake(jobNumber, seq)
    this.#tellOthers(jobNumber, seq)
  }

  #tellOthers(jobNumber: string, seq?: number): void {
    this.#parts.rabbitMq.wakeUp({ type: 'mailbox', job: jobNumber, seq, from: this.replica })
  }

  /** Wake-ups only accelerate: whatever was missed is found here. */
  async #follow(): Promise<void> {
    const { posted, horizon } = await this.#parts.store.news(this.#horizon)
    this.#horizon = horizon
    for (const { jobNumber, seq } of posted) this.#wake(jobNumber, seq)
  }

  async #measure(): Promise<void> {
    this.#isFull = (await this.#parts.store.size()) > this.#parts.mostBytes
  }
}

import type { Postgres, Tx } from '../../engines/postgres.ts'
import { notFound, Refused, tooMany, unavailable } from '../../errors.ts'
import type { MailboxMessage, MailboxService } from '../mailbox/index.ts'
import type { JobMetrics } from './jobs.metrics.ts'
import type { JobProgress, JobUpdate, MessageStore, Post } from './messages.store.ts'
import type { Attached, Attachment, ReaderStore } from './readers.store.ts'

interface Options {
  postgres: Postgres
  store: MessageStore
  readers: ReaderStore
  mailbox: MailboxService
  countEnded: JobMetrics['countEnded']
  keepS: number
  /** In one mailbox. */
  maxUnreadBytes: number
}

type PostRequest = Omit<Post, 'maxUnreadBytes'> & { poster: string }

const messagesPerRead = 8
/** An owner with this many full mailboxes cannot open another. */
const maxFullMailboxes = 32

/** Messages to the clients of jobs. They are stored first; then the replica that holds the WebSocket is notified. */
export class MessageService {
  readonly #options: Options

  constructor(options: Options) {
    this.#options = options
  }

  /** Returns whether a client is connected to read it. */
  async post(request: PostRequest): Promise<boolean> {
    const { store, mailbox, keepS, maxUnreadBytes } = this.#options
    // Results of jobs that were accepted are still stored.
    if (mailbox.isFull && !request.work) throw unavailable('The mailbox')
    const post = { ...request, maxUnreadBytes }
    let posted = await store.post(post)
    if (!posted) {
      let obstacle = await store.obstacle(post)
      if (!obstacle.exists && !request.work) {
        if ((await store.unreadBytesOf(request.poster)) > maxFullMailboxes * maxUnreadBytes)
          throw tooMany('Too many of your messages are unread. Read some of them first.', 60)
        await store.openMailbox(request.jobNumber, request.poster, keepS)
        posted = await store.post(post)
        obstacle = posted ? obstacle : await store.obstacle(post)
      }
      if (!posted) {
        if (!obstacle.exists || !obstacle.isOwn) throw notFound('Job')
        if (obstacle.isRepeated) return obstacle.hasReader
        if (obstacle.isFull)
          throw tooMany('The mailbox of this job is full. Its client has to read first.', 1)
        throw new Refused('conflict', 'Another worker has this job now. Stop working on it.')
      }
    }
    if (request.final) this.#options.countEnded({ kind: posted.kind, state: 'succeeded' })
    mailbox.notify(request.jobNumber, posted.seq)
    return posted.hasReader
  }

  async end(jobNumber: string, state: 'succeeded' | 'failed', detail: string | null): Promise<void> {
    const kind = await this.#options.store.end(jobNumber, state, detail)
    if (kind !== undefined) this.#options.countEnded({ kind, state })
    this.#options.mailbox.notify(jobNumber)
  }

  /** Changes jobs as part of a transaction, each with a message for its client. */
  async update(tx: Tx, updates: readonly JobUpdate[]): Promise<void> {
    const { postgres, store, mailbox, countEnded } = this.#options
    const ended = await store.update(tx, updates)
    postgres.afterCommit(tx, () => {
      for (const job of ended) countEnded(job)
      for (const { jobNumber } of updates) mailbox.notify(jobNumber)
    })
  }

  async updateProgress(updates: readonly JobProgress[]): Promise<void> {
    for (const jobNumber of await this.#options.store.updateProgress(updates))
      this.#options.mailbox.notify(jobNumber)
  }

  /** Makes this connection the reader of the job, instead of an earlier one. */
  async attach(attachment: Attachment): Promise<Attached | undefined> {
    const { readers, mailbox } = this.#options
    const attached = await readers.attach(attachment, mailbox.replica)
    // The earlier reader notices when it reads.
    if (attached?.hadReader) mailbox.notifyOthers(attachment.jobNumber)
    return attached
  }

  detach(jobNumber: string, reader: string): Promise<void> {
    return this.#options.readers.detach(jobNumber, reader)
  }

  /** Undefined if another connection has become the reader. */
  async read(
    jobNumber: string,
    reader: string,
    after: number,
  ): Promise<{ messages: MailboxMessage[]; hasMore: boolean } | undefined> {
    const messages = await this.#options.readers.read(jobNumber, reader, after, messagesPerRead)
    return messages && { messages, hasMore: messages.length === messagesPerRead }
  }

  /** Messages up to `seq` were delivered. */
  acknowledge(jobNumber: string, seq: number): Promise<void> {
    return this.#options.readers.acknowledge(jobNumber, seq)
  }
}

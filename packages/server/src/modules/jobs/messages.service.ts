import type { Caller } from '../../access.ts'
import type { Postgres, Tx } from '../../engines/postgres.ts'
import { notFound, Refused, unavailable } from '../../errors.ts'
import type { Limits } from '../../limits.ts'
import type { MailboxMessage, MailboxService, StoredMessage } from '../mailbox/index.ts'
import type { JobMetrics } from './jobs.metrics.ts'
import type { JobService } from './jobs.service.ts'
import type { Job } from './jobs.store.ts'
import type { LeasedJob } from './leases.store.ts'
import type {
  JobProgress,
  JobUpdate,
  MessageStore,
  PauseEnd,
  Post,
  Posted,
  PostObstacle,
} from './messages.store.ts'
import type { Attached, Attachment, KeptLimits, ReaderStore } from './readers.store.ts'
import type { UserResults } from './user-results.loop.ts'

interface Options {
  postgres: Postgres
  store: MessageStore
  readers: ReaderStore
  mailbox: MailboxService
  userResults: UserResults
  jobs: JobService
  limits: Limits
  countEnded: JobMetrics['countEnded']
  /** Limits for delivered results. */
  keeps: KeptLimits
  /** In one mailbox. */
  maxUnreadBytes: number
  /** Of one standard user or agent, in all mailboxes. */
  userUnreadLimit: number
  /** Called when a job that waited for its reader can continue. */
  onContinued: () => void
}

export interface KeptMessage extends StoredMessage {
  expiresAt: Date
}

type PostRequest = Omit<Post, 'maxUnreadBytes' | 'pausedUnreadLimit'> & { poster: Caller }

const messagesPerRead = 8
/** Of messages that are read again. The last one may exceed it. */
const maxPageBytes = 4 * 1024 * 1024
const retryAfterS = 1
const maxAttempts = 5

/** Messages to the clients of jobs. They are stored first; then the replica that holds the WebSocket is notified. */
export class MessageService {
  readonly #options: Options

  constructor(options: Options) {
    this.#options = options
  }

  /** Returns whether a client is connected to read it. An unused number becomes a mailbox of the poster. */
  async post({ poster, ...request }: PostRequest): Promise<boolean> {
    const { store, mailbox, userResults, jobs, limits, maxUnreadBytes, userUnreadLimit } = this.#options
    if (mailbox.isFull) {
      limits.count('MANC_MAILBOXES_BYTES')
      if (!request.work) throw unavailable('The mailbox')
      await this.#pause(request.jobNumber, request.work.lease, 'there is space')
      throw new Refused('too-many', 'All mailboxes are full.', { retryAfterS })
    }
    const pausedUnreadLimit = userResults.areTooMany ? userUnreadLimit : undefined
    const post = { ...request, maxUnreadBytes, pausedUnreadLimit }
    for (let attempt = 1; attempt <= maxAttempts; attempt++) {
      const posted = await store.post(post)
      if (posted) return this.#posted(post, posted)
      const obstacle = await store.obstacle(post)
      if (obstacle.isRepeated) return obstacle.hasReader
      const { isLeaseLost, isFull, isOwnerFull, isPaused } = obstacle
      if (isLeaseLost || isFull || isOwnerFull || isPaused) throw await this.#refusal(post, obstacle)
      // There is no obstacle any more: for example, the results were read in the meantime.
      if (obstacle.exists) continue
      if (request.work) throw notFound('Job')
      await jobs.openMailbox(request.jobNumber, poster)
    }
    throw unavailable('The mailbox')
  }

  /** For a message that must not wait for a reader, and is small. */
  async postUnlimited(request: Omit<Post, 'maxUnreadBytes' | 'pausedUnreadLimit' | 'work'>): Promise<void> {
    const post = { ...request, work: undefined, maxUnreadBytes: undefined, pausedUnreadLimit: undefined }
    const posted = await this.#options.store.post(post)
    if (posted) this.#posted(post, posted)
  }

  #posted({ jobNumber, final }: Post, { kind, seq, hasReader }: Posted): boolean {
    if (final) this.#options.countEnded({ kind, state: 'succeeded' })
    this.#options.mailbox.notify(jobNumber, seq)
    return hasReader
  }

  /** Of a post to an existing job. A worker that finds the mailbox full has to stop: its job waits for the reader. */
  async #refusal({ jobNumber, work }: Post, obstacle: PostObstacle): Promise<Refused> {
    const { limits, userUnreadLimit } = this.#options
    const { isFull, isLeaseLost, isPaused, ownerUnreadLimit } = obstacle
    if (isLeaseLost) return new Refused('conflict', 'Another worker has this job now. Stop working on it.')
    if (work) await this.#pause(jobNumber, work.lease, isFull ? 'results are read' : 'the owner has space')
    if (isPaused)
      return limits.refusal(
        'MANC_MAILBOXES_BYTES',
        'The mailboxes of standard users and agents are full. Connect a client that reads this job, or post again later.',
        retryAfterS,
      )
    return isFull
      ? limits.refusal(
          'MANC_MAILBOX_BYTES',
          'The mailbox of this job is full. Its client has to read first.',
          retryAfterS,
        )
      : limits.refusal(
          ownerUnreadLimit === userUnreadLimit ? 'MANC_USER_UNREAD_BYTES' : 'MANC_UNREAD_BYTES',
          'The mailboxes of the owner of this job are full. The owner has to read some results first.',
          retryAfterS,
        )
  }

  /** A worker that continued with each message read would run for one message at a time. */
  get #continuesBelowBytes(): number {
    return this.#options.maxUnreadBytes / 2
  }

  /** Whether results have to be read before the worker of this job produces more. Then the job waits. */
  async pauseIfFull(job: LeasedJob, lease: string): Promise<boolean> {
    const { limits, userResults, userUnreadLimit } = this.#options
    if (userResults.areTooMany && job.ownerUnreadLimit === userUnreadLimit && !job.hasWaitingReader) {
      limits.count('MANC_MAILBOXES_BYTES')
      await this.#pause(job.jobNumber, lease, 'the owner has space')
      return true
    }
    const isFull = job.unreadBytes > this.#continuesBelowBytes
    if (!isFull && !job.isOwnerFull) return false
    await this.#pause(job.jobNumber, lease, isFull ? 'results are read' : 'the owner has space')
    return true
  }

  #pause(jobNumber: string, lease: string, event: PauseEnd['event']): Promise<void> {
    return this.#options.store.pause({ jobNumber, lease }, { event, unreadBytes: this.#continuesBelowBytes })
  }

  /** Without a result. Returns false if the job had ended before: then it stays as it is. */
  async end(
    jobNumber: string,
    state: 'succeeded' | 'failed',
    detail: string | null,
    tx?: Tx,
  ): Promise<boolean> {
    const { postgres, store, mailbox, countEnded } = this.#options
    const kind = await store.end(jobNumber, state, detail, tx)
    const ended = () => {
      if (kind !== undefined) countEnded({ kind, state })
      mailbox.notify(jobNumber)
    }
    if (tx) postgres.afterCommit(tx, ended)
    else ended()
    return kind !== undefined
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
    if (attached?.isContinued) this.#options.onContinued()
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
  async acknowledge(jobNumber: string, seq: number): Promise<void> {
    const { readers, mailbox, keeps, onContinued } = this.#options
    const acknowledged = await readers.acknowledge({
      jobNumber,
      seq,
      continuesBelowBytes: this.#continuesBelowBytes,
      keeps: mailbox.hasSpaceToKeep ? keeps : undefined,
    })
    if (acknowledged?.isContinued) onContinued()
    if (acknowledged?.hasTooManyKept) await this.#dropOldest(acknowledged.owner)
  }

  /** After an outage between the two statements, the next acknowledgement of this owner does it. */
  async #dropOldest(owner: string): Promise<void> {
    const { readers, keeps, limits } = this.#options
    if ((await readers.dropOldest(owner, keeps)) > 0) limits.count('MANC_KEPT_RESULTS_BYTES')
  }

  /** The messages of a job after `seq`, also those that were delivered: a page of them, and whether there are more. */
  async results(
    job: Pick<Job, 'jobNumber' | 'lastSeq'>,
    seq: number,
    limit: number,
  ): Promise<{ results: KeptMessage[]; hasMore: boolean }> {
    const { mailbox } = this.#options
    const messages = await mailbox.page(job.jobNumber, seq, { limit, maxBytes: maxPageBytes })
    const results = messages.map((message) => ({ ...message, expiresAt: mailbox.expiryOf(message.at) }))
    return { results, hasMore: (messages.at(-1)?.seq ?? job.lastSeq) < job.lastSeq }
  }
}

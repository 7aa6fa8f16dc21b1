import type { ReceiverType } from '@manc/contract'
import type { Logger } from 'pino'
import type { Mail } from '../../engines/mail.ts'
import { PrivateAddress, type Webhooks } from '../../engines/webhook.ts'
import type { Secrets } from '../../secrets.ts'
import { alarmMail } from './alarm-mail.format.ts'
import type { DeliveryStore, Failure } from './deliveries.store.ts'
import { oneLine } from './message.format.ts'
import type { LeasedDelivery } from './notifications.types.ts'
import { isFinal, retryInS } from './retry.rules.ts'
import { signedHeaders, webhookBody } from './webhook-body.format.ts'

interface Deps {
  store: DeliveryStore
  mail: Mail
  webhooks: Webhooks
  secrets: Secrets
  log: Logger
  publicUrl: string
  count: (labels: { type: ReceiverType; result: 'sent' | 'retried' | 'failed' }) => void
  /** Called after each attempt: another message of the receiver may be due. */
  onDone: () => void
}

const maxAtOnce = 50
const maxPerReceiver = 2
const maxErrorLength = 300

type Result = { statusCode: number | null; note: string | null } | Failure

/** Sends what is queued. A receiver that is slow delays only its own messages. */
export class SenderService {
  readonly #deps: Deps
  readonly #running = new Map<Promise<void>, string>()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Starts to send messages that are due, and returns before they are sent. */
  async startDue(): Promise<void> {
    for (;;) {
      const free = maxAtOnce - this.#running.size
      if (free <= 0) return
      const taken = await this.#deps.store.takeDue(this.#busy(), free)
      for (const delivery of taken) this.#start(delivery)
      if (taken.length === 0) return
    }
  }

  /** Waits for messages that are being sent. */
  async settled(): Promise<void> {
    await Promise.all(this.#running.keys())
  }

  #busy(): string[] {
    const counts = new Map<string, number>()
    for (const receiver of this.#running.values()) counts.set(receiver, (counts.get(receiver) ?? 0) + 1)
    return [...counts].filter(([, count]) => count >= maxPerReceiver).map(([receiver]) => receiver)
  }

  #start(delivery: LeasedDelivery): void {
    const { log, onDone } = this.#deps
    const running: Promise<void> = this.#send(delivery)
      .catch((err: unknown) =>
        log.warn({ err, delivery: delivery.id }, 'the result of a notification could not be stored'),
      )
      .finally(() => {
        this.#running.delete(running)
        onDone()
      })
    this.#running.set(running, delivery.receiverId)
  }

  async #send(delivery: LeasedDelivery): Promise<void> {
    const { store, count, log } = this.#deps
    const { type } = delivery
    const result = await this.#attempt(delivery).catch((error: unknown) => failureOf(error, delivery))
    if (!('error' in result)) {
      await store.markSent(delivery, result)
      count({ type, result: 'sent' })
      const { receiverId: receiver } = delivery
      // Without it they are sent a little later.
      await store
        .endWaits(receiver)
        .catch((err: unknown) => log.info({ err, receiver }, 'messages that wait were not brought forward'))
      return
    }
    const isGivenUp = await store.markFailed(delivery, result)
    count({ type, result: isGivenUp ? 'failed' : 'retried' })
    const { id, receiverId: receiver, attempts } = delivery
    const about = { delivery: id, receiver, attempts, status: result.statusCode, error: result.error }
    if (isGivenUp) log.warn(about, 'a notification could not be sent and was given up')
    else log.info(about, 'a notification could not be sent; it is sent again later')
  }

  async #attempt(delivery: LeasedDelivery): Promise<Result> {
    const { receiver, kind, type } = delivery
    if (!receiver.isEnabled && kind !== 'test')
      return final('The receiver is disabled. Enable it, then send the message again.')
    return type === 'webhook' ? this.#post(delivery) : this.#mail(delivery)
  }

  async #mail(delivery: LeasedDelivery): Promise<Result> {
    const { mail, publicUrl } = this.#deps
    const { receiver, attempts, addressesLeft } = delivery
    // Without those that the receiver does not have any more.
    const to = receiver.addresses.filter((address) => addressesLeft?.includes(address) ?? true)
    if (to.length === 0) return { statusCode: null, note: null }
    const { refused, deferred } = await mail.send({
      ...alarmMail(delivery, publicUrl),
      ...(addressesLeft && { only: to }),
    })
    if (refused === 0) return { statusCode: null, note: null }
    const note = `The mail server refused ${refused} of ${to.length} addresses`
    if (deferred.length === 0) return { statusCode: null, note: `${note}.` }
    const error = `${note}, ${deferred.length} of them for now. The message is sent to these again.`
    return { statusCode: null, error, retryInS: retryInS(attempts), addressesLeft: deferred }
  }

  async #post(delivery: LeasedDelivery): Promise<Result> {
    const { webhooks, secrets, publicUrl } = this.#deps
    const { id, receiver, attempts } = delivery
    if (receiver.url === null || receiver.secretSealed === null)
      return final('The receiver has no URL. Create it again.')
    const body = webhookBody(delivery, publicUrl)
    const secret = secrets.unseal(receiver.secretSealed)
    const headers = signedHeaders(id, body, { secret, timestampS: Math.floor(Date.now() / 1000) })
    const statusCode = await webhooks.post(receiver.url, headers, body)
    if (statusCode >= 200 && statusCode < 300) return { statusCode, note: null }
    const error = `The receiver responded with ${statusCode}.`
    return { statusCode, error, retryInS: isFinal(statusCode) ? undefined : retryInS(attempts) }
  }
}

const final = (error: string): Failure => ({ statusCode: null, error, retryInS: undefined })

/** Messages of errors of connections have addresses and codes, and no URL or secret. */
function failureOf(error: unknown, { attempts }: LeasedDelivery): Failure {
  if (error instanceof PrivateAddress) return final(error.message)
  const text =
    error instanceof Error && ['AbortError', 'TimeoutError'].includes(error.name)
      ? 'The receiver did not respond within 10 s.'
      : oneLine(error instanceof Error ? error.message : String(error), maxErrorLength)
  return { statusCode: null, error: text || 'The connection failed.', retryInS: retryInS(attempts) }
}

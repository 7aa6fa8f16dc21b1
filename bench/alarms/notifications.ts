import { setTimeout as sleep } from 'node:timers/promises'
import { call } from '@manc/harness'
import { startWebhookInbox, type WebhookInbox } from '@manc/harness/webhook-inbox'
import { rounded } from '../bench.ts'
import type { BenchEnvironment } from '../environment.ts'

/** The members of a message that are read here. */
interface Message {
  truncatedAlerts: number
  alerts: { status: string }[]
}

/** A webhook with one route for all alarms. */
export class Notifications {
  readonly #environment: BenchEnvironment
  readonly #inbox: WebhookInbox
  #ids = { receiver: '', route: '' }

  private constructor(environment: BenchEnvironment, inbox: WebhookInbox) {
    this.#environment = environment
    this.#inbox = inbox
  }

  /** `times` of the route: those that a new route has by default if there are none. */
  static async start(
    environment: BenchEnvironment,
    times: { group_wait_s?: number; group_interval_s?: number },
  ): Promise<Notifications> {
    const sink = new Notifications(environment, await startWebhookInbox())
    const receiver = await sink.#send('POST', 'notification_receivers', {
      name: 'bench',
      type: 'webhook',
      url: sink.#inbox.url,
    })
    const route = await sink.#send('POST', 'notification_routes', {
      name: 'all alarms',
      receiver_id: receiver.id,
      ...times,
    })
    sink.#ids = { receiver: receiver.id, route: route.id }
    return sink
  }

  /** Waits until each alarm is in a message, or the time is over. `raisedAt`: of the first alarm. */
  async figures(alarms: number, raisedAt: Date, timeoutMs: number) {
    const deadline = Date.now() + timeoutMs
    while (this.#reported() < alarms && Date.now() < deadline) await sleep(200)
    const messages = this.#messages()
    const [first] = this.#inbox.received
    return {
      notification_messages: messages.length,
      notified_alarms: this.#reported(),
      alarms_not_notified: alarms - this.#reported(),
      first_message_after_s: first ? rounded((first.atMs - raisedAt.getTime()) / 1000, 1) : null,
    }
  }

  async stop(): Promise<void> {
    try {
      await this.#send('DELETE', `notification_routes/${this.#ids.route}`)
      await this.#send('DELETE', `notification_receivers/${this.#ids.receiver}`)
    } finally {
      await this.#inbox.stop()
    }
  }

  /** A message that was sent again counts once. */
  #messages(): Message[] {
    const byId = new Map(this.#inbox.received.map(({ id, body }) => [id, body]))
    return [...byId.values()].map((body) => JSON.parse(body) as Message)
  }

  /** A message lists the first alarms and counts the others. No alarm is cleared here. */
  #reported(): number {
    return this.#messages().reduce(
      (sum, { alerts, truncatedAlerts }) => sum + alerts.length + truncatedAlerts,
      0,
    )
  }

  async #send(method: string, path: string, body?: object) {
    const { server, token } = this.#environment
    const answer = await call(server.url, method, `/api/v1/${path}`, { token, ...(body && { body }) })
    if (answer.status !== 200)
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
}

import type { NotificationDelivery, NotificationDeliveryDetail } from '@manc/contract'
import { type MailInbox, startMailInbox } from '@manc/harness/mail-inbox'
import { startWebhookInbox, type WebhookInbox } from '@manc/harness/webhook-inbox'

export type Request = (method: string, route: string, body?: object) => Promise<any>

export const mailAddress = 'operators@alarms.test'
export const sinkTypes = ['webhook', 'email'] as const
type SinkType = (typeof sinkTypes)[number]

/** Where messages about alarms go: a webhook and an e-mail address, with a route each. */
export class NotificationSinks {
  readonly webhook: WebhookInbox
  readonly mail: MailInbox

  private constructor(webhook: WebhookInbox, mail: MailInbox) {
    this.webhook = webhook
    this.mail = mail
  }

  static async start(): Promise<NotificationSinks> {
    return new NotificationSinks(await startWebhookInbox(), await startMailInbox())
  }

  /** Of the server. */
  get variables(): Record<string, string> {
    return {
      MANC_SMTP_URL: this.mail.url,
      MANC_WEBHOOK_PRIVATE: 'true',
      MANC_NOTIFICATIONS_PER_HOUR: '100000',
    }
  }

  /** Messages of one rule are not held back for longer than a second. */
  async createRoutes(request: Request): Promise<void> {
    for (const type of sinkTypes) {
      const target = type === 'webhook' ? { url: this.webhook.url } : { addresses: [mailAddress] }
      const { id } = await request('POST', '/notification_receivers', { name: type, type, ...target })
      await request('POST', '/notification_routes', {
        name: type,
        receiver_id: id,
        emulated: 'all',
        group_wait_s: 1,
        group_interval_s: 0,
      })
    }
  }

  async stop(): Promise<void> {
    await this.webhook.stop()
    await this.mail.stop()
  }
}

/** All messages so far, with their alarms. */
export async function readMessages(request: Request): Promise<NotificationDeliveryDetail[]> {
  const all: NotificationDeliveryDetail[] = []
  const limit = 100
  let after: string | undefined
  for (;;) {
    const query = `?limit=${limit}${after === undefined ? '' : `&after=${after}`}`
    const page = (await request('GET', `/notification_deliveries${query}`)) as NotificationDelivery[]
    for (const { id } of page) all.push(await request('GET', `/notification_deliveries/${id}`))
    if (page.length < limit) return all
    after = page.at(-1)?.id
  }
}

/** The messages of this type that say that the alarm is open, or cleared. */
export const messagesOf = (
  messages: readonly NotificationDeliveryDetail[],
  { type, alarm, state }: { type: SinkType; alarm: string; state: 'open' | 'cleared' },
): NotificationDeliveryDetail[] =>
  messages.filter(
    (each) => each.type === type && each.alarms.some((about) => about.id === alarm && about.state === state),
  )

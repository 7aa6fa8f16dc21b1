import type { TestEnvironment } from '@manc/harness'
import { expect } from 'vitest'
import { messagesOf, type NotificationSinks, type Request, readMessages } from './notification-sinks.ts'

const patience = { timeout: 240_000, interval: 1000 }

/** What the webhook has received, against the alarms and the messages in the database. Waits until all are sent. */
export async function reportNotifications(
  environment: TestEnvironment,
  sinks: NotificationSinks,
  request: Request,
) {
  const read = async () => (await readMessages(request)).filter(({ type }) => type === 'webhook')
  // In one statement: what leaves one table is in another one.
  const pending = async () => {
    const [row] = await environment.sql(
      `select (select count(*) from alarm_changes)
         + (select count(*) from notification_groups where next_at is not null)
         + (select count(*) from notification_deliveries where next_attempt_at is not null) as pending`,
    )
    return Number(row.pending)
  }
  await expect.poll(pending, patience).toBe(0)
  const messages = await read()
  expect(messages.filter(({ status }) => status !== 'sent')).toEqual([])
  const alarms = await environment.sql('select id::text as id, cleared_at is null as is_open from alarms')
  const about = alarms.map(({ id, is_open: isOpen }) => ({
    id,
    isOpen,
    raised: messagesOf(messages, { type: 'webhook', alarm: id, state: 'open' }).length,
    cleared: messagesOf(messages, { type: 'webhook', alarm: id, state: 'cleared' }).length,
  }))
  const received = sinks.webhook.received.map(({ id }) => id)
  return {
    messages: messages.length,
    // By attempts whose outcome was lost with the process.
    repeated: received.length - new Set(received).size,
    notReceived: messages.filter(({ id }) => !received.includes(id)).length,
    unknownIds: received.filter((id) => !messages.some((message) => message.id === id)),
    // Of an alarm that was cleared before its message was due nothing is sent.
    withoutMessage: about.filter(({ raised, isOpen }) => raised === 0 && !isOpen).length,
    openWithoutMessage: about.filter(({ raised, isOpen }) => raised === 0 && isOpen),
    severalMessages: about.filter(({ raised, cleared }) => raised > 1 || cleared > 1),
    withoutCleared: about.filter(({ raised, cleared, isOpen }) => raised === 1 && cleared === 0 && !isOpen),
  }
}

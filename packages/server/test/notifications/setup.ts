import type {
  AlarmRule,
  NotificationDelivery,
  NotificationReceiverWithSecret,
  NotificationRoute,
} from '@manc/contract'
import { type TestEnvironment, uniqueName } from '@manc/harness'
import { expect } from 'vitest'

export const patience = { timeout: 60_000, interval: 100 }

/** Requests of an administrator that succeed. */
export const clientOf = (environment: TestEnvironment) => {
  const send = async (method: string, path: string, given?: unknown) => {
    const { status, body } = await environment.request(method, `/api/v1/${path}`, given)
    expect([status, body]).toEqual([200, expect.anything()])
    return body
  }
  return {
    send,
    rule: (more: object = {}): Promise<AlarmRule> =>
      send('POST', 'alarm_rules', {
        name: uniqueName('rule'),
        severity: 'warning',
        metric: 'clients',
        raise_op: '>=',
        raise_threshold: 100,
        raise_for_s: 0,
        clear_for_s: 0,
        ...more,
      }),
    receiver: (url: string): Promise<NotificationReceiverWithSecret> =>
      send('POST', 'notification_receivers', { name: uniqueName('hook'), type: 'webhook', url }),
    route: (receiver: string, more: object = {}): Promise<NotificationRoute> =>
      send('POST', 'notification_routes', { ...routeTo(receiver), ...more }),
    deliveries: (receiver: string): Promise<NotificationDelivery[]> =>
      send('GET', `notification_deliveries?receiver=${receiver}`),
  }
}

/** Without waiting. */
export const routeTo = (receiver: string) => ({
  name: uniqueName('route'),
  receiver_id: receiver,
  group_wait_s: 0,
  group_interval_s: 0,
})

const hourOf = (hoursFromNow: number): string =>
  new Date(Date.now() + hoursFromNow * 3_600_000).toISOString().slice(11, 16)

/** Now, and for two hours. */
export const quietNow = () => ({ from: hourOf(-2), to: hourOf(2), time_zone: 'UTC' })

/** Agents that are online. */
export async function onlineAgents(environment: TestEnvironment, count: number): Promise<string[]> {
  const prefix = uniqueName('many')
  await environment.sql(
    `with made as (insert into agents (id, ap_id, password_hash, configuration)
       select gen_random_uuid(), $1 || '-' || n, 'x', '{}' from generate_series(1, $2::int) as n returning ap_id)
     insert into fleet (ap_id, technology, state, last_seen) select ap_id, 'WiFi', 'online', now() from made`,
    [prefix, count],
  )
  return Array.from({ length: count }, (_, n) => `${prefix}-${n + 1}`)
}

/** Waits until no alarm, group or message is to be handled, in any replica. */
export async function untilIdle(environment: TestEnvironment): Promise<void> {
  const pending = async () => {
    const [row] = await environment.sql(
      `select (select count(*) from alarm_changes)
         + (select count(*) from notification_groups where next_at is not null)
         + (select count(*) from notification_deliveries where next_attempt_at is not null) as pending`,
    )
    return Number(row.pending)
  }
  await expect.poll(pending, patience).toBe(0)
}

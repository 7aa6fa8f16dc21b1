import type { TestEnvironment } from '@manc/harness'
import { test } from '@manc/harness/fixture'
import { afterAll, expect } from 'vitest'
import { alertOf, postAlerts } from '../alarms/agents.ts'
import { Hook } from './hook.ts'
import { clientOf, onlineAgents, patience } from './setup.ts'

const it = test.override('variables', { MANC_WEBHOOK_PRIVATE: 'true', MANC_NOTIFICATIONS_PER_HOUR: '2' })
const hook = await new Hook().open()
afterAll(() => hook.close())

it('Alarms beyond the messages of an hour wait, are in the log, and share a later message.', async ({
  environment,
}: {
  environment: TestEnvironment
}) => {
  const client = clientOf(environment)
  const receiver = await client.receiver(hook.url)
  const rule = await client.rule()
  await client.route(receiver.id, { rule_ids: [rule.id] })
  const [one = '', two = '', three = '', four = ''] = await onlineAgents(environment, 4)
  const raise = (apId: string) => postAlerts(environment, [alertOf(apId, rule)])
  await raise(one)
  await expect.poll(() => hook.agents('firing'), patience).toEqual([[one]])
  await raise(two)
  await expect.poll(() => hook.agents('firing'), patience).toEqual([[one], [two]])
  await raise(three)
  await expect.poll(() => environment.server.logged(), patience).toContain('MANC_NOTIFICATIONS_PER_HOUR')
  await raise(four)
  const waiting = async () => {
    const [row] = await environment.sql(
      `select count(*)::int as alarms from notification_alarms where state = 'waiting'`,
    )
    return row.alarms
  }
  await expect.poll(waiting, patience).toBe(2)
  expect(hook.received).toHaveLength(2)
  await environment.sql(`update notification_deliveries set created_at = created_at - interval '1 hour'`)
  await environment.sql('update notification_groups set next_at = now() where next_at is not null')
  await expect
    .poll(() => hook.agents('firing').map((agents) => agents.toSorted()), patience)
    .toEqual([[one], [two], [three, four].toSorted()])
})

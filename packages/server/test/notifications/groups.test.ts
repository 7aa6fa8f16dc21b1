import { test } from '@manc/harness/fixture'
import { afterAll, expect } from 'vitest'
import { migrate, Postgres } from '../../src/engines/postgres.ts'
import { createLog } from '../../src/log.ts'
import { Metrics } from '../../src/metrics.ts'
import { GroupStore } from '../../src/modules/notifications/groups.store.ts'

const it = test.override('withServer', false)
const log = createLog('silent')
const groups = new GroupStore()
let postgres: Postgres

it.beforeAll(async ({ environment: { databaseUrl: url } }) => {
  await migrate(url, log)
  postgres = new Postgres({ url, connections: 1, log, metrics: new Metrics(log), timeoutMs: 10_000 })
})
afterAll(() => postgres?.stop())

const routeId = '00000000-0000-7000-8000-000000000001'
const group = { routeId, groupKey: '' }

it('A group with an escalation that is due before its interval has passed makes progress.', async ({
  environment,
}) => {
  await environment.sql(
    `with receiver as (insert into notification_receivers (id, name, type, addresses, is_enabled, updated_by)
       values ($1, 'r', 'email', '{a@example.test}', true, 'x') returning id)
     insert into notification_routes (id, name, receiver_id, severities, technologies, ap_ids, rule_ids, emulated,
       group_by, group_wait_s, group_interval_s, notify_cleared, is_enabled, updated_by)
     select id, 'r', id, '{}', '{}', '{}', '{}', 'none', 'none', 0, 3600, true, true, 'x' from receiver`,
    [routeId],
  )
  await environment.sql(
    `insert into notification_groups (route_id, group_key, last_message_at, next_at) values ($1, '', now(), now())`,
    [routeId],
  )
  // More that wait than one message has, and one that is to be escalated.
  await environment.sql(
    `insert into notification_alarms (route_id, alarm_id, group_key, state, due_at)
     select $1, n, '', case when n = 6000 then 'notified' else 'waiting' end,
       case when n = 6000 then now() else now() - interval '1 minute' end from generate_series(1, 6000) as n`,
    [routeId],
  )
  const nextInS = async () => {
    const [row] = await environment.sql(
      'select extract(epoch from next_at - now())::float8 as s from notification_groups where route_id = $1',
      [routeId],
    )
    return row.s
  }
  await postgres.transaction(async (tx) => {
    const due = await groups.takeDue(tx)
    expect(due).toMatchObject({ ...group, mayNotify: false })
    const entries = due ? await groups.entries(tx, due, 5000) : []
    expect(entries).toMatchObject([{ alarmId: '6000', state: 'notified' }])
    await groups.endEscalation(tx, group, ['6000'], null)
    await groups.finish(tx, group, { isNotified: false, intervalS: 3600, restS: 1 })
  })
  expect(await nextInS()).toBeGreaterThan(3000)
  // After the interval: those that are left as they are wait, those of a later part do not.
  await environment.sql(`update notification_groups set last_message_at = now() - interval '2 hours'`)
  await postgres.transaction((tx) =>
    groups.finish(tx, group, { isNotified: false, intervalS: 3600, restS: 300 }),
  )
  expect(await nextInS()).toBeGreaterThan(200)
  await postgres.transaction(async (tx) => {
    const entries = await groups.entries(tx, { ...group, mayNotify: true }, 5000)
    expect(entries).toHaveLength(5000)
    const ids = entries.map(({ alarmId }) => alarmId)
    await groups.hold(tx, group, ids, 300)
    expect(await groups.entries(tx, { ...group, mayNotify: true }, 5000)).toHaveLength(999)
    expect(await groups.countDue(tx, group)).toBe(5999)
    await groups.finish(tx, group, { isNotified: false, intervalS: 3600, restS: 0 })
  })
  expect(await nextInS()).toBeLessThan(1)
})

import { startReplica } from '@manc/harness'
import { test as it } from '@manc/harness/fixture'
import { expect } from 'vitest'

it('reservations of agents that ended long ago are removed, and current ones stay', async ({
  environment,
}) => {
  await environment.sql(
    `insert into command_holds (ap_id, holder, priority, until)
     select 'ended-' || n, gen_random_uuid(), 1, now() - interval '2 hours' from generate_series(1, 6000) as n
     union all select 'current', gen_random_uuid(), 1, now() + interval '1 hour'`,
  )
  // A process that starts removes what has expired.
  const replica = await startReplica(environment.variables)
  const left = async () =>
    (await environment.sql('select ap_id from command_holds')).map(({ ap_id: apId }) => apId as string)
  await expect.poll(left, { timeout: 60_000 }).toEqual(['current'])
  await replica.stop()
})

it('attributes and counts of rejected samples are removed with their agent, and counts after 30 days', async ({
  environment,
}) => {
  await environment.sql(
    `insert into agents (id, ap_id, password_hash, configuration)
     select gen_random_uuid(), 'kept-' || n, 'x', '{}' from generate_series(1, 2) as n`,
  )
  // In the order of the ids before and after those that are kept.
  const ids = `select 'deleted-' || n as ap_id from generate_series(1, 1000) as n
    union all select unnest(array['kept-1', 'kept-2', 'zz-deleted'])`
  await environment.sql(
    `insert into agent_attributes (ap_id, attributes, said_at) select ap_id, '{"model": "x"}', now() from (${ids}) as ids`,
  )
  await environment.sql(
    `insert into refused_samples (ap_id, reason, samples, last_at) select ap_id, 'malformed', 1, now() from (${ids}) as ids
     union all select 'kept-1', 'too old', 1, now() - interval '31 days'`,
  )
  const replica = await startReplica(environment.variables)
  const rows = async () => [
    await environment.sql('select ap_id from agent_attributes order by ap_id'),
    await environment.sql('select ap_id, reason from refused_samples order by ap_id'),
  ]
  await expect.poll(rows, { timeout: 120_000, interval: 500 }).toEqual([
    [{ ap_id: 'kept-1' }, { ap_id: 'kept-2' }],
    [
      { ap_id: 'kept-1', reason: 'malformed' },
      { ap_id: 'kept-2', reason: 'malformed' },
    ],
  ])
  await replica.stop()
}, 180_000)

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

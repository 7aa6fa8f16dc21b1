import type { FleetFigures } from '@manc/contract'
import { call, startReplica } from '@manc/harness'
import { StoreProxy } from '@manc/harness/metrics-store'
import { expect, inject } from 'vitest'
import { test as it, run } from '../telemetry/environment.ts'

/** More than are read by their ids. */
const slowAgents = 2001

it('one read of each metric is enough for a fleet of which many access points send rarely', async ({
  environment,
}) => {
  await environment.sql(
    `insert into agents (id, ap_id, password_hash, configuration)
     select gen_random_uuid(), $1 || n, 'x', '{}' from generate_series(0, $2::int) n`,
    [`${run}-slow-`, slowAgents],
  )
  // The last one sends every 10 s.
  await environment.sql(
    `insert into fleet (ap_id, interval_s) select $1 || n, case when n < $2 then 60 else 10 end
     from generate_series(0, $2::int) n`,
    [`${run}-slow-`, slowAgents],
  )
  const write = (n: number, ageMs: number, clients: number) =>
    environment.store.write(`${run}-slow-${n}`, [{ at: Date.now() - ageMs, metrics: { clients } }])
  await write(0, 100_000, 4)
  await write(slowAgents, -45_000, 2)
  // The window is long enough for them, but their last samples are too old.
  await write(1, 200_000, 16)
  const storeProxy = new StoreProxy(inject('engines').victoria)
  const replica = await startReplica({
    ...environment.variables,
    MANC_VICTORIA_URL: await storeProxy.start(),
    MANC_ROLES: 'api',
  })
  try {
    const { body } = await call(replica.url, 'GET', '/api/v1/fleet/figures', {
      token: environment.adminToken,
    })
    expect(body as FleetFigures).toMatchObject({ agents: 2, clients: 6 })
    expect(storeProxy.requests.filter((path) => path.startsWith('/federate'))).toHaveLength(6)
  } finally {
    await replica.stop()
    storeProxy.stop()
  }
})
